import Foundation

/// Code that differs between platforms.
enum Platform {
    /// Returns the queue on which a session calls its delegate so that a server waits for a slow delegate.
    ///
    /// FoundationNetworking enqueues each piece of an answer and reads on at once. In a queue that runs its operations
    /// later, the pieces accumulate.
    static func delegateQueue() -> OperationQueue? {
        #if canImport(FoundationNetworking)
            InPlaceQueue()
        #else
            nil
        #endif
    }
}

#if canImport(FoundationNetworking)
    /// A queue that runs each operation on the calling thread.
    ///
    /// The delegate is called on the queue that reads from the connection. That queue reads on when the call has
    /// returned. All sessions of the process share that serial queue. A delegate must therefore be quick, and must not
    /// wait for a call of a session, such as `cancel()` of a task.
    ///
    /// `@unchecked Sendable`, like its superclass: the class has no state of its own.
    private final class InPlaceQueue: OperationQueue, @unchecked Sendable {
        override func addOperation(_ block: @escaping @Sendable () -> Void) {
            block()
        }

        override func addOperation(_ operation: Operation) {
            operation.start()
        }
    }
#endif
