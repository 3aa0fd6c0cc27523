internal import FunctionalCore

/// Whether finite work is under way, and the callers that wait until there is none.
///
/// Only the owner can tell whether its queue is empty. So it is asked to enqueue a check, a message that calls the check
/// with whether the queue is empty.
///
/// Unchecked: everything mutable is used under the lock, except `enqueue`, which the owner sets before it shares this.
@usableFromInline
package final class Settling: @unchecked Sendable {
    /// The settling of the loop that is connecting its effect handler on the current thread. A router takes it along for
    /// the work of its handlers.
    @TaskLocal package static var connecting: Settling?

    /// Enqueues a message of the owner that calls the check. May be called from any thread.
    ///
    /// It captures the owner weakly: the work of handlers retains this object, and may outlive the owner.
    package var enqueue: @Sendable (_ check: @escaping (_ isQueueEmpty: Bool) -> Void) -> Void = { _ in }

    private let lock = Locked()
    private var activeCount = 0
    private var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
    private var nextWaiter = 0
    private var isCheckEnqueued = false
    private var isClosed = false

    @usableFromInline
    package init() {}

    /// Begins some finite work: a workflow, a request, an asynchronous handler. May be called from any thread.
    package func begin() -> FiniteWork {
        FiniteWork(self)
    }

    fileprivate func exchange(_ phase: inout FiniteWork.Phase, for other: FiniteWork.Phase) {
        let isCheckDue = lock.withLock {
            if phase == .ended { return false }
            if phase == .active { activeCount -= 1 }
            if other == .active { activeCount += 1 }
            phase = other
            return self.isCheckDue()
        }
        if isCheckDue { enqueueCheck() }
    }

    /// Under the lock.
    private func isCheckDue() -> Bool {
        guard activeCount == 0, !waiters.isEmpty, !isCheckEnqueued, !isClosed else { return false }
        isCheckEnqueued = true
        return true
    }

    /// Waits until no finite work is under way and the queue is empty, or until the owner is closed. With a actorQueue, also
    /// until it has notified the observers on actors.
    ///
    /// - Throws: `CancellationError` if the calling task is cancelled.
    package func wait(flushing actorQueue: ActorQueue?) async throws {
        try await wait()
        guard let actorQueue else { return }
        var posts = -1
        while await !actorQueue.flush(posts: &posts) { try await wait() }
    }

    /// Waits until no finite work is under way and the queue is empty, or until the owner is closed.
    ///
    /// - Throws: `CancellationError` if the calling task is cancelled.
    package func wait() async throws {
        let waiter = lock.withLock {
            defer { nextWaiter += 1 }
            return nextWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                var isCheckDue = false
                let isWaiting = lock.withLock {
                    // Set before the handler of a cancellation runs, which looks for the waiter under the lock.
                    if isClosed || Task.isCancelled { return false }
                    waiters[waiter] = continuation
                    isCheckDue = self.isCheckDue()
                    return true
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
            let cancelled = lock.withLock { waiters.removeValue(forKey: waiter) }
            cancelled?.resume(throwing: CancellationError())
        }
    }

    private func enqueueCheck() {
        enqueue { [self] isQueueEmpty in if resumeIfSettled(isQueueEmpty: isQueueEmpty) { enqueueCheck() } }
    }

    /// The check: resumes the waiting callers if no finite work is under way. Returns whether to enqueue another check,
    /// because the queue is not empty.
    package func resumeIfSettled(isQueueEmpty: Bool) -> Bool {
        let resumed: [CheckedContinuation<Void, any Error>]? = lock.withLock {
            if activeCount == 0, !waiters.isEmpty, !isQueueEmpty { return nil }
            isCheckEnqueued = false
            return activeCount == 0 ? takeWaiters() : []
        }
        guard let resumed else { return true }
        for waiter in resumed { waiter.resume() }
        return false
    }

    /// Resumes the waiting callers and lets no other one wait: the owner has ended.
    package func close() {
        let resumed = lock.withLock {
            isClosed = true
            return takeWaiters()
        }
        for waiter in resumed { waiter.resume() }
    }

    /// Under the lock.
    private func takeWaiters() -> [CheckedContinuation<Void, any Error>] {
        defer { waiters = [:] }
        return Array(waiters.values)
    }
}

/// Some work that ends by itself, while it is under way. It ends when it is deallocated, at the latest.
///
/// May be used from any thread. Unchecked: the phase is used under the lock of `settling`.
package final class FiniteWork: @unchecked Sendable {
    private let settling: Settling
    private var phase = Phase.paused

    fileprivate enum Phase { case active, paused, ended }

    fileprivate init(_ settling: Settling) {
        self.settling = settling
        settling.exchange(&phase, for: .active)
    }

    deinit { end() }

    /// Does not count the work until `resume()`: it waits for a stream, which may never end.
    package func pause() {
        settling.exchange(&phase, for: .paused)
    }

    package func resume() {
        settling.exchange(&phase, for: .active)
    }

    package func end() {
        settling.exchange(&phase, for: .ended)
    }
}
