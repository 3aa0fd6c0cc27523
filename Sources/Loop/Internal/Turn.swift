import ArchitectureEngine
import FunctionalCore
import Synchronization

/// A lock that its holder may take again, held while handlers and views are called.
///
/// Threads that would wait for each other for ever, each with a turn that the next one waits for, trap with a message.
final class Turn: Sendable {
    // Held while others are waited for; whoever waits for it then sleeps.
    private let lock = Locked()
    private let holder = Atomic<UInt>(0)
    /// The type that the user knows, for the message.
    private let owner: Any.Type

    init(owner: Any.Type) {
        self.owner = owner
    }

    /// Whether the calling thread has the turn.
    var isTakenHere: Bool {
        // Only this thread can have written its own number.
        holder.load(ordering: .relaxed) == CurrentThread.identity
    }

    /// Calls `body` when no other thread has the turn.
    func take(_ body: () -> Void) {
        if isTakenHere { return body() }
        expect()
        hold(body)
    }

    /// Says that the calling thread is going to wait for the turn, until it holds it.
    func expect() {
        if !TurnWaits.shared.begin(self) {
            programmerError(
                """
                \(owner) was started or stopped by a handler or a view that it is itself waiting for, \
                so that both would wait for ever. \
                To fix, stop the other controller by stopAndWait() in a task, which blocks no thread.
                """
            )
        }
    }

    /// Calls `body` with the turn. For a thread that holds no other, or has said that it waits.
    func hold(_ body: () -> Void) {
        if isTakenHere { return body() }
        lock.withLock {
            TurnWaits.shared.end()
            holder.store(CurrentThread.identity, ordering: .relaxed)
            defer { holder.store(0, ordering: .relaxed) }
            body()
        }
    }

    fileprivate var holdingThread: UInt { holder.load(ordering: .relaxed) }
}

/// Which thread waits for which turn, in the whole process.
///
/// Unchecked: `turns` is touched under the lock alone. A turn stays in it only while a thread waits for it, and so holds
/// it.
private final class TurnWaits: @unchecked Sendable {
    static let shared = TurnWaits()

    private let lock = Locked()
    private var turns: [UInt: Turn] = [:]
    // How many wait: what is nearly always none costs no lock.
    private let count = Atomic<Int>(0)

    /// Notes that the calling thread waits for `turn`. Returns whether it may: not if the thread that holds it waits
    /// for the calling one.
    func begin(_ turn: Turn) -> Bool {
        let thread = CurrentThread.identity
        return lock.withLock {
            var next: Turn? = turn
            while let awaited = next {
                let holder = awaited.holdingThread
                if holder == thread { return false }
                next = turns[holder]
            }
            turns[thread] = turn
            count.store(turns.count, ordering: .relaxed)
            return true
        }
    }

    /// Notes that the calling thread waits no longer.
    func end() {
        // What this thread has noted, it sees.
        if count.load(ordering: .relaxed) == 0 { return }
        lock.withLock {
            turns[CurrentThread.identity] = nil
            count.store(turns.count, ordering: .relaxed)
        }
    }
}
