// What differs between the platforms in this module: the C library's name, whether it is audited for concurrency, the
// lock, how a thread tells which one it is, and what a task knows about itself.

import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Dispatch
    @preconcurrency import Glibc
#elseif canImport(Musl)
    import Dispatch
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

    /// Takes the lock if no thread has it. Returns whether it was taken.
    @usableFromInline
    package func tryLock() -> Bool {
        #if canImport(Darwin)
            os_unfair_lock_trylock(primitive)
        #else
            pthread_mutex_trylock(primitive) == 0
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

/// Memory that values of any type may lie in. On Linux `allocate` of the pointers takes a slower way round, as if each
/// caller had asked for an alignment of its own.
@usableFromInline
@inline(__always)
func allocateBlock(_ size: Int) -> UnsafeMutableRawPointer {
    guard let block = malloc(size) else { fault("No memory is left for \(size) bytes.") }
    return block
}

/// Gives memory back that `allocateBlock` gave.
@inline(__always)
func freeBlock(_ block: UnsafeMutableRawPointer) {
    free(block)
}

/// The calling thread.
@usableFromInline
package enum CurrentThread {
    /// A number that no other living thread has; never 0.
    @usableFromInline
    package static var identity: UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }

    /// Whether the main actor's code runs here.
    package static var isMain: Bool {
        #if canImport(Darwin)
            pthread_main_np() != 0
        #else
            // Not the thread's number: once the main queue is drained by a thread of the pool, that one is "main".
            DispatchQueue.getSpecific(key: mainQueueMark) != nil
        #endif
    }

    #if !canImport(Darwin)
        private static let mainQueueMark = {
            let key = DispatchSpecificKey<Void>()
            DispatchQueue.main.setSpecific(key: key, value: ())
            return key
        }()
    #endif
}

/// The calling thread's `TeardownState`, made when the thread first asks and freed with the thread.
enum TeardownStorage {
    // One more than the key, or 0 before there is one. An atomic with a constant is there from the start: asking a
    // `static let` whether it has been initialised costs as much as the rest.
    private static let known = Atomic<UInt>(0)

    private static let key = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key) { raw in
            let address: UnsafeMutableRawPointer? = raw
            guard let state = address?.assumingMemoryBound(to: TeardownState.self) else { return }
            state.deinitialize(count: 1)
            state.deallocate()
        }
        guard status == 0 else { fault("No thread-local key is left (pthread_key_create: \(status)).") }
        known.store(UInt(key) + 1, ordering: .releasing)
        return key
    }()

    /// Only the calling thread may use what this points to.
    @inline(__always)
    static var current: UnsafeMutablePointer<TeardownState> {
        let known = known.load(ordering: .acquiring)
        if known != 0, let state = pthread_getspecific(pthread_key_t(known - 1)) {
            return state.assumingMemoryBound(to: TeardownState.self)
        }
        return makeCurrent()
    }

    @inline(never)
    private static func makeCurrent() -> UnsafeMutablePointer<TeardownState> {
        let state = UnsafeMutablePointer<TeardownState>.allocate(capacity: 1)
        state.initialize(to: TeardownState())
        pthread_setspecific(key, state)
        return state
    }
}

func writeToStandardError(_ text: String) {
    var text = text
    text.withUTF8 { bytes in _ = fwrite(bytes.baseAddress, 1, bytes.count, stderr) }
}

/// The executor that the current task prefers, if there is one, and the platform says which.
func currentTaskExecutor() -> (any TaskExecutor)? {
    #if compiler(>=6.3)
        if #available(macOS 26.4, iOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *) {
            return withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
        }
    #endif
    return nil
}
