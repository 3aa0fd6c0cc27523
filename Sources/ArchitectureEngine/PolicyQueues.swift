package import FunctionalCore

/// A policy queue for each key, created when a work is first submitted for the key. Thread-safe.
///
/// Idle queues are removed whenever the number of queues has doubled. So there are never many more queues than were
/// busy at one time.
package final class PolicyQueues<Key: Hashable & Sendable>: Sendable {
    private struct Fields {
        var queues: [Key: PolicyQueue] = [:]
        var limit = 16
        var isClosed = false
    }

    private let policy: Policy
    private let executor: (any TaskExecutor)?
    private let onBrokenClock: @Sendable (any Error) -> Void
    private let fields = Locked(Fields())

    /// Creates a collection without queues. Each queue is created with these arguments; see `PolicyQueue`.
    package init(
        _ policy: Policy,
        executor: (any TaskExecutor)? = nil,
        onBrokenClock: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        self.policy = policy
        self.executor = executor
        self.onBrokenClock = onBrokenClock
    }

    deinit {
        close()
    }

    /// The number of queues.
    package var count: Int { fields.withLock { $0.queues.count } }

    /// Submits a work to the queue of `key`; see `PolicyQueue.submit(traced:_:)`.
    @discardableResult
    package func submit(
        for key: Key, traced submission: TracedSubmission? = nil, _ start: @escaping PolicyQueue.Start
    ) -> WorkItem {
        let work = WorkItem(submission)
        let now = policy.kind.elapsed
        // The queue accepts the work under this lock, so that it is not removed before it is busy.
        let (queue, instructions) = fields.withLock { fields in
            let queue = self.queue(for: key, at: now, &fields)
            return (queue, queue.accept(work, start, at: now))
        }
        queue.perform(instructions, submitting: work)
        return work
    }

    /// Cancels the works of `key`, those that run and those that wait. Works that are submitted later are not affected.
    package func cancel(for key: Key) {
        let queue = fields.withLock { $0.queues.removeValue(forKey: key) }
        queue?.close()
    }

    /// Closes all queues. Works that are submitted later are dropped, for any key.
    package func close() {
        let queues = fields.withLock { fields in
            fields.isClosed = true
            defer { fields.queues = [:] }
            return fields.queues
        }
        for queue in queues.values { queue.close() }
    }

    private func queue(for key: Key, at now: Duration, _ fields: inout Fields) -> PolicyQueue {
        if let queue = fields.queues[key] { return queue }
        let queue = PolicyQueue(policy, executor: executor, onBrokenClock: onBrokenClock)
        if fields.isClosed {
            queue.close()
            return queue
        }
        if fields.queues.count >= fields.limit {
            fields.queues = fields.queues.filter { !$0.value.isLikeNew(at: now) }
            fields.limit = max(16, 2 * fields.queues.count)
        }
        fields.queues[key] = queue
        return queue
    }
}
