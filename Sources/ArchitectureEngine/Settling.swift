internal import FunctionalCore
import Synchronization

/// Whether finite work is under way, and the callers that wait until there is none.
///
/// Only the owner can tell whether its queue is empty. So it is asked to enqueue a message, which calls the check with
/// whether the queue is empty.
@usableFromInline
package final class Settling: Sendable {
    /// Enqueues a message of the owner that calls the check. May be called from any thread.
    ///
    /// The closure captures the owner weakly: the work of handlers retains this object, and may outlive the owner.
    package typealias Enqueue = @Sendable (_ check: @escaping (_ isQueueEmpty: Bool) -> Void) -> Void

    private struct Fields {
        var enqueue: Enqueue = { _ in }
        var activeCount = 0
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
        var nextWaiter = 0
        var isCheckEnqueued = false
        var isClosed = false

        /// Whether a check must be enqueued now.
        mutating func isCheckDue() -> Bool {
            guard activeCount == 0, !waiters.isEmpty, !isCheckEnqueued, !isClosed else { return false }
            isCheckEnqueued = true
            return true
        }

        mutating func takeWaiters() -> [CheckedContinuation<Void, any Error>] {
            defer { waiters = [:] }
            return Array(waiters.values)
        }
    }

    private let fields = Locked(Fields())

    @usableFromInline
    package init() {}

    /// Sets how a check is enqueued.
    package func setEnqueue(_ enqueue: @escaping Enqueue) {
        fields.withLock { $0.enqueue = enqueue }
    }

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
    /// - Throws: `CancellationError` if the calling task is cancelled.
    package func wait(flushing queue: ActorQueue?) async throws {
        try await wait()
        guard let queue else { return }
        var posts = -1
        while await !queue.flush(posts: &posts) { try await wait() }
    }

    /// Waits until no finite work is under way and the queue is empty, or until the owner is closed.
    ///
    /// - Throws: `CancellationError` if the calling task is cancelled.
    package func wait() async throws {
        let waiter = fields.withLock { fields in
            defer { fields.nextWaiter += 1 }
            return fields.nextWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (isWaiting, isCheckDue) = fields.withLock { fields in
                    // Set before the handler of a cancellation runs, which looks for the waiter under the lock.
                    if fields.isClosed || Task.isCancelled { return (false, false) }
                    fields.waiters[waiter] = continuation
                    return (true, fields.isCheckDue())
                }
                if isCheckDue { enqueueCheck() }
                if isWaiting { return }
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else {
                    continuation.resume()
                }
            }
        } onCancel: {
            let cancelled = fields.withLock { $0.waiters.removeValue(forKey: waiter) }
            cancelled?.resume(throwing: CancellationError())
        }
    }

    private func enqueueCheck() {
        let enqueue = fields.withLock { $0.enqueue }
        enqueue { [self] isQueueEmpty in if resumeIfSettled(isQueueEmpty: isQueueEmpty) { enqueueCheck() } }
    }

    /// The check: resumes the waiting callers if no finite work is under way. Returns whether to enqueue another check,
    /// because the queue is not empty.
    package func resumeIfSettled(isQueueEmpty: Bool) -> Bool {
        let resumed: [CheckedContinuation<Void, any Error>]? = fields.withLock { fields in
            if fields.activeCount == 0, !fields.waiters.isEmpty, !isQueueEmpty { return nil }
            fields.isCheckEnqueued = false
            return fields.activeCount == 0 ? fields.takeWaiters() : []
        }
        guard let resumed else { return true }
        for waiter in resumed { waiter.resume() }
        return false
    }

    /// Resumes the waiting callers and lets no other one wait: the owner has ended.
    package func close() {
        let resumed = fields.withLock { fields in
            fields.isClosed = true
            return fields.takeWaiters()
        }
        for waiter in resumed { waiter.resume() }
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
