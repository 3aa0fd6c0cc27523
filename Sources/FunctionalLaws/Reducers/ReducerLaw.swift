import PropertyTesting

/// The laws of reducers and update functions, which must be pure functions of the state and the input.
///
/// They apply to the reducers of any library.
///
/// ```swift
/// @Test(arguments: ReducerLaw.allCases) func counter(_ law: ReducerLaw) async {
///     await law.property(of: reduce, states: state, inputs: Gen<Event>.allCases).check()
/// }
/// ```
public enum ReducerLaw: String, CaseIterable, Sendable {
    /// Calling the function again with equal arguments returns an equal output.
    case sameInputSameOutput = "f(s, a) == f(s, a)"
    /// Calls with other arguments do not affect the output of later calls.
    case nothingIsRemembered = "f(s, a) == { f(t, b); f(s, a) }"
    /// The function does not change the state that it receives, including objects that the state refers to.
    case theOldStateIsUntouched = "s is the same before and after f(s, a)"
}

extension ReducerLaw {
    /// Returns a property that checks this law for a function from a state and an input to an output.
    ///
    /// The output is, for example, a new state, or a new state with effects.
    ///
    /// For ``sameInputSameOutput`` and ``nothingIsRemembered``, each case calls the function many times. A function
    /// that only occasionally returns a different output is therefore found.
    ///
    /// A function may cache its first output for each input, and ignore the state of later calls. Equal arguments then
    /// have equal outputs, so this method does not find the fault. Use
    /// ``property(making:states:inputs:isSameState:isSameOutput:)`` for a function with a cache.
    ///
    /// - Parameters:
    ///   - reduce: The function to check.
    ///   - states: Generates states. If a state refers to objects, the generator must create new objects for each
    ///     state.
    ///   - inputs: Generates inputs.
    ///   - isSameState: Returns whether two states are equal.
    ///   - isSameOutput: Returns whether two outputs are equal.
    public func property<S, Input, Output>(
        of reduce: @escaping @Sendable (S, Input) -> Output,
        states: Gen<S>,
        inputs: Gen<Input>,
        isSameState: @escaping @Sendable (S, S) -> Bool,
        isSameOutput: @escaping @Sendable (Output, Output) -> Bool
    ) -> Property {
        property(
            making: { reduce }, states: states, inputs: inputs, isSameState: isSameState, isSameOutput: isSameOutput)
    }

    /// Returns a property that checks this law for functions that a closure creates, such as functions with a cache.
    ///
    /// For ``nothingIsRemembered``, all cases call the same function. Its outputs are compared with those of new
    /// functions, each of which is called once. The law therefore finds a cache whose key leaves out the state.
    ///
    /// ```swift
    /// await ReducerLaw.nothingIsRemembered.property(
    ///     making: { makeCachingReducer() }, states: state, inputs: Gen<Event>.allCases,
    ///     isSameState: { $0 == $1 }, isSameOutput: { $0 == $1 }
    /// ).check()
    /// ```
    ///
    /// - Parameters:
    ///   - make: Creates a function. The functions must not share mutable state. The closure is called once for the
    ///     property, and several times per case by ``nothingIsRemembered``.
    ///   - states: Generates states. If a state refers to objects, the generator must create new objects for each
    ///     state.
    ///   - inputs: Generates inputs.
    ///   - isSameState: Returns whether two states are equal.
    ///   - isSameOutput: Returns whether two outputs are equal.
    public func property<S, Input, Output>(
        making make: @escaping @Sendable () -> @Sendable (S, Input) -> Output,
        states: Gen<S>,
        inputs: Gen<Input>,
        isSameState: @escaping @Sendable (S, S) -> Bool,
        isSameOutput: @escaping @Sendable (Output, Output) -> Bool
    ) -> Property {
        let reduce = make()
        let earlier = Earlier<(state: S, input: Input, output: Output)>()
        return Property(ReducerSample.gen(states, inputs, between: self == .nothingIsRemembered)) { sample in
            let (state, twin, input) = (sample.state, sample.twin, sample.input)
            let verdict = Verdict(law: rawValue)
            switch self {
            case .sameInputSameOutput:
                let output = reduce(state, input)
                for _ in 0..<12 { try verdict.same(output, reduce(twin, input), by: isSameOutput) }
            case .nothingIsRemembered:
                // Each state is also combined with the other input, to find a result that is remembered by state or
                // by input alone.
                typealias Question = (state: S, input: Input)
                let others: [Question] =
                    sample.between.map { [$0, (twin, $0.input), ($0.state, input)] } ?? []
                let questions: [Question] = [(twin, input)] + others
                let outputs = [reduce(state, input)] + others.map { reduce($0.state, $0.input) }
                for _ in 0..<4 {
                    for (question, output) in zip(questions, outputs) {
                        let again = reduce(question.state, question.input)
                        try verdict.same(
                            output, again,
                            at: "for state \(described(question.state)), "
                                + "input \(described(question.input))", by: isSameOutput)
                    }
                }
                for (question, output) in zip(questions, outputs) {
                    let new = make()
                    try verdict.same(
                        output, new(question.state, question.input),
                        at: "for state \(described(question.state)), "
                            + "input \(described(question.input)), by a new function", by: isSameOutput)
                }
                if let past = earlier.next() {
                    try verdict.same(
                        past.output, reduce(past.state, past.input),
                        at: "for state \(described(past.state)), "
                            + "input \(described(past.input)), of an earlier case", by: isSameOutput)
                }
                earlier.keep((twin, input, outputs[0]))
            case .theOldStateIsUntouched:
                _ = reduce(state, input)
                try verdict.same(state, twin, by: isSameState)
            }
        }
    }

    /// Returns a property that checks this law for a function whose states and outputs are `Equatable`.
    ///
    /// Two values are equal if `==` returns `true` and their text has the same Unicode scalars. NaN is equal to NaN.
    /// The overview of ``FunctionalLaws`` states the exceptions.
    ///
    /// A function with a cache needs ``property(making:states:inputs:isSameState:isSameOutput:)``.
    ///
    /// - Parameters:
    ///   - reduce: The function to check.
    ///   - states: Generates states. If a state refers to objects, the generator must create new objects for each
    ///     state.
    ///   - inputs: Generates inputs.
    public func property<S: Equatable & SendableMetatype, Input, Output: Equatable & SendableMetatype>(
        of reduce: @escaping @Sendable (S, Input) -> Output, states: Gen<S>, inputs: Gen<Input>
    ) -> Property {
        property(
            of: reduce, states: states, inputs: inputs, isSameState: { isSame($0, $1) },
            isSameOutput: { isSame($0, $1) })
    }

    /// Returns a property that checks this law for a function that changes the state in place.
    ///
    /// - Parameters:
    ///   - update: The function to check.
    ///   - states: Generates states. If a state refers to objects, the generator must create new objects for each
    ///     state.
    ///   - inputs: Generates inputs.
    ///   - isSameState: Returns whether two states are equal.
    public func property<S, Input>(
        of update: @escaping @Sendable (inout S, Input) -> Void,
        states: Gen<S>,
        inputs: Gen<Input>,
        isSameState: @escaping @Sendable (S, S) -> Bool
    ) -> Property {
        property(
            of: { (state: S, input: Input) -> S in
                var state = state
                update(&state, input)
                return state
            },
            states: states, inputs: inputs, isSameState: isSameState, isSameOutput: isSameState)
    }

    /// Returns a property that checks this law for a function that changes an `Equatable` state in place.
    ///
    /// Two states are equal if `==` returns `true` and their text has the same Unicode scalars. NaN is equal to NaN.
    /// The overview of ``FunctionalLaws`` states the exceptions.
    ///
    /// - Parameters:
    ///   - update: The function to check.
    ///   - states: Generates states. If a state refers to objects, the generator must create new objects for each
    ///     state.
    ///   - inputs: Generates inputs.
    public func property<S: Equatable & SendableMetatype, Input>(
        of update: @escaping @Sendable (inout S, Input) -> Void, states: Gen<S>, inputs: Gen<Input>
    ) -> Property {
        property(of: update, states: states, inputs: inputs, isSameState: { isSame($0, $1) })
    }
}
