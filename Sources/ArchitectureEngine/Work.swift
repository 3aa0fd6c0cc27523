public import FunctionalCore
import Synchronization

/// What one message started and what may still be going on: a task that can be cancelled, and waited for.
///
/// It is what stops the run, too, which exists before the task does: whoever attaches the task looks again whether to stop.
///
/// Unchecked: what is not atomic is touched under a lock. There may be very many works, each locked once or twice, so
/// they share a few locks.
@usableFromInline
package final class Work: StopSignal, @unchecked Sendable {
    private let isStopped = Atomic<Bool>(false)
    private var task: Task<Void, Never>?
    private var isFinished = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    private static let locks = (0..<64).map { _ in Lock() }

    private var lock: Lock {
        // Objects are aligned to 16 bytes, and works of one size lie more than that apart.
        Self.locks[Int(bitPattern: Unmanaged.passUnretained(self).toOpaque()) >> 6 & 63]
    }

    @usableFromInline
    package init() {}

    @usableFromInline
    package var isSet: Bool { isStopped.load(ordering: .acquiring) }

    /// Hands the task over that does the work. A cancellation that came before it reaches it all the same.
    package func attach(_ task: Task<Void, Never>) {
        lock.withLock { self.task = isFinished ? nil : task }
        if isSet { task.cancel() }
    }

    /// Asks the work to stop. Any thread; returns at once.
    package func cancel() {
        if isStopped.exchange(true, ordering: .acquiringAndReleasing) { return }
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
