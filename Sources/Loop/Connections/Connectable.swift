/// Something that accepts and emits values while it is connected: an effect handler, a view, or an event source that
/// depends on the model.
///
/// ```swift
/// struct Echo: Connectable {
///     func connect(_ consumer: @escaping Consumer<String>) -> Connection<String> {
///         Connection(acceptClosure: { consumer($0) }, disposeClosure: {})
///     }
/// }
/// ```
///
/// When a connection is disposed, an implementation stops emitting and releases its resources. The loop drops values
/// that are emitted later. Connections should be independent of one another; otherwise an implementation should refuse
/// a second connection.
///
/// Most effects do not need a connectable: see ``EffectRoute`` for simpler kinds of handlers. A class of the main actor
/// declares an isolated conformance: `extension Screen: @MainActor Connectable`.
public protocol Connectable<Input, Output> {
    /// The values that a connection accepts. They are `Sendable`, since a connection may pass them to another
    /// isolation.
    associatedtype Input: Sendable
    /// The values that the connectable emits.
    associatedtype Output

    /// Creates a connection.
    ///
    /// Until the connection is disposed, the connectable may emit values to `consumer`, from any thread.
    func connect(_ consumer: @escaping Consumer<Output>) -> Connection<Input>
}

extension Connectable where Self: Sendable {
    /// Returns this connectable with transformed outputs. The thread that emits an output calls `transform`.
    public func map<NewOutput>(
        _ transform: @escaping @Sendable (Output) -> NewOutput
    ) -> AnyConnectable<Input, NewOutput> {
        let erased = AnyConnectable(self)
        return AnyConnectable(
            { consumer in erased.connectClosure { consumer(transform($0), $1) } }, of: erased.base, named: erased.type)
    }

    /// Returns this connectable for another type of inputs. The thread that passes an input to the connection calls
    /// `transform`.
    public func contramap<NewInput: Sendable>(
        _ transform: @escaping @Sendable (NewInput) -> Input
    ) -> AnyConnectable<NewInput, Output> {
        let erased = AnyConnectable(self)
        return AnyConnectable(
            { consumer in
                let connection = erased.connectClosure(consumer)
                return Connection(
                    acceptClosure: { connection.accept(transform($0)) }, disposeClosure: { connection.dispose() })
            }, of: erased.base, named: erased.type)
    }
}
