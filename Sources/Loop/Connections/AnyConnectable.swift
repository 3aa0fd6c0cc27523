import FunctionalCore

/// A type-erased connectable.
public struct AnyConnectable<Input: Sendable, Output>: Connectable, Sendable {
    @usableFromInline let connectClosure: @Sendable (@escaping Consumer<Output>) -> Connection<Input>
    /// The connected object, or `nil` for a value.
    let base: Unchecked<AnyObject>?

    /// Creates a connectable that calls `connect` for each connection; see ``Connectable/connect(_:)``.
    public init(_ connect: @escaping @Sendable (@escaping Consumer<Output>) -> Connection<Input>) {
        self.init(connect, of: nil)
    }

    init(
        _ connect: @escaping @Sendable (@escaping Consumer<Output>) -> Connection<Input>, of base: Unchecked<AnyObject>?
    ) {
        connectClosure = connect
        self.base = base
    }

    /// Creates a connectable that forwards to `base`.
    public init<Base: Connectable & Sendable>(_ base: Base) where Base.Input == Input, Base.Output == Output {
        self.init({ base.connect($0) }, of: connectedObject(of: base))
    }

    /// Creates a connection with the closure or the connectable that this value was created with.
    @inlinable
    public func connect(_ consumer: @escaping Consumer<Output>) -> Connection<Input> {
        connectClosure(consumer)
    }
}

/// A connectable that forwards to another one.
protocol ConnectableAdapter {
    /// The connected object, or `nil` for a value. Only its identity is used, so it may have any isolation.
    var base: Unchecked<AnyObject>? { get }
}

extension AnyConnectable: ConnectableAdapter {}

/// Returns the object that a connectable is or forwards to, and `nil` for a value.
func connectedObject(of connectable: Any) -> Unchecked<AnyObject>? {
    if let adapter = connectable as? any ConnectableAdapter { return adapter.base }
    // Checks the type, since casting a value to `AnyObject` would box it into a new object each time.
    return type(of: connectable) is AnyClass ? Unchecked(connectable as AnyObject) : nil
}
