import FunctionalCore

/// The tasks of a component. The component closes the bag when it is deallocated, which cancels the tasks.
@usableFromInline
package final class TaskBag: Sendable {
    // The works of the running tasks by identity, or `nil` after the bag was closed.
    private let items = Locked<[ObjectIdentifier: Work]?>([:])

    @usableFromInline
    package init() {}

    /// Starts a task that does `work` by calling `body`; see `Work.startTask`. If the bag is closed, cancels
    /// `work`.
    package func begin(
        _ work: Work, in context: @autoclosure () -> SendContext, on executor: (any TaskExecutor)?,
        _ body: @escaping @Sendable () async -> Void
    ) {
        let isOpen = items.withLock { items in
            items?[ObjectIdentifier(work)] = work
            return items != nil
        }
        if !isOpen { work.cancel() }
        work.startTask(in: context(), on: executor) { [self] in
            await body()
            _ = items.withLock { $0?.removeValue(forKey: ObjectIdentifier(work)) }
        }
    }

    /// Cancels all tasks. Tasks that begin later are cancelled at once.
    package func close() {
        let cancelled = items.withLock { items in
            defer { items = nil }
            return items
        }
        for work in (cancelled ?? [:]).values { work.cancel() }
    }
}
