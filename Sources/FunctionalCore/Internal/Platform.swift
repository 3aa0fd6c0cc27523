// All code of this module that differs between platforms: the name of the C library and its concurrency audit, the
// lock, memory, thread identity, thread-local storage, jobs, and the executor of the current task.

import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Android)
    @unsafe @preconcurrency import Android
#elseif canImport(Musl)
    @unsafe @preconcurrency import Musl
#elseif canImport(Glibc)
    @unsafe @preconcurrency import Glibc
#else
    #error("This library knows the C libraries of Darwin, Linux (glibc and musl) and Android. To fix, add yours here.")
#endif

#if !_pointerBitWidth(_64)
    #error("This library needs a platform with pointers of 64 bits. On watchOS, build for arm64 only.")
#endif

/// The lock of the platform, to be held for a few instructions. Use `Locked` instead of this type.
///
/// On Linux and Android, it is a pthread mutex and not `Synchronization.Mutex`, because the thread sanitizer does not
/// support the latter there, and because it is much slower under contention. On Darwin, it is the lock that donates the
/// priority of waiting threads to its owner.
@safe
@usableFromInline
struct LockPrimitive {
    #if canImport(Darwin)
        private typealias Value = os_unfair_lock
    #else
        private typealias Value = pthread_mutex_t
    #endif

    private let value: Value

    @inline(__always)
    private static func value(_ lock: UnsafeMutablePointer<LockPrimitive>) -> UnsafeMutablePointer<Value> {
        // The only field, so it has the address of the struct.
        unsafe UnsafeMutableRawPointer(lock).assumingMemoryBound(to: Value.self)
    }

    @usableFromInline
    static func initialize(_ lock: UnsafeMutablePointer<LockPrimitive>) {
        // All bytes are zero, as in a C structure that is initialized statically.
        unsafe UnsafeMutableRawPointer(lock).initializeMemory(
            as: UInt8.self, repeating: 0, count: MemoryLayout<LockPrimitive>.size)
        #if !canImport(Darwin)
            let status = unsafe pthread_mutex_init(value(lock), nil)
            guard status == 0 else { programmerError("No lock could be made (pthread_mutex_init: \(status)).") }
        #endif
    }

    static func deinitialize(_ lock: UnsafeMutablePointer<LockPrimitive>) {
        #if !canImport(Darwin)
            unsafe pthread_mutex_destroy(value(lock))
        #endif
        unsafe lock.deinitialize(count: 1)
    }

    @usableFromInline
    static func lock(_ lock: UnsafeMutablePointer<LockPrimitive>) {
        #if canImport(Darwin)
            unsafe os_unfair_lock_lock(value(lock))
        #else
            // The lock is held for a short time, so yielding to other threads is cheaper than sleeping.
            for _ in 0..<64 {
                if unsafe pthread_mutex_trylock(value(lock)) == 0 { return }
                sched_yield()
            }
            unsafe pthread_mutex_lock(value(lock))
        #endif
    }

    /// Takes the lock if it is free. Returns whether it was taken.
    @usableFromInline
    static func tryLock(_ lock: UnsafeMutablePointer<LockPrimitive>) -> Bool {
        #if canImport(Darwin)
            unsafe os_unfair_lock_trylock(value(lock))
        #else
            unsafe pthread_mutex_trylock(value(lock)) == 0
        #endif
    }

    @usableFromInline
    static func unlock(_ lock: UnsafeMutablePointer<LockPrimitive>) {
        #if canImport(Darwin)
            unsafe os_unfair_lock_unlock(value(lock))
        #else
            unsafe pthread_mutex_unlock(value(lock))
        #endif
    }
}

/// Allocates memory that is aligned for the types of C. On Linux, `UnsafeMutableRawPointer.allocate` is slower, because
/// it supports any alignment.
@usableFromInline
@inline(__always)
func allocateBlock(_ size: Int) -> UnsafeMutableRawPointer {
    guard let block = unsafe malloc(size) else { programmerError("No memory is left for \(size) bytes.") }
    return unsafe block
}

/// Frees memory that `allocateBlock` returned.
@inline(__always)
func freeBlock(_ block: UnsafeMutableRawPointer) {
    unsafe free(block)
}

/// The calling thread.
@usableFromInline
package enum CurrentThread {
    /// The number of the calling thread. It differs from 0 and from the numbers of all other existing threads.
    @usableFromInline
    package static var identity: UInt {
        #if canImport(Darwin) || canImport(Android) || canImport(Musl)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }

    /// Whether the calling thread executes the main actor.
    package static var isMain: Bool {
        #if canImport(Darwin)
            pthread_main_np() != 0
        #else
            // Not by the identity of the thread, because a thread of the pool may drain the main queue.
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

/// Stores the `Teardown.State` of a thread. It is created at the first access and freed when the thread ends.
///
/// Invariant: only the thread that the state belongs to uses it, and no code keeps a `TeardownStorage`.
@safe
struct TeardownStorage {
    private let address: UnsafeMutablePointer<Teardown.State>

    var state: Teardown.State {
        @inline(__always) unsafeAddress { unsafe UnsafePointer(address) }
        @inline(__always) nonmutating unsafeMutableAddress { unsafe address }
    }

    // The key plus one, or 0 before the key has been created. An atomic with a constant is initialized statically.
    // Checking whether a `static let` has been initialized would double the cost of an access.
    private static let known = Atomic<UInt>(0)

    private static let key = {
        var key = pthread_key_t()
        let status = unsafe pthread_key_create(&key) { raw in
            let address: UnsafeMutableRawPointer? = unsafe raw
            guard let state = unsafe address?.assumingMemoryBound(to: Teardown.State.self) else { return }
            unsafe state.deinitialize(count: 1)
            unsafe state.deallocate()
        }
        guard status == 0 else { programmerError("No thread-local key is left (pthread_key_create: \(status)).") }
        // Android's keys are negative numbers.
        known.store(UInt(truncatingIfNeeded: key) + 1, ordering: .releasing)
        return key
    }()

    /// The storage of the calling thread.
    @inline(__always)
    static var current: TeardownStorage {
        let known = known.load(ordering: .acquiring)
        if known != 0, let state = unsafe pthread_getspecific(pthread_key_t(truncatingIfNeeded: known - 1)) {
            return unsafe TeardownStorage(address: state.assumingMemoryBound(to: Teardown.State.self))
        }
        return makeCurrent()
    }

    @inline(never)
    private static func makeCurrent() -> TeardownStorage {
        let state = UnsafeMutablePointer<Teardown.State>.allocate(capacity: 1)
        unsafe state.initialize(to: Teardown.State())
        unsafe pthread_setspecific(key, state)
        return unsafe TeardownStorage(address: state)
    }
}

/// Calls `body` when the process exits.
package func atExit(_ body: @convention(c) () -> Void) {
    atexit(body)
}

/// Ends a process that is exiting with the status 1. Further closures of `atExit(_:)` are not called.
package func failExit() -> Never {
    fflush(nil)
    _exit(1)
}

func writeToStandardError(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
        guard let start = bytes.baseAddress else { return }
        _ = unsafe fwrite(start, 1, bytes.count, stderr)
    }
}

/// Returns the preferred executor of the current task. Returns `nil` if the task has no preferred executor, or if the
/// platform does not provide it.
func currentTaskExecutor() -> (any TaskExecutor)? {
    #if compiler(>=6.3)
        if #available(macOS 26.4, iOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *) {
            return unsafe withUnsafeCurrentTask { unsafe $0?.unownedTaskExecutor?.asTaskExecutor() }
        }
    #endif
    return nil
}

/// Enqueues `job` on `queue`, where it runs as a job of `executor`.
func enqueueJob(_ job: consuming ExecutorJob, of executor: some TaskExecutor, on queue: DispatchQueue) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
}
