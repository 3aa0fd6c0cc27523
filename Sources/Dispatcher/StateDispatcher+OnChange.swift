public import FunctionalCore

extension StateDispatcher {
    /// This dispatcher with a further change of the state wherever one of its actions has changed `part`.
    ///
    /// ```swift
    /// form.onChange(of: \.country) { old, new in .update { $0.city = nil } }
    /// ```
    ///
    /// The further change belongs to the action: both are seen at once, and nobody sees the one without the other. It
    /// is not itself watched. Costs a copy of the part and a comparison for each action.
    @inlinable
    public func onChange<Value: Equatable & SendableMetatype>(
        of part: any KeyPath<S, Value> & Sendable,
        _ change: @escaping @Sendable (_ old: Value, _ new: Value) -> State<S, Void>
    ) -> StateDispatcher {
        let watched: @Sendable (State<S, Void>) -> State<S, Void> = { action in
            State { state in
                let old = state[keyPath: part]
                action.run(&state)
                let new = state[keyPath: part]
                if old != new { change(old, new).run(&state) }
            }
        }
        return mapEmissions { emission, place in emission.mapChange(watched, at: [AnyKey(place)]) }
    }
}
