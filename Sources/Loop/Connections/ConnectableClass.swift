import FunctionalCore

/// A base class for connectables, which manages the connection.
///
/// ```swift
/// final class Downloads: ConnectableClass<URLString, Progress>, @unchecked Sendable {
///     override func handle(_ address: URLString) { … send(.began) … }
///     override func onDispose() { … }
/// }
/// ```
///
/// Override ``handle(_:)``, and ``onConnect()`` and ``onDispose()`` if needed. A loop calls these three methods on one
/// thread at a time. ``send(_:)`` is thread-safe. An object has one connection at a time.
open class ConnectableClass<Input: Sendable, Output>: Connectable, @unchecked Sendable {
    // Unchecked: the class is open, so the compiler cannot check it. A subclass is responsible for its own properties.
    private let consumer = Locked<Consumer<Output>?>(nil)

    /// Creates a connectable without a connection.
    public init() {}

    /// Handles a value. The default implementation does nothing, as in Mobius.
    open func handle(_ input: Input) {}

    /// Called when the connection is created, before the first value. The default implementation does nothing.
    open func onConnect() {}

    /// Called when the connection has been disposed. The default implementation does nothing.
    open func onDispose() {}

    /// Emits a value. Thread-safe. Does nothing if there is no connection.
    public final func send(_ output: Output) {
        consumer.withLock { $0 }?(output)
    }

    /// Creates the connection. Traps if the object already has a connection.
    ///
    /// After the connection has been disposed, its ``Connection/accept(_:)`` traps.
    public final func connect(_ consumer: @escaping Consumer<Output>) -> Connection<Input> {
        let isFirst = self.consumer.withLock { current in
            if current != nil { return false }
            current = consumer
            return true
        }
        if !isFirst {
            programmerError(
                """
                \(type(of: self)) was connected a second time before its first connection was disposed. \
                To fix, dispose the first connection first, or create one object for each loop.
                """
            )
        }
        onConnect()
        let isDisposed = Locked(false)
        return Connection(
            acceptClosure: { [self] input in
                if isDisposed.withLock({ $0 }) {
                    programmerError(
                        """
                        \(type(of: self)) was given \(input) by a connection that had been disposed. \
                        To fix, do not call accept(_:) after dispose().
                        """
                    )
                }
                handle(input)
            },
            disposeClosure: { [self] in
                // Of several threads that dispose the connection, one ends it.
                if isDisposed.withLock({ exchange(&$0, with: true) }) { return }
                // The consumer is released outside of the lock.
                _ = self.consumer.withLock { $0.take() }
                onDispose()
            }
        )
    }
}
