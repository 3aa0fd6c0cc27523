// What differs between the platforms in this module: the C library's name, whether it is audited for concurrency, and what a
// task knows about itself.

import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#endif

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

/// Writes one line to standard error: a failure that nobody handles is not swallowed.
@inline(never)
package func report(_ message: String) {
    var line = message + "\n"
    line.withUTF8 { bytes in _ = fwrite(bytes.baseAddress, 1, bytes.count, stderr) }
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
