public import Optics
public import Synchronization

/// The parts of a combined dispatcher, and for each case of the input what it concerns.
///
/// Which parts a case concerns is learned at its first input and kept, so that from then on an input costs what its own
/// parts cost. Parts whose prism cannot tell from the case alone are tried for every input.
///
/// Unchecked: a slot goes from empty to one route, atomically, and a route is immutable. Two threads that learn at once
/// learn the same; one of them is kept.
@usableFromInline
final class Router<Environment, S, Input>: @unchecked Sendable {
    @usableFromInline
    typealias Part = StateDispatcher<Environment, S, Input>.Part

    @usableFromInline let parts: [Part]
    @usableFromInline let routing: CaseRouting<Input>
    // Owned references to `Route`s. Read without retaining: a route lives as long as its router.
    @usableFromInline let slots: UnsafeMutablePointer<Atomic<UnsafeMutableRawPointer?>>

    /// What one case concerns.
    @usableFromInline
    final class Route {
        @usableFromInline let emit: StateDispatcher<Environment, S, Input>.Emit

        @inlinable
        init(_ parts: [Part]) {
            emit = sequentialEmit(parts)
        }
    }

    @inlinable
    init(_ parts: [Part], by routing: CaseRouting<Input>) {
        self.parts = parts
        self.routing = routing
        slots = .allocate(capacity: routing.tagCount)
        for tag in 0..<routing.tagCount { (slots + tag).initialize(to: Atomic(nil)) }
    }

    deinit {
        for tag in 0..<routing.tagCount {
            guard let route = slots[tag].load(ordering: .acquiring) else { continue }
            Unmanaged<Route>.fromOpaque(route).release()
        }
        slots.deinitialize(count: routing.tagCount)
        slots.deallocate()
    }

    /// Hands over what the parts have to do that `input` concerns, in the order they were combined.
    @inlinable
    func emit(_ input: Input, _ emit: (Emission<Environment, S>) -> Void) {
        let tag = routing.tag(of: input)
        let route = slots[tag].load(ordering: .acquiring) ?? learn(input, tag)
        Unmanaged<Route>.fromOpaque(route)._withUnsafeGuaranteedRef { $0.emit(input, emit) }
    }

    @inlinable
    @inline(never)
    func learn(_ input: Input, _ tag: Int) -> UnsafeMutableRawPointer {
        let route = Route(parts.filter { $0.routing?.accepts(input, tag: tag) ?? true })
        let learned = Unmanaged.passRetained(route).toOpaque()
        let (isFirst, known) = slots[tag].compareExchange(
            expected: nil, desired: learned, ordering: .acquiringAndReleasing)
        if isFirst { return learned }
        Unmanaged<Route>.fromOpaque(learned).release()
        return known.unsafelyUnwrapped
    }
}

/// The parts one after the other, or those alone that the input's case concerns.
@inlinable
func combinedEmit<Environment, S, Input>(
    _ parts: [StateDispatcher<Environment, S, Input>.Part]
) -> StateDispatcher<Environment, S, Input>.Emit {
    guard parts.count > 1, let routing = parts.lazy.compactMap(\.routing).first else { return sequentialEmit(parts) }
    let router = Router(parts, by: routing)
    return { input, emit in router.emit(input, emit) }
}

/// The parts one after the other.
@inlinable
func sequentialEmit<Environment, S, Input>(
    _ parts: [StateDispatcher<Environment, S, Input>.Part]
) -> StateDispatcher<Environment, S, Input>.Emit {
    if parts.count == 1 { return parts[0].emit }
    return { input, emit in for part in parts { part.emit(input, emit) } }
}
