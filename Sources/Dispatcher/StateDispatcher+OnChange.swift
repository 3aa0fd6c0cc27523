public import FunctionalCore

extension StateDispatcher {
    /// Returns this dispatcher with a further change of the state after each action that changes `part`.
    ///
    /// ```swift
    /// form.onChange(of: \.country) { old, new in .update { $0.city = nil } }
    /// ```
    ///
    /// Both changes are committed together, so no observer sees the first change without the second change. The further
    /// change does not call `change` again, even if it changes `part`.
    ///
    /// - Complexity: Each action reads `part` twice and compares the values. The old value is kept during the action,
    ///   so an in-place change of a large collection copies it.
    /// - Parameters:
    ///   - part: The part of the state to compare.
    ///   - change: Returns the further change for the old and the new value of the part.
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
        let open = OpenPlace<S>()
        return mapEmissions(open) { emission, place in emission.mapChange(watched, open, at: [AnyKey(place)]) }
    }
}
