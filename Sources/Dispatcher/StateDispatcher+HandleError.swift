public import FunctionalCore

extension StateDispatcher {
    /// Returns a dispatcher that turns each failure of this dispatcher into a change of the state.
    ///
    /// ```swift
    /// loading.handleError { error, url in .set(.failed("\(url): \(error)")) }
    /// ```
    ///
    /// A failing action ends in the change that `handler` returns, and the actions after it run. A failing stream ends
    /// with that change. Cancellation is not a failure. Errors that are handled here do not reach
    /// ``Component/onError(_:)``. It makes no difference whether `policy(_:)` is applied before or after
    /// `handleError(_:)`.
    ///
    /// - Parameter handler: Returns the change for an error and the input whose action threw it.
    @inlinable
    public func handleError(
        _ handler: @escaping @Sendable (any Error, Input) -> State<S, Void>
    ) -> StateDispatcher where Input: Sendable {
        let (place, open) = (ScopeID(), OpenPlace<S>())
        return StateDispatcher(
            parts: parts.map { part in
                let child = part.emit
                return Part(routing: part.routing) { input, perform in
                    child(input) { emission, child in
                        perform(
                            emission.handleError({ handler($0, input) }, at: [AnyKey(place)]), open.lift(child))
                    }
                }
            }
        )
    }
}
