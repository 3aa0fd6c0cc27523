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

    private let fields = Locked(Fields())

    @usableFromInline
    package init() {}

    /// Begins finite work, such as a workflow, a request or an asynchronous handler. May be called from any thread.
    package func begin() -> FiniteWork {
        FiniteWork(self)
    }

    /// Changes the phase of finite work, unless the work has ended, and updates the count. Enqueues a check if one is
    /// due.
    fileprivate func exchange(_ phase: borrowing Atomic<UInt8>, for new: UInt8) {
        let isCheckDue = fields.withLock { fields in
            // Only this function accesses the phase, and it does so under the lock.
            let old = phase.load(ordering: .relaxed)
            if old == FiniteWork.ended { return false }
            if old == FiniteWork.active { fields.activeCount -= 1 }
            if new == FiniteWork.active { fields.activeCount += 1 }
            phase.store(new, ordering: .relaxed)
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

/// Work that ends by itself, such as a workflow. `Settling` counts the work while it is neither paused nor ended.
/// Deallocating this object counts as the end of the work. Thread-safe.
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

    /// Stops counting this work until `resume()` is called. Used while the work waits for a stream that may never end.
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
