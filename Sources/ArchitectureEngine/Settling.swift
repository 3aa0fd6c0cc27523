internal import FunctionalCore
import Synchronization

/// The number of finite works that are under way, and the callers that wait until there are none.
///
/// Only the owner knows whether its queue is empty. So the owner enqueues a message that calls the check and passes it
/// this information. Copies share the same works and the same callers.
@usableFromInline
package struct Settling: Sendable {
    /// A function that enqueues a message of the owner. The message calls `check`. May be called from any thread.
    ///
    /// The closure captures the owner weakly: the work of handlers retains this object, and may outlive the owner.
    package typealias Enqueue = @Sendable (_ check: @escaping (_ isQueueEmpty: Bool) -> Void) -> Void

    private struct Fields {
        /// Set by the first caller that waits, because most owners never have such a caller.
        var enqueue: Enqueue?
        var activeCount = 0
        /// The end for which callers wait, or `nil` if no caller waits. The next check that finds no work completes it.
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

    /// Begins a finite work, such as a workflow, a request or an asynchronous handler. May be called from any thread.
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

    /// Waits until no finite work is under way and the queue is empty, or until the owner is closed. If `queue` is not
    /// `nil`, also waits until this queue and its counterparts have notified their observers.
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

    /// Resumes the waiting callers if no finite work is under way and the queue is empty. Returns whether the caller
    /// must enqueue another check, because the queue is not empty.
    package func resumeIfSettled(isQueueEmpty: Bool) -> Bool {
        let (end, isRepeated): (Deferred<Void>?, Bool) = fields.withLock { fields in
            if fields.activeCount == 0, fields.end != nil, !isQueueEmpty { return (nil, true) }
            fields.isCheckEnqueued = false
            return (fields.activeCount == 0 ? fields.takeEnd() : nil, false)
        }
        end?.complete(())
        return isRepeated
    }

    /// Resumes the waiting callers, because the owner has ended. Later callers do not wait.
    package func close() {
        let end = fields.withLock { fields in
            fields.isClosed = true
            return fields.takeEnd()
        }
        end?.complete(())
    }
}

/// A work that ends by itself. It ends at the latest when this object is deallocated. Thread-safe.
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

    /// Stops counting the work until `resume()`, because it waits for a stream that may never end.
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
