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
    private var cancellation: (@Sendable (Work) -> Void)?
    private var isFinished = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    /// Where it waits in its lane, under whose lock this is touched.
    var place = 0

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
        onCancel { _ in task.cancel() }
    }

    /// Has `body` called by whoever cancels the work, in place of what was called before; at once if it is cancelled
    /// already. It may be called twice.
    package func onCancel(_ body: @escaping @Sendable (Work) -> Void) {
        // What the replaced one holds is let go of outside of the lock.
        _ = lock.withLock {
            defer { cancellation = isFinished ? nil : body }
            return cancellation
        }
        if isSet { body(self) }
    }

    /// Asks the work to stop. Any thread; returns at once.
    package func cancel() {
        if isStopped.exchange(true, ordering: .acquiringAndReleasing) { return }
        lock.withLock { cancellation }?(self)
    }

    /// The work is done; who waits for it goes on.
    @usableFromInline
    package func finish() {
        // What the cancellation holds is let go of outside of the lock.
        let (released, _) = lock.withLock {
            isFinished = true
            defer { (waiters, cancellation) = ([], nil) }
            return (waiters, cancellation)
        }
        for waiter in released { waiter.resume() }
    }

    /// The work will not be done.
    func drop() {
        cancel()
        finish()
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
