import ArchitectureEngine
import FunctionalCore

/// The children that have work under way, as a tree by the keys of their places.
///
/// A child is in the tree from the moment at which work of it must wait until this work has ended, or until a change
/// has removed or replaced the child. So at any time, at most one child of each place is in the tree.
///
/// Not generic, because unspecialized code looks up metadata for each node.
///
/// Unchecked: only the draining thread uses the tree.
final class Lifetimes: @unchecked Sendable {
    private final class Node {
        let key: ChildKey?
        /// Tells whether the state contains the child. `nil` if the node is only on the way to others.
        let isPresent: (() -> Bool)?
        /// The works of the child, or `nil` if the node is only on the way to others.
        let works: WorkBag?
        var below: [ChildKey: Node]

        init(
            _ key: ChildKey? = nil, isPresent: (() -> Bool)? = nil, works: WorkBag? = nil, below: [ChildKey: Node] = [:]
        ) {
            (self.key, self.isPresent, self.works, self.below) = (key, isPresent, works, below)
        }
    }

    private let root = Node()

    /// Whether no child has work under way. May be `false` for a while after the last such work has ended.
    var isEmpty: Bool { root.below.isEmpty }

    /// Returns the works of the child at a place. If the tree has none, adds the child that `find` returns a function
    /// for, which tells whether the state contains the child. Returns `nil` if `find` returns `nil`.
    func works(at keys: [ChildKey], adding find: () -> (() -> Bool)?) -> WorkBag? {
        var node: Node? = root
        for key in keys { node = node?.below[key] }
        if let works = node?.works { return works }
        guard let key = keys.last, let isPresent = find() else { return nil }
        let parent = keys.dropLast().reduce(root) { node, key in
            let next = node.below[key] ?? Node(key)
            node.below[key] = next
            return next
        }
        let works = WorkBag()
        parent.below[key] = Node(key, isPresent: isPresent, works: works, below: parent.below[key]?.below ?? [:])
        return works
    }

    /// Returns the works of the children that the state no longer contains, and removes these children and those that
    /// have no work under way.
    ///
    /// A change of a row leaves the other rows of its list as they are, so they are not looked for. Other places may
    /// overlap.
    ///
    /// - Parameter keys: The keys of the place that the last change belongs to, or an empty array if it may have changed
    ///   all children.
    func takeEnded(after keys: ArraySlice<ChildKey>) -> [WorkBag] {
        var ended: [WorkBag] = []
        _ = takeEnded(of: root, at: keys, to: &ended)
        return ended
    }

    /// Returns whether the node is still needed.
    private func takeEnded(of node: Node, at keys: ArraySlice<ChildKey>, to ended: inout [WorkBag]) -> Bool {
        if let isPresent = node.isPresent, !isPresent() {
            takeAll(of: node, to: &ended)
            return false
        }
        var unneeded: [ChildKey] = []
        if let first = keys.first, first.isRow {
            if let below = node.below[first], !takeEnded(of: below, at: keys.dropFirst(), to: &ended) {
                unneeded = [first]
            }
        } else if let first = keys.first {
            for (key, below) in node.below {
                let rest = key == first ? keys.dropFirst() : []
                if !takeEnded(of: below, at: rest, to: &ended) { unneeded.append(key) }
            }
        } else {
            for below in node.below.values {
                if !takeEnded(of: below, at: keys, to: &ended), let key = below.key { unneeded.append(key) }
            }
        }
        for key in unneeded { node.below[key] = nil }
        return !node.below.isEmpty || node.works?.isEmpty == false
    }

    private func takeAll(of node: Node, to ended: inout [WorkBag]) {
        if let works = node.works { ended.append(works) }
        for node in node.below.values { takeAll(of: node, to: &ended) }
    }
}
