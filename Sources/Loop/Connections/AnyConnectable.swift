import FunctionalCore

/// Any connectable, by its input and output alone.
public struct AnyConnectable<Input: Sendable, Output>: Connectable, Sendable {
    @usableFromInline let connectClosure: @Sendable (@escaping Consumer<Output>) -> Connection<Input>
    /// The object that is connected, if it is one.
    let base: Unchecked<AnyObject>?

    /// The connectable that `connect` makes connections for.
    public init(_ connect: @escaping @Sendable (@escaping Consumer<Output>) -> Connection<Input>) {
        self.init(connect, of: nil)
    }

    init(
        _ connect: @escaping @Sendable (@escaping Consumer<Output>) -> Connection<Input>, of base: Unchecked<AnyObject>?
    ) {
        connectClosure = connect
        self.base = base
    }

    /// The same as `base`.
    public init<Base: Connectable & Sendable>(_ base: Base) where Base.Input == Input, Base.Output == Output {
        self.init({ base.connect($0) }, of: connectedObject(of: base))
    }

    /// Connects what this was made of.
    @inlinable
    public func connect(_ consumer: @escaping Consumer<Output>) -> Connection<Input> {
        connectClosure(consumer)
    }
}

/// A connectable that adapts another one.
protocol ConnectableAdapter {
    /// The object that is connected, if it is one. Kept for its identity alone, so it may be of any isolation.
    var base: Unchecked<AnyObject>? { get }
}

extension AnyConnectable: ConnectableAdapter {}

/// The object that a connectable is or adapts; `nil` for a value.
func connectedObject(of connectable: Any) -> Unchecked<AnyObject>? {
    if let adapter = connectable as? any ConnectableAdapter { return adapter.base }
    // Asked of the type: a value would become an object, too, another one each time.
    return type(of: connectable) is AnyClass ? Unchecked(connectable as AnyObject) : nil
}
