package import FunctionalCore
import Synchronization

/// A queue of work items, or a collection of queues by key.
package protocol WorkQueue: AnyObject, Sendable {
    /// Whether no work item is running or waiting.
    var isIdle: Bool { get }
    /// Submits a work item. A single queue ignores the key.
    @discardableResult
    func submit(
        _ work: Work, for key: [AnyKey], in context: @autoclosure () -> SendContext,
        _ start: @escaping PolicyQueue.Start
    ) -> Work
}

extension PolicyQueue: WorkQueue {
    package func submit(
        _ work: Work, for key: [AnyKey], in context: @autoclosure () -> SendContext, _ start: @escaping Start
    ) -> Work {
        submit(work, in: context(), start)
    }
}

/// A collection of policy queues by key. A queue is created when a work item is submitted for a key that has no queue.
/// Thread-safe.
///
/// When the number of queues has doubled since the last removal, the queues that behave like new ones are removed. So
/// the number of queues stays proportional to the number that were busy at the same time.
package final class PolicyQueues: WorkQueue {
    private let policy: Policy
    private let executor: (any TaskExecutor)?
    private let inTurn: PolicyQueue.Turn
    private let queues = KeyTable<[AnyKey], PolicyQueue>()
    private let isClosed = Atomic<Bool>(false)

    /// Creates a collection without queues. Each queue is created with these arguments; see `PolicyQueue`.
    package init(
        _ policy: Policy, executor: (any TaskExecutor)? = nil, inTurn: @escaping PolicyQueue.Turn = { $0() }
    ) {
        self.policy = policy
        self.executor = executor
        self.inTurn = inTurn
    }

    deinit {
        close()
    }

    /// The number of queues.
    package var count: Int { queues.count }

    /// Whether no work item is running or waiting. O(n) in the number of idle queues before the first busy one.
    package var isIdle: Bool { !queues.contains { !$0.isIdle } }

    /// Submits a work item to the queue of `key`; see `PolicyQueue.submit(_:in:_:)`.
    @discardableResult
    package func submit(
        _ work: Work = Work(), for key: [AnyKey], in context: @autoclosure () -> SendContext = SendContext(),
        _ start: @escaping PolicyQueue.Start
    ) -> Work {
        let now = policy.kind.elapsed
        let isIdle = { (queue: PolicyQueue) in queue.isLikeNew(at: now) }
        // The queue accepts the work item under the lock of the table, so that the queue is not removed before it is
        // busy.
        let (queue, instructions) = queues.update(key, removing: isIdle) { entry in
            let queue = entry ?? PolicyQueue(policy, executor: executor, inTurn: inTurn)
            if entry == nil {
                // Only a new queue is closed here, because closing a busy queue runs code of the user. `close()` closes
                // the others.
                if isClosed.load(ordering: .relaxed) { queue.close() } else { entry = queue }
            }
            return (queue, queue.accept(work, in: context, start, at: now))
        }
        queue.perform(instructions, submitting: work)
        return work
    }

    /// Cancels the running and the waiting work items of `key`. Work items that are submitted later are not affected.
    package func cancel(for key: [AnyKey]) {
        queues.update(key) { queue in queue.take() }?.close()
    }

    /// Flushes the queues whose key begins with `id`, or all queues if it is `nil`, in the order of their creation; see
    /// `PolicyQueue.flush()`. O(n log n) in the number of queues.
    package func flush(_ id: AnyKey? = nil) {
        guard policy.isTimed else { return }
        for queue in queues.values(where: { id == nil || $0.first == id }) { queue.flush() }
    }

    /// Closes all queues. Work items that are submitted later are dropped, for any key.
    package func close() {
        // Submissions read the flag under the lock of the table, which `removeAll()` takes after this store.
        isClosed.store(true, ordering: .relaxed)
        for queue in queues.removeAll() { queue.close() }
    }
}
