public import FunctionalCore

extension StateDispatcher {
    /// This dispatcher with a change of the state in the place of each failure.
    ///
    /// ```swift
    /// loading.handleError { error, url in .set(.failed("\(url): \(error)")) }
    /// ```
    ///
    /// The action that failed ends in the change that `handler` makes, and those after it run. A stream that fails ends
    /// with that change. Cancellation is not a failure. What is left to ``Component/onError(_:)`` is what nobody
    /// handles.
    @inlinable
    public func handleError(
        _ handler: @escaping @Sendable (any Error, Input) -> State<S, Void>
    ) -> StateDispatcher where Input: Sendable {
        let place = Place()
        return StateDispatcher(
            parts: parts.map { part in
                let child = part.emit
                return Part(routing: part.routing) { input, emit in
                    child(input) { emission in
                        emit(emission.handleError({ handler($0, input) }, at: [AnyKey(place)]))
                    }
                }
            }
        )
    }
}
