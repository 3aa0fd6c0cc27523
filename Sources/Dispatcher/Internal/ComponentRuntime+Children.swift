import ArchitectureEngine
import Synchronization

/// The work of children. Only the draining thread may call these functions.
extension ComponentRuntime {
    /// The tree of children, or `nil` before the first work of a child. The cast does not fail: only `works(of:)` stores it.
    private var lifetimes: Lifetimes<S>? { lazyLifetimes.load() as! Lifetimes<S>? }

    /// Whether the state contains a child at a place.
    @usableFromInline
    func contains(_ child: ChildPlace<S>) -> Bool {
        core.evaluate { state in child.find(in: state) != nil }
    }

    /// Returns the works of the child that is at a place, or `nil` if the state contains none there.
    func works(of child: ChildPlace<S>) -> WorkBag? {
        hasChildWork.store(true, ordering: .relaxed)
        let lifetimes = lifetimes ?? lazyLifetimes.storeIfNil(Lifetimes<S>()) as! Lifetimes<S>
        return core.evaluate { state in lifetimes.works(of: child, in: state) }
    }

    /// Adds `work` to the works of the child that is at a place, or cancels it if the state contains none there.
    func add(_ work: Work, to child: ChildPlace<S>) {
        if let works = works(of: child) { works.add(work) } else { work.cancel() }
    }

    /// Cancels the work of children that the last change has removed or replaced, and makes its places in policies free.
    ///
    /// - Parameter child: The place that the change belongs to, or `nil` if it may have changed all children.
    @usableFromInline
    @inline(never)
    func endWork(after child: ChildPlace<S>?) {
        guard let lifetimes else { return }
        let ended = core.evaluate { state in lifetimes.takeEnded(in: state, after: child) }
        if lifetimes.isEmpty { hasChildWork.store(false, ordering: .relaxed) }
        WorkBag.close(ended)
    }
}
