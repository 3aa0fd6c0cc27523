import ArchitectureEngine
import Synchronization

/// The work of children. Only the draining thread may call these functions.
extension ComponentRuntime {
    /// Whether the state contains a child at a place.
    @usableFromInline
    func contains(_ child: ChildPlace<S>) -> Bool {
        core.evaluate { state in child.find(in: state) != nil }
    }

    /// Returns the works of the child that is at a place, or `nil` if the state contains none there.
    func works(of child: ChildPlace<S>) -> WorkBag? {
        if child.hasEnded { return nil }
        hasChildWork.store(true, ordering: .relaxed)
        let lifetimes = lazyLifetimes.load() ?? lazyLifetimes.storeIfNil(Lifetimes())
        return lifetimes.works(at: child.keys) { [core] in
            guard let isPresent = core.evaluate({ state in child.find(in: state) }) else { return nil }
            return { core.evaluate(isPresent) }
        }
    }

    /// Cancels the work of children that the last change has removed or replaced, and makes its places in policies free.
    ///
    /// - Parameter child: The place that the change belongs to, or `nil` if it may have changed all children.
    @usableFromInline
    @inline(never)
    func endWork(after child: ChildPlace<S>?) {
        guard let lifetimes = lazyLifetimes.load() else { return }
        var keys: ArraySlice<ChildKey> = []
        if let child { keys = child.keys.dropLast(child.openKeyCount) }
        let ended = lifetimes.takeEnded(after: keys)
        if lifetimes.isEmpty { hasChildWork.store(false, ordering: .relaxed) }
        WorkBag.close(ended)
    }
}
