extension Connectable where Self: Sendable {
    /// This connectable with each output transformed. The transformation runs on the thread that emits.
    public func map<NewOutput>(
        _ transform: @escaping @Sendable (Output) -> NewOutput
    ) -> AnyConnectable<Input, NewOutput> {
        AnyConnectable({ consumer in connect { consumer(transform($0)) } }, of: connectedObject(of: self))
    }

    /// This connectable for another input, of which its own is made. The transformation runs where values are accepted.
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
