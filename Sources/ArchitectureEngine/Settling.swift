internal import FunctionalCore
import Synchronization

/// The count of the finite work of a runtime, and the callers that wait until the runtime has settled: its queue is
/// empty, and no finite work is under way.
///
/// Only the runtime knows whether its queue is empty. So a check is a message in this queue: in its turn, the runtime
/// calls the check and passes whether the queue is empty. Copies of this value share the count and the callers.
@usableFromInline
package struct Settling: Sendable {
    /// A function that enqueues a message of the runtime. The message calls `check`. May be called from any thread.
    ///
    /// The function captures the runtime weakly, because finite work retains the function and may outlive the runtime.
    package typealias Enqueue = @Sendable (_ check: @escaping (_ isQueueEmpty: Bool) -> Void) -> Void

    private struct Fields {
        /// The function that enqueues a check. It is `nil` until the first caller waits, because most runtimes never
        /// have such a caller.
        var enqueue: Enqueue?
        var activeCount = 0
        /// The cell for which the callers wait, or `nil` if no caller waits. A check completes it if the runtime has
        /// settled.
        var end: Deferred<Void>?
        var isCheckEnqueued = false
        var isClosed = false
        var priority: UInt8 = 0

        /// Returns whether the caller must enqueue a check, and if so, records that a check is enqueued.
        mutating func isCheckDue() -> Bool {
            guard activeCount == 0, end != nil, !isCheckEnqueued, !isClosed else { return false }
            isCheckEnqueued = true
            return true
        }

        mutating func takeEnd() -> Deferred<Void>? {
            defer { end = nil }
            return end
        }
    }

    /// The phase of a work. A work that has ended keeps this phase.
    enum Phase {
        static var uncounted: UInt8 { 0 }
        static var paused: UInt8 { 1 }
        static var active: UInt8 { 2 }
        static var ended: UInt8 { 3 }
    }

    private let fields = Locked(Fields())

    @usableFromInline
    package init() {}

    /// The priority of the message whose effects a loop is passing to its handler, or 0 if its sender is processing it.
    /// The handler of a loop does not know the runtime, but shares this value.
    package var priority: UInt8 {
        get { fields.withLock { $0.priority } }
        nonmutating set { fields.withLock { $0.priority = newValue } }
    }

    /// Changes the phase of a work, unless the work has ended, and updates the count. Enqueues a check if one is due.
    /// May be called from any thread.
    func exchange(_ phase: borrowing Atomic<UInt8>, for new: UInt8) {
        let isCheckDue = fields.withLock { fields in
            // Except for the end of an uncounted work, the phase changes under the lock.
            let old = phase.exchange(new, ordering: .relaxed)
            if old == Phase.ended {
                phase.store(Phase.ended, ordering: .relaxed)
                return false
            }
            if old == Phase.active { fields.activeCount -= 1 }
            if new == Phase.active { fields.activeCount += 1 }
            return fields.isCheckDue()
        }
        if isCheckDue { enqueueCheck() }
    }

    /// Waits until no finite work is under way and the queue of the runtime is empty, or until `close()` is called. If
    /// `queue` is not `nil`, also waits until it and its counterparts have made all calls that were posted.
    ///
    /// - Parameter enqueue: Enqueues a check. All callers pass closures that do the same.
    /// - Throws: `CancellationError` if the calling task is cancelled.
    package func wait(flushing queue: ActorQueue?, enqueue: @escaping Enqueue) async throws {
        try await wait(enqueue: enqueue)
        guard let queue else { return }
        var posts = -1
        while try await !queue.flush(posts: &posts) { try await wait(enqueue: enqueue) }
    }

    /// Waits until no finite work is under way and the queue of the runtime is empty, or until `close()` is called.
    ///
    /// - Throws: `CancellationError` if the calling task is cancelled.
    package func wait(enqueue: @escaping Enqueue) async throws {
        try Task.checkCancellation()
        let (end, isCheckDue): (Deferred<Void>?, Bool) = fields.withLock { fields in
            if fields.isClosed { return (nil, false) }
            let end = fields.end ?? Deferred()
            fields.end = end
            if fields.enqueue == nil { fields.enqueue = enqueue }
            return (end, fields.isCheckDue())
        }
        if isCheckDue { enqueueCheck() }
        try await end?.value
    }

    private func enqueueCheck() {
        let enqueue = fields.withLock { $0.enqueue }
        enqueue? { [self] isQueueEmpty in if resumeIfSettled(isQueueEmpty: isQueueEmpty) { enqueueCheck() } }
    }

    /// Resumes the waiting callers if no finite work is under way and the queue of the runtime is empty. Returns
    /// whether another check must be enqueued: callers wait and no finite work is under way, but the queue is not
    /// empty.
    package func resumeIfSettled(isQueueEmpty: Bool) -> Bool {
        let (end, isRepeated): (Deferred<Void>?, Bool) = fields.withLock { fields in
            if fields.activeCount == 0, fields.end != nil, !isQueueEmpty { return (nil, true) }
            fields.isCheckEnqueued = false
            return (fields.activeCount == 0 ? fields.takeEnd() : nil, false)
        }
        end?.complete(())
        return isRepeated
    }

    /// Resumes the waiting callers, because the loop has ended. Later callers do not wait.
    package func close() {
        let end = fields.withLock { fields in
            fields.isClosed = true
            return fields.takeEnd()
        }
        end?.complete(())
    }
}
