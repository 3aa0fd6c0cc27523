#if canImport(Glibc) || canImport(Musl) || canImport(Android)
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #else
        import Android
    #endif

    /// A value that only one thread at a time can reach.
    ///
    /// A pthread mutex, because the thread sanitizer does not know the futex behind `Synchronization.Mutex` on Linux
    /// and reports races that are none. The mutex lives on the heap, since it must not move.
    ///
    /// `@unchecked Sendable`: `value` is touched in `withLock` alone, between lock and unlock.
    package final class Lock<Value: Sendable>: @unchecked Sendable {
        private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        private var value: Value

        package init(_ value: Value) {
            self.value = value
            mutex.initialize(to: pthread_mutex_t())
            let status = pthread_mutex_init(mutex, nil)
            precondition(status == 0, "pthread_mutex_init failed with status \(status).")
        }

        deinit {
            pthread_mutex_destroy(mutex)
            mutex.deinitialize(count: 1)
            mutex.deallocate()
        }

        package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return try body(&value)
        }
    }
#else
    import Synchronization

    /// A value that only one thread at a time can reach.
    package final class Lock<Value: Sendable>: Sendable {
        private let mutex: Mutex<Value>

        package init(_ value: Value) {
            mutex = Mutex(value)
        }

        package func withLock<Result: Sendable>(_ body: (inout Value) throws -> Result) rethrows -> Result {
            try mutex.withLock { value in try body(&value) }
        }
    }
#endif
