import ArchitectureEngine
import FunctionalCore
import Synchronization

/// What one thread at a time has, for as long as that takes. Whoever has it may take it again within.
final class Turn: Sendable {
    // Held while others are waited for; whoever waits for it then sleeps.
    private let lock = Lock()
    private let holder = Atomic<UInt>(0)

    deinit { lock.free() }

    /// Calls `body` when nobody else has the turn.
    func take(_ body: () -> Void) {
        // Only this thread can have written its own number.
        if holder.load(ordering: .relaxed) == CurrentThread.identity { return body() }
        lock.withLock {
            holder.store(CurrentThread.identity, ordering: .relaxed)
            defer { holder.store(0, ordering: .relaxed) }
            body()
        }
    }
}
