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

/// The lock of the platform, for a few instructions at a time. `Locked` is the type to use.
///
/// On Linux a pthread mutex and not `Synchronization.Mutex`: the thread sanitizer does not know the latter there, and
/// under eight threads it is a hundred times slower. On Darwin the lock that lends its owner the waiter's priority.
@usableFromInline
struct LockPrimitive {
    #if canImport(Darwin)
        private typealias Value = os_unfair_lock
    #else
        private typealias Value = pthread_mutex_t
    #endif

    private var value = Value()

    @inline(__always)
    private static func value(_ lock: UnsafeMutablePointer<LockPrimitive>) -> UnsafeMutablePointer<Value> {
        // The only field, so it lies where the struct does.
        UnsafeMutableRawPointer(lock).assumingMemoryBound(to: Value.self)
    }

    static func initialize(_ lock: UnsafeMutablePointer<LockPrimitive>) {
        lock.initialize(to: LockPrimitive())
        #if !canImport(Darwin)
            let status = pthread_mutex_init(value(lock), nil)
            guard status == 0 else { programmerError("No lock could be made (pthread_mutex_init: \(status)).") }
        #endif
    }

    static func deinitialize(_ lock: UnsafeMutablePointer<LockPrimitive>) {
        #if !canImport(Darwin)
            pthread_mutex_destroy(value(lock))
        #endif
        lock.deinitialize(count: 1)
    }

    @usableFromInline
    static func lock(_ lock: UnsafeMutablePointer<LockPrimitive>) {
        #if canImport(Darwin)
            os_unfair_lock_lock(value(lock))
        #else
            // What the lock guards is short, so letting other threads run is better than sleeping.
            for _ in 0..<64 {
                if pthread_mutex_trylock(value(lock)) == 0 { return }
                sched_yield()
            }
            pthread_mutex_lock(value(lock))
        #endif
    }

    /// Takes the lock if no thread has it. Returns whether it was taken.
    @usableFromInline
    static func tryLock(_ lock: UnsafeMutablePointer<LockPrimitive>) -> Bool {
        #if canImport(Darwin)
            os_unfair_lock_trylock(value(lock))
        #else
            pthread_mutex_trylock(value(lock)) == 0
        #endif
    }

    @usableFromInline
    static func unlock(_ lock: UnsafeMutablePointer<LockPrimitive>) {
        #if canImport(Darwin)
            os_unfair_lock_unlock(value(lock))
        #else
            pthread_mutex_unlock(value(lock))
        #endif
    }
}

/// Memory that values of any type may lie in. On Linux `allocate` of the pointers takes a slower way round, as if each
/// caller had asked for an alignment of its own.
@usableFromInline
@inline(__always)
func allocateBlock(_ size: Int) -> UnsafeMutableRawPointer {
    guard let block = malloc(size) else { programmerError("No memory is left for \(size) bytes.") }
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

/// The calling thread's `Teardown.State`, made when the thread first asks and freed with the thread.
enum TeardownStorage {
    // One more than the key, or 0 before there is one. An atomic with a constant is there from the start: asking a
    // `static let` whether it has been initialised costs as much as the rest.
    private static let known = Atomic<UInt>(0)

    private static let key = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key) { raw in
            let address: UnsafeMutableRawPointer? = raw
            guard let state = address?.assumingMemoryBound(to: Teardown.State.self) else { return }
            state.deinitialize(count: 1)
            state.deallocate()
        }
        guard status == 0 else { programmerError("No thread-local key is left (pthread_key_create: \(status)).") }
        known.store(UInt(key) + 1, ordering: .releasing)
        return key
    }()

    /// Only the calling thread may use what this points to.
    @inline(__always)
    static var current: UnsafeMutablePointer<Teardown.State> {
        let known = known.load(ordering: .acquiring)
        if known != 0, let state = pthread_getspecific(pthread_key_t(known - 1)) {
            return state.assumingMemoryBound(to: Teardown.State.self)
        }
        return makeCurrent()
    }

    @inline(never)
    private static func makeCurrent() -> UnsafeMutablePointer<Teardown.State> {
        let state = UnsafeMutablePointer<Teardown.State>.allocate(capacity: 1)
        state.initialize(to: Teardown.State())
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
