import FunctionalCore

/// The threads that wait for a lock that another thread may hold while it calls user code: for the state of a runtime,
/// or for the turn of a controller. So threads that wait for each other are found.
package enum LockWaits {
    // For each waiting thread the thread that holds the lock it waits for, or 0.
    private static let holders = Locked<[UInt: () -> UInt]>([:])

    /// Registers that the calling thread is going to wait for a lock. Returns `false` if the holder of the lock waits
    /// for the calling thread in turn, directly or through others. In this case nothing is registered.
    ///
    /// Each thread registers before it waits, so the last one of a cycle finds all others. A holder keeps its lock until
    /// its call of user code ends, so a cycle that is found is a deadlock.
    ///
    /// - Parameter holder: Returns the thread that holds the lock, or 0. It is called until the wait ends.
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
