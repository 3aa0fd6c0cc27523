/// Any connectable, by its input and output alone.
public struct AnyConnectable<Input: Sendable, Output>: Connectable, Sendable {
    @usableFromInline let connectClosure: @Sendable (@escaping Consumer<Output>) -> Connection<Input>

    /// The connectable that `connect` makes connections for.
    @inlinable
    public init(_ connect: @escaping @Sendable (@escaping Consumer<Output>) -> Connection<Input>) {
        connectClosure = connect
    }

    /// The same as `base`.
    @inlinable
    public init<Base: Connectable & Sendable>(_ base: Base) where Base.Input == Input, Base.Output == Output {
        self.init { base.connect($0) }
    }

    /// Connects what this was made of.
    @inlinable
    public func connect(_ consumer: @escaping Consumer<Output>) -> Connection<Input> {
        connectClosure(consumer)
    }
}
