public import Synchronization

/// The contents of a dispatcher: one part, or two nodes that were combined, or nothing.
///
/// Combining two dispatchers is O(1), so a chain of `combine` takes linear time in its length. At the first use of a
/// combination, its parts are collected, and the table that finds parts by case is created.
///
/// Unchecked: only `deinit` changes `first` and `second`, and only in nodes that nothing else references. Only the
/// thread that changes `progress` from `none` writes `stored`, and then sets `progress` to `isStored`. Other threads
/// read `stored` only after that. So no access to these three variables overlaps a change, and exclusive access is not
/// checked.
@usableFromInline
final class DispatcherNode<Environment, S, Input>: @unchecked Sendable {
    @usableFromInline typealias Part = StateDispatcher<Environment, S, Input>.Part

    @usableFromInline let part: Part?
    @exclusivity(unchecked) @safe @usableFromInline var first: DispatcherNode?
    @exclusivity(unchecked) @safe @usableFromInline var second: DispatcherNode?
    @exclusivity(unchecked) @safe @usableFromInline var stored: CombinedParts<Environment, S, Input>?
    // An `AtomicLazyReference` would take longer to deallocate than all the rest.
    @usableFromInline let progress = Atomic(Progress.none)

    @usableFromInline
    enum Progress {
        @inlinable static var none: UInt8 { 0 }
        @inlinable static var isWritten: UInt8 { 1 }
        @inlinable static var isStored: UInt8 { 2 }
    }

    @inlinable
    init(_ part: Part) {
        self.part = part
    }

    @inlinable
    init(_ first: DispatcherNode? = nil, _ second: DispatcherNode? = nil) {
        part = nil
        self.first = first
        self.second = second
    }

    /// Calls `perform` with each emission for an input, in order.
    @inlinable
    @inline(__always)
    func emit(_ input: Input, _ perform: (Emission<Environment, S>, ChildPlace<S>?) -> Void) {
        // `if let` would copy the whole part.
        if part == nil { combined.emit(input, perform) } else { part!.emit(input, perform) }
    }

    /// The parts of this combination, which the first use collects. If several threads use it for the first time at
    /// once, each thread may collect the parts.
    @inlinable var combined: CombinedParts<Environment, S, Input> { known ?? collect() }

    @inlinable var known: CombinedParts<Environment, S, Input>? {
        progress.load(ordering: .acquiring) == Progress.isStored ? stored : nil
    }

    /// Collects the parts without recursion, because a long chain is nested deeply.
    @inlinable
    @inline(never)
    func collect() -> CombinedParts<Environment, S, Input> {
        var parts: [Part] = []
        var rest = [self]
        while let node = rest.popLast() {
            if let part = node.part {
                parts.append(part)
            } else if let known = node.known {
                parts += known.parts
            } else {
                if let second = node.second { rest.append(second) }
                if let first = node.first { rest.append(first) }
            }
        }
        let combined = CombinedParts(parts)
        if progress.compareExchange(expected: Progress.none, desired: Progress.isWritten, ordering: .relaxed).exchanged
        {
            stored = combined
            progress.store(Progress.isStored, ordering: .releasing)
        }
        return combined
    }

    deinit {
        Self.release(&first)
        Self.release(&second)
    }

    /// Releases a node and all nodes that only this node references, without recursion. While a node has a first child,
    /// a rotation to the right makes that child the root, so that no stack is needed.
    private static func release(_ next: inout DispatcherNode?) {
        // `Optional.take()` would look up types here, because this code is not specialized.
        while var node = next {
            next = nil
            guard isKnownUniquelyReferenced(&node) else { return }
            guard var first = node.first else {
                next = node.second
                node.second = nil
                continue
            }
            node.first = nil
            if isKnownUniquelyReferenced(&first) {
                node.first = first.second
                first.second = node
                next = first
            } else {
                next = node
            }
        }
    }
}
