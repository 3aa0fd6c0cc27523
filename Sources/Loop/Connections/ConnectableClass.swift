import ArchitectureEngine
import FunctionalCore

/// A connectable to inherit from, which does the connecting: override ``handle(_:)``, and ``onConnect()`` and
/// ``onDispose()`` where there is something to be done.
///
/// ```swift
/// final class Downloads: ConnectableClass<URLString, Progress>, @unchecked Sendable {
///     override func handle(_ address: URLString) { … send(.began) … }
///     override func onDispose() { … }
/// }
/// ```
///
/// It has one connection at a time. A loop calls the three from one thread at a time; ``send(_:)`` may be called from
/// any.
open class ConnectableClass<Input: Sendable, Output>: Connectable, @unchecked Sendable {
    // Unchecked: `consumer` is touched under the lock alone; what a subclass holds is up to the subclass.
    private let lock = Lock()
    private var consumer: Consumer<Output>?

    /// A connectable without a connection.
    public init() {}

    deinit { lock.free() }

    /// Takes a value. Does nothing, as in Mobius, unless it is overridden.
    open func handle(_ input: Input) {}

    /// Called when the connection was made, before the first value. Does nothing.
    open func onConnect() {}

    /// Called when the connection was disposed. Does nothing.
    open func onDispose() {}

    /// Emits a value: any thread. Where there is no connection, or no longer one, the value is dropped.
    public final func send(_ output: Output) {
        let consumer = lock.withLock { self.consumer }
        consumer?(output)
    }

    /// Makes the connection. A second one beside the first is a mistake, and stops the process with a message.
    public final func connect(_ consumer: @escaping Consumer<Output>) -> Connection<Input> {
        let isFirst = lock.withLock {
            defer { if self.consumer == nil { self.consumer = consumer } }
            return self.consumer == nil
        }
        if !isFirst {
            fault(
                """
                \(type(of: self)) was connected, and is connected already. \
                To fix, dispose the first connection before, or make one object for each loop.
                """
            )
        }
        onConnect()
        let disposal = Cancellation()
        return Connection(
            acceptClosure: { [self] input in
                if disposal.isCancelled {
                    fault(
                        """
                        \(type(of: self)) was given \(input) by a connection that was disposed. \
                        To fix, give nothing to a connection after disposing it.
                        """
                    )
                }
                handle(input)
            },
            disposeClosure: { [self] in
                if disposal.isCancelled { return }
                disposal.cancel()
                lock.withLock { self.consumer = nil }
                onDispose()
            }
        )
    }
}
