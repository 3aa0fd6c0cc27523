/// A function that takes values, from any thread.
public typealias Consumer<Value> = @Sendable (Value) -> Void

/// What makes one consumer of another.
public typealias ConsumerTransformer<Value> = @Sendable (@escaping Consumer<Value>) -> Consumer<Value>
