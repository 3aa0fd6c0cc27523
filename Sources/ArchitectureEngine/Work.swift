public import FunctionalCore

/// What one message started and what may still be going on: a task that can be cancelled, and waited for.
///
/// Unchecked: everything but the flag is touched under the lock.
@usableFromInline
package final class Work: @unchecked Sendable {
    /// Set by `cancel`; there before the task is.
    @usableFromInline package let stop = StopFlag()
    private let lock = Lock()
    private var task: Task<Void, Never>?
    private var isFinished = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    package init() {}

    deinit { lock.free() }

    @usableFromInline
    package var isCancelled: Bool { stop.isSet }

    /// Hands the task over that does the work. A cancellation that came before it reaches it all the same.
    package func attach(_ task: Task<Void, Never>) {
        lock.withLock { self.task = isFinished ? nil : task }
        if stop.isSet { task.cancel() }
    }

    /// Asks the work to stop. Any thread; returns at once.
    package func cancel() {
        guard stop.set() else { return }
        lock.withLock { task }?.cancel()
    }

    /// The work is done; who waits for it goes on.
    @usableFromInline
    package func finish() {
        let released = lock.withLock {
            isFinished = true
            task = nil
            defer { waiters = [] }
            return waiters
        }
        for waiter in released { waiter.resume() }
    }

    /// Waits until the work is done.
    package func finished() async {
        await withCheckedContinuation { waiter in
            let isFinished = lock.withLock {
                if !self.isFinished { waiters.append(waiter) }
                return self.isFinished
            }
            if isFinished { waiter.resume() }
        }
    }
}
