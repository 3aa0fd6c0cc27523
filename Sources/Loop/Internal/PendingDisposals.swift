import ArchitectureEngine
import FunctionalCore

/// How many connections of one thing are still to be disposed, by whoever is busy in them.
///
/// What has one connection at a time is not connected again before that: a start right after a stop would meet it still
/// in use. Unchecked: what changes is touched under the lock alone; who waits is called outside of it.
final class PendingDisposals: @unchecked Sendable {
    private let lock = Lock()
    private var count = 0
    private var waiting: [@Sendable () -> Void] = []

    deinit { lock.free() }

    /// A connection is left to whoever is busy in it.
    func begin() {
        lock.withLock { count += 1 }
    }

    /// It has been disposed. Whoever waited for the last one goes on, here.
    func end() {
        let released = lock.withLock {
            count -= 1
            defer { if count == 0 { waiting = [] } }
            return count == 0 ? waiting : []
        }
        for body in released { body() }
    }

    /// Calls `body`: now, or when the last has been disposed.
    func whenNone(_ body: @escaping @Sendable () -> Void) {
        let isNone = lock.withLock {
            if count > 0 { waiting.append(body) }
            return count == 0
        }
        if isNone { body() }
    }
}
