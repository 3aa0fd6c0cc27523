public import FunctionalCore
import Synchronization

/// A queue that makes calls on an actor, in the order in which they were posted.
///
/// `counterpart(on:)` creates linked queues for other actors. `flush(posts:)` of the queue that created them waits for
/// the calls of all linked queues.
///
/// A call may capture values that are not `Sendable`, if the caller of `post` does not use these values afterwards.
@usableFromInline
package final class ActorQueue: Sendable {
    private struct Fields {
        var calls: [() -> Void] = []
        /// Whether a task is going to make the calls, or is making them.
        var isUnderWay = false
    }

    private let isolation: any Actor
    private let counterparts: Counterparts
    private let fields = Locked(Fields())

    @usableFromInline
    package convenience init(of isolation: any Actor) {
        self.init(isolation, Counterparts())
    }

    private init(_ isolation: any Actor, _ counterparts: Counterparts) {
        self.isolation = isolation
        self.counterparts = counterparts
    }

    /// Returns this queue if it belongs to `isolation`. Otherwise returns a new queue that is linked with this queue.
    @usableFromInline
    package func counterpart(on isolation: any Actor) -> ActorQueue {
        isolation === self.isolation ? self : counterparts.add(ActorQueue(isolation, counterparts))
    }

    /// Whether the caller may make a call directly: it is on the main actor, this queue belongs to the main actor, and
    /// no posted call is pending.
    @usableFromInline
    package var isOpenHere: Bool {
        guard isolation === MainActor.shared, CurrentThread.isMain else { return false }
        return fields.withLock { !$0.isUnderWay }
    }

    /// Enqueues a call of `body` on the actor, after all calls that were posted before.
    ///
    /// - Parameter sender: The sender that a trace records for the messages that `body` sends. If it is `nil`, the
    ///   sender is that of `TraceCause.current`.
    @usableFromInline
    package func post(as sender: TraceEvent.Source? = nil, _ body: @escaping () -> Void) {
        if let current = TraceCause.current {
            let cause = sender.map { current.continued(by: $0) } ?? current
            enqueue { TraceCause.with(cause, body) }
        } else {
            enqueue(body)
        }
        // Counted after the call is enqueued, so that a flush that sees the new count waits for the call. If a flush
        // does not see the new count, the next flush waits for the call.
        counterparts.postCount.add(1, ordering: .sequentiallyConsistent)
    }

    private func enqueue(_ body: @escaping () -> Void) {
        let isFirst = fields.withLock { fields in
            fields.calls.append(body)
            defer { fields.isUnderWay = true }
            return !fields.isUnderWay
        }
        if isFirst { begin() }
    }

    /// Starts a task that makes the calls. It takes only the priority from the calling thread, because it also makes
    /// calls of other senders.
    private func begin() {
        if isolation === MainActor.shared {
            // The closure is isolated to the main actor, so this task starts there. The task below starts on the global
            // executor, and then switches to its actor.
            Task.detached(priority: Task.currentPriority) { @MainActor [self] in makeCalls(on: MainActor.shared) }
        } else {
            Task.detached(priority: Task.currentPriority) { [self] in await makeCalls(on: isolation) }
        }
    }

    private func makeCalls(on isolation: isolated any Actor) {
        let calls = fields.withLock { fields in
            defer { fields.calls = [] }
            return fields.calls
        }
        for call in calls { call() }
        let isMore = fields.withLock { fields in
            fields.isUnderWay = !fields.calls.isEmpty
            return fields.isUnderWay
        }
        // A new task, so that the actor can run other work between calls that post further calls.
        if isMore { begin() }
    }
}

// MARK: - Waiting

extension ActorQueue {
    /// Waits until this queue and its counterparts have made all calls that were posted before. Must not be called on a
    /// counterpart.
    ///
    /// - Parameter posts: The number of posts that earlier flushes have waited for; -1 before the first flush.
    /// - Returns: `true` if no call was posted since the last flush. In this case the function does not wait.
    /// - Throws: `CancellationError` as soon as the calling task is cancelled, even if the actor of a queue is blocked.
    package func flush(posts: inout Int) async throws -> Bool {
        let count = counterparts.postCount.load(ordering: .sequentiallyConsistent)
        if count == posts { return true }
        posts = count
        for queue in [self] + counterparts.all {
            // `enqueue` is used instead of `post`, which would increment the count.
            let isReached = Deferred<Void>()
            queue.enqueue { isReached.complete(()) }
            try await isReached.value
        }
        return false
    }
}

/// Weak references to the counterparts of a queue, and the number of calls that were posted to the queue and to them.
private final class Counterparts: Sendable {
    private struct Reference {
        weak var queue: ActorQueue?
    }

    private struct Fields {
        var references: [Reference] = []
        /// The number of references at which the next addition removes the references to deallocated queues.
        var limit = 8
    }

    let postCount = Atomic(0)
    private let fields = Locked(Fields())

    func add(_ queue: ActorQueue) -> ActorQueue {
        let left = fields.withLock { fields in
            var left: [ActorQueue] = []
            if fields.references.count == fields.limit {
                left = fields.references.compactMap(\.queue)
                fields.references = left.map { Reference(queue: $0) }
                fields.limit = max(8, 2 * left.count)
            }
            fields.references.append(Reference(queue: queue))
            return left
        }
        // These queues are released outside of the lock, because a queue may have the last reference to an actor.
        withExtendedLifetime(left) {}
        return queue
    }

    var all: [ActorQueue] {
        fields.withLock { $0.references.compactMap(\.queue) }
    }
}
