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
        self.init({ base.connect($0) }, of: base.connectedObject)
    }

    /// Creates a connection with the closure or the connectable that this value was created with.
    @inlinable
    public func connect(_ consumer: @escaping Consumer<Output>) -> Connection<Input> {
        connectClosure(consumer)
    }
}

extension Connectable {
    /// The object that this connectable is or forwards to, or `nil` for a value.
    ///
    /// Unchecked: only the identity of the object is used, so it may have any isolation.
    var connectedObject: Unchecked<AnyObject>? {
        if let adapter = self as? AnyConnectable<Input, Output> { return adapter.base }
        // Checks the type, since casting a value to `AnyObject` would box it into a new object each time.
        return type(of: self) is AnyClass ? Unchecked(self as AnyObject) : nil
    }
}
