import Foundation

/// What differs from platform to platform.
enum Platform {
    /// The queue on which a session should call its delegate, so that a server that sends faster than the delegate
    /// takes is held back.
    ///
    /// FoundationNetworking puts each piece of an answer on the queue and reads on at once: on one that runs its
    /// operations later, the pieces pile up as fast as they come.
    static func delegateQueue() -> OperationQueue? {
        #if canImport(FoundationNetworking)
            InPlaceQueue()
        #else
            nil
        #endif
    }
}

#if canImport(FoundationNetworking)
    /// Runs what it is given where it is given it: the delegate is called on the queue that reads from the connection,
    /// which reads on when the call has returned.
    ///
    /// That queue is serial, and one for all sessions of the process: a delegate must be quick, and must not wait for
    /// anything that a session does, `cancel()` of a task among it.
    ///
    /// `@unchecked Sendable`, as its superclass: it has no state of its own.
    private final class InPlaceQueue: OperationQueue, @unchecked Sendable {
        override func addOperation(_ block: @escaping @Sendable () -> Void) {
            block()
        }

        override func addOperation(_ operation: Operation) {
            operation.start()
        }
    }
#endif
