extension Connectable where Self: Sendable {
    /// Returns this connectable with transformed outputs. The thread that emits an output calls `transform`.
    public func map<NewOutput>(
        _ transform: @escaping @Sendable (Output) -> NewOutput
    ) -> AnyConnectable<Input, NewOutput> {
        AnyConnectable({ consumer in connect { consumer(transform($0)) } }, of: connectedObject(of: self))
    }

    /// Returns this connectable for another type of inputs. The thread that passes an input to the connection calls
    /// `transform`.
    public func contramap<NewInput: Sendable>(
        _ transform: @escaping @Sendable (NewInput) -> Input
    ) -> AnyConnectable<NewInput, Output> {
        AnyConnectable(
            { consumer in
                let connection = connect(consumer)
                return Connection(
                    acceptClosure: { connection.accept(transform($0)) }, disposeClosure: { connection.dispose() })
            }, of: connectedObject(of: self))
    }
}
