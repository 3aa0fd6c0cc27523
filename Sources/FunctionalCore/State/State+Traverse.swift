extension Sequence where Element: Sendable {
    /// Returns a program that runs `program` for each element, one after the other, on the same state.
    ///
    /// The program returns the values, in the order of the elements.
    ///
    /// ```swift
    /// let numbered = ["a", "b"].traverse { name in
    ///     State<Int, String>.update { count in
    ///         count += 1
    ///         return "\(count) \(name)"
    ///     }
    /// }
    /// numbered.run(0)  // (["1 a", "2 b"], 2)
    /// ```
    ///
    /// This method iterates over the sequence once, immediately, so the sequence must be finite. The run calls
    /// `program` for an element when the program of the previous element has ended. The state is changed in place, in
    /// constant stack space.
    @_alwaysEmitIntoClient
    public func traverse<S, Value>(
        _ program: @escaping @Sendable (Element) -> State<S, Value>
    ) -> State<S, [Value]> {
        State(form: .node(traverse { element in program(element).program }.node))
    }

    /// Returns a program that runs the programs in this sequence, one after the other, on the same state.
    ///
    /// The program returns the values, in the order of the programs. See `traverse(_:)`.
    @_alwaysEmitIntoClient
    public func sequence<S, Value>() -> State<S, [Value]> where Element == State<S, Value> {
        traverse { $0 }
    }
}

// MARK: - As a program

extension State {
    /// This program as a program whose environment is the state.
    ///
    /// A run of a `State` stores the address of the state in the place of the environment's address. So operations on
    /// `EnvIO` also serve `State`. Only a run of a `State` may run the result.
    @inlinable
    var program: EnvIO<S, Never, Value> { EnvIO(form: .node(node)) }
}
