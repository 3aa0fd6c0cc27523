/// A function that consumes values, from any thread.
public typealias Consumer<Value> = @Sendable (Value) -> Void

/// A function that wraps a consumer in another consumer.
public typealias ConsumerTransformer<Value> = @Sendable (@escaping Consumer<Value>) -> Consumer<Value>
