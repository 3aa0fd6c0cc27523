import FunctionalCore

/// The tasks of a component. The component closes the bag when it is deallocated, which cancels the tasks.
@usableFromInline
package final class TaskBag: Sendable {
    // The work items of the running tasks by identity, or `nil` after the bag was closed.
    private let items = Locked<[ObjectIdentifier: WorkItem]?>([:])

    @usableFromInline
    package init() {}

    /// Starts a task that calls `body`, and attaches the task to `work`. If the bag is closed, cancels `work` and the
    /// task.
    package func begin(
        _ work: WorkItem, on executor: (any TaskExecutor)?, _ body: @escaping @Sendable () async -> Void
    ) {
        let isOpen = items.withLock { items in
            items?[ObjectIdentifier(work)] = work
            return items != nil
        }
        if !isOpen { work.cancel() }
        work.attach(
            Task(executorPreference: executor) { [self] in
                await body()
                _ = items.withLock { $0?.removeValue(forKey: ObjectIdentifier(work)) }
            })
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
