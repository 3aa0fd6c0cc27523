import ArchitectureEngine
import FunctionalCore

/// A base class that is not generic, because creating a component would look up the metadata of a generic field.
class AnyLifetimes: @unchecked Sendable {}

/// The children that have work under way, as a tree by the keys of their places.
///
/// A child is in the tree from the moment at which work of it must wait until this work has ended, or until a change
/// has removed or replaced the child. So at any time, at most one child of each place is in the tree.
///
/// Unchecked: only the draining thread uses the tree.
final class Lifetimes<S>: AnyLifetimes, @unchecked Sendable {
    private final class Node {
        /// Tells whether a state contains the child. `nil` if the node is only on the way to others.
        var isPresent: Presence<S>?
        /// The works of the child, or `nil` if the node is only on the way to others.
        var works: WorkBag?
        var below: [ChildKey: Node] = [:]
        let key: ChildKey?

        init(_ key: ChildKey? = nil) {
            self.key = key
        }
    }

    private let root = Node()

    override init() {}

    /// Whether no child has work under way. May be `false` for a while after the last such work has ended.
    var isEmpty: Bool { root.below.isEmpty }

    /// Returns the works of the child that `state` contains at a place, or `nil` if it contains none.
    func works(of place: ChildPlace<S>, in state: S) -> WorkBag? {
        let keys = place.keys
        var node: Node? = root
        for key in keys { node = node?.below[key] }
        if let works = node?.works { return works }
        guard let isPresent = place.find(in: state) else { return nil }
        let new = keys.reduce(root) { node, key in
            let next = node.below[key] ?? Node(key)
            node.below[key] = next
            return next
        }
        let works = WorkBag()
        (new.isPresent, new.works) = (isPresent, works)
        return works
    }

    /// Returns the works of the children that `state` no longer contains, and removes these children and those that
    /// have no work under way.
    ///
    /// A change of a row leaves the other rows of its list as they are, so they are not looked for. Other places may
    /// overlap.
    ///
    /// - Parameter place: The place that the last change belongs to, or `nil` if it may have changed all children.
    func takeEnded(in state: S, after place: ChildPlace<S>?) -> [WorkBag] {
        var ended: [WorkBag] = []
        let keys: ArraySlice<ChildKey> = place.map { $0.keys.dropLast($0.openKeyCount) } ?? []
        _ = takeEnded(of: root, in: state, at: keys, to: &ended)
        return ended
    }

    /// Returns whether the node is still needed.
    private func takeEnded(
        of node: Node, in state: S, at keys: ArraySlice<ChildKey>, to ended: inout [WorkBag]
    ) -> Bool {
        if let isPresent = node.isPresent, !isPresent(state) {
            takeAll(of: node, to: &ended)
            return false
        }
        var unneeded: [ChildKey] = []
        if let key = keys.first, key.isRow {
            let isNeeded =
                node.below[key].map { takeEnded(of: $0, in: state, at: keys.dropFirst(), to: &ended) } ?? true
            if !isNeeded { unneeded = [key] }
        } else {
            for below in node.below.values {
                let rest = !keys.isEmpty && below.key == keys.first ? keys.dropFirst() : []
                if !takeEnded(of: below, in: state, at: rest, to: &ended), let key = below.key { unneeded.append(key) }
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
