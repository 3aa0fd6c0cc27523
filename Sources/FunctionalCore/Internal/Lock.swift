#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#endif

/// A lock for a few instructions. Whoever makes one frees it.
///
/// On Linux a pthread mutex and not `Synchronization.Mutex`: the thread sanitizer does not know the latter there, and
/// under eight threads it is a hundred times slower. On Darwin the lock that hands its priority on.
@usableFromInline
package struct Lock: @unchecked Sendable {
    #if canImport(Darwin)
        private typealias Primitive = os_unfair_lock
    #else
        private typealias Primitive = pthread_mutex_t
    #endif

    // Unchecked: the primitive behind the pointer is made for use by many threads.
    private let primitive: UnsafeMutablePointer<Primitive>

    @usableFromInline
    package init() {
        self.init(
            in: UnsafeMutableRawPointer.allocate(byteCount: Lock.size, alignment: MemoryLayout<Primitive>.alignment))
    }

    /// A lock in memory of somebody else's, `size` bytes of it, who frees that after `end()`.
    package init(in memory: UnsafeMutableRawPointer) {
        primitive = memory.initializeMemory(as: Primitive.self, to: Primitive())
        #if !canImport(Darwin)
            pthread_mutex_init(primitive, nil)
        #endif
    }

    /// The lock that was made in that memory.
    package init(madeIn memory: UnsafeMutableRawPointer) {
        primitive = memory.assumingMemoryBound(to: Primitive.self)
    }

    /// The bytes that a lock takes up.
    package static var size: Int { MemoryLayout<Primitive>.stride }

    package func free() {
        end()
        primitive.deallocate()
    }

    /// Ends the lock, and leaves its memory alone.
    package func end() {
        #if !canImport(Darwin)
            pthread_mutex_destroy(primitive)
        #endif
        primitive.deinitialize(count: 1)
    }

    @usableFromInline
    package func lock() {
        #if canImport(Darwin)
            os_unfair_lock_lock(primitive)
        #else
            // What the lock guards is short: letting others run first beats going to sleep for it.
            for _ in 0..<64 {
                if pthread_mutex_trylock(primitive) == 0 { return }
                sched_yield()
            }
            pthread_mutex_lock(primitive)
        #endif
    }

    @usableFromInline
    package func unlock() {
        #if canImport(Darwin)
            os_unfair_lock_unlock(primitive)
        #else
            pthread_mutex_unlock(primitive)
        #endif
    }

    @inline(__always)
    package func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock()
        defer { unlock() }
        return try body()
    }
}
