internal import FunctionalCore
import Synchronization

/// Whether finite work is under way, and the callers that wait until there is none.
///
/// Only the owner can tell whether its queue is empty. So it is asked to enqueue a message, which calls the check with
/// whether the queue is empty. A copy denotes the same work and the same callers.
@usableFromInline
package struct Settling: Sendable {
    /// Enqueues a message of the owner that calls the check. May be called from any thread.
    ///
    /// The closure captures the owner weakly: the work of handlers retains this object, and may outlive the owner.
    package typealias Enqueue = @Sendable (_ check: @escaping (_ isQueueEmpty: Bool) -> Void) -> Void

    private struct Fields {
        /// From the first caller that waits: most owners are never waited for.
        var enqueue: Enqueue?
        var activeCount = 0
        /// Completed by the next check that finds nothing left to do. `nil` if no caller waits for one.
        var end: Deferred<Void>?
        var isCheckEnqueued = false
        var isClosed = false

        /// Whether a check must be enqueued now.
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

    private let fields = Locked(Fields())

    @usableFromInline
    package init() {}

    /// Begins some finite work: a workflow, a request, an asynchronous handler. May be called from any thread.
    package func begin() -> FiniteWork {
        FiniteWork(self)
    }

    /// Changes the phase of a work.
    fileprivate func exchange(_ phase: borrowing Atomic<UInt8>, for new: UInt8) {
        let isCheckDue = fields.withLock { fields in
            // Only this function accesses the phase, under the lock.
            let old = phase.load(ordering: .relaxed)
            if old == FiniteWork.ended { return false }
            if old == FiniteWork.active { fields.activeCount -= 1 }
            if new == FiniteWork.active { fields.activeCount += 1 }
            phase.store(new, ordering: .relaxed)
            return fields.isCheckDue()
        }
        if isCheckDue { enqueueCheck() }
    }

    /// Waits until no finite work is under way and the queue is empty, or until the owner is closed. With a queue, also
    /// until that queue and its counterparts have notified their observers.
    ///
    /// - Parameter enqueue: Enqueues a check. All callers pass closures that do the same.
    /// - Throws: `CancellationError` if the calling task is cancelled.
    package func wait(flushing queue: ActorQueue?, enqueue: @escaping Enqueue) async throws {
        try await wait(enqueue: enqueue)
        guard let queue else { return }
        var posts = -1
        while try await !queue.flush(posts: &posts) { try await wait(enqueue: enqueue) }
    }

    /// Waits until no finite work is under way and the queue is empty, or until the owner is closed.
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

    /// The check: resumes the waiting callers if no finite work is under way. Returns whether to enqueue another check,
    /// because the queue is not empty.
    package func resumeIfSettled(isQueueEmpty: Bool) -> Bool {
        let (end, isRepeated): (Deferred<Void>?, Bool) = fields.withLock { fields in
            if fields.activeCount == 0, fields.end != nil, !isQueueEmpty { return (nil, true) }
            fields.isCheckEnqueued = false
            return (fields.activeCount == 0 ? fields.takeEnd() : nil, false)
        }
        end?.complete(())
        return isRepeated
    }

    /// Resumes the waiting callers and lets no other one wait: the owner has ended.
    package func close() {
        let end = fields.withLock { fields in
            fields.isClosed = true
            return fields.takeEnd()
        }
        end?.complete(())
    }
}

/// Some work that ends by itself, while it is under way. It ends when it is deallocated, at the latest. May be used
/// from any thread.
package final class FiniteWork: Sendable {
    private let settling: Settling
    private let phase = Atomic<UInt8>(FiniteWork.paused)

    fileprivate static var paused: UInt8 { 0 }
    fileprivate static var active: UInt8 { 1 }
    fileprivate static var ended: UInt8 { 2 }

    fileprivate init(_ settling: Settling) {
        self.settling = settling
        resume()
    }

    deinit { end() }

    /// Does not count the work until `resume()`: it waits for a stream, which may never end.
    package func pause() {
        settling.exchange(phase, for: FiniteWork.paused)
    }

    package func resume() {
        settling.exchange(phase, for: FiniteWork.active)
    }

    package func end() {
        settling.exchange(phase, for: FiniteWork.ended)
    }
}
