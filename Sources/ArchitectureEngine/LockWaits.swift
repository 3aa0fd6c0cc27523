import FunctionalCore

/// A registry of the threads that wait for a lock whose holder may be calling code of the user: the lock of a runtime's
/// state, or a `RecursiveLock` of a controller. The registry detects threads that wait for each other.
package enum LockWaits {
    // For each waiting thread, a function that returns the thread that holds the lock, or 0 if no thread does.
    private static let holders = Locked<[UInt: () -> UInt]>([:])

    /// Registers that the calling thread is going to wait for a lock. Returns `false`, and registers nothing, if the
    /// holder of the lock waits for the calling thread, directly or through other threads.
    ///
    /// Each thread registers before it waits, so the last thread of a cycle finds all others. A holder keeps its lock
    /// until its call of user code ends, so a cycle that is found is a deadlock.
    ///
    /// - Parameter holder: Returns the thread that holds the lock, or 0 if no thread does. Any thread may call it until
    ///   the wait ends.
    package static func begin(for holder: @escaping () -> UInt) -> Bool {
        let thread = CurrentThread.identity
        return holders.withLock { holders in
            var next = holder()
            for _ in 0...holders.count {
                if next == thread { return false }
                guard let wait = holders[next] else { break }
                next = wait()
            }
            holders[thread] = holder
            return true
        }
    }

    /// Ends the wait of the calling thread, if it waits.
    package static func end() {
        _ = holders.withLock { $0.removeValue(forKey: CurrentThread.identity) }
    }
}
