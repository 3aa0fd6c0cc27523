#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Dispatch
    @preconcurrency import Glibc
#elseif canImport(Musl)
    import Dispatch
    @preconcurrency import Musl
#endif

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
