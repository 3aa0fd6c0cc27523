import ArchitectureEngine
import FunctionalCore
import Synchronization

/// A lock that its holder may take again, and that is held while handlers and views are called. Thread-safe.
///
/// A deadlock, in which each thread waits for a lock that the next thread holds, traps with a message.
final class RecursiveLock: Sendable {
    // A lock whose waiting threads sleep, because handlers and views may take long.
    private let lock = Locked()
    private let holder = Atomic<UInt>(0)
    /// The type that the message about a deadlock names.
    private let owner: Any.Type

    init(owner: Any.Type) {
        self.owner = owner
    }

    /// Whether the calling thread holds the lock.
    var isTakenHere: Bool {
        // Only the calling thread can have stored its own identity.
        holder.load(ordering: .relaxed) == CurrentThread.identity
    }

    /// Calls `body` while no other thread holds the lock.
    func take(_ body: () -> Void) {
        if isTakenHere { return body() }
        expect()
        hold(isExpected: true, body)
    }

    /// Registers that the calling thread waits for the lock from now on. Traps if the wait would be a deadlock.
    func expect() {
        if !LockWaits.begin(for: { [self] in holder.load(ordering: .relaxed) }) {
            programmerError(
                """
                \(owner) was started or stopped by a handler, a view or an update that it is itself waiting for. \
                Neither would ever end. \
                To fix, stop the other controller by stopAndWait() in a task, which blocks no thread.
                """
            )
        }
    }

    /// Calls `body` while holding the lock. If the calling thread holds another `RecursiveLock`, it must call
    /// `expect()` first.
    ///
    /// - Parameter isExpected: Whether `expect()` was called for this call.
    func hold(isExpected: Bool = false, _ body: () -> Void) {
        if isTakenHere { return body() }
        lock.withLock {
            if isExpected { LockWaits.end() }
            holder.store(CurrentThread.identity, ordering: .relaxed)
            defer { holder.store(0, ordering: .relaxed) }
            body()
        }
    }
}
