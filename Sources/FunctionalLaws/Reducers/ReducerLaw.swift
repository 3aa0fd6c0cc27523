import PropertyTesting

/// What reducers and updates must keep, whatever library runs them: they are plain functions.
///
/// ```swift
/// @Test(arguments: ReducerLaw.allCases) func counter(_ law: ReducerLaw) async {
///     await law.property(of: reduce, states: state, inputs: Gen<Event>.allCases).check()
/// }
/// ```
public enum ReducerLaw: String, CaseIterable, Sendable {
    /// Equal inputs have equal outputs: `f(s, a) == f(s, a)`.
    case sameInputSameOutput = "f(s, a) == f(s, a)"
    /// Nothing is remembered between calls: `f(s, a)` is the same after `f(t, b)`.
    case nothingIsRemembered = "f(s, a) == { f(t, b); f(s, a) }"
    /// The state that was given is as it was, also where parts of it are objects.
    case theOldStateIsUntouched = "s is the same before and after f(s, a)"
}

extension ReducerLaw {
    /// The law for a function from a state and an input to an output, such as a new state, or one with effects.
    ///
    /// Each case asks the function many times, so that one which answers otherwise now and then is found. A function
    /// that always answers an input as it did first, whatever the state, answers consistently and is not found: check
    /// it by ``property(making:states:inputs:isSameState:isSameOutput:)``.
    ///
    /// - Parameters:
    ///   - reduce: The function.
    ///   - states: Makes states. Where a state has objects in it, it must make new ones each time.
    ///   - inputs: Makes inputs.
    ///   - isSameState: Whether two states are the same.
    ///   - isSameOutput: Whether two outputs are the same.
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

    /// The law for functions that `make` makes, such as those with a cache of their own.
    ///
    /// ``nothingIsRemembered`` compares a function that was asked all cases with new ones, which were asked nothing. It
    /// therefore notices a cache whose key leaves out the state.
    ///
    /// ```swift
    /// await ReducerLaw.nothingIsRemembered.property(
    ///     making: { makeCachingReducer() }, states: state, inputs: Gen<Event>.allCases,
    ///     isSameState: { $0 == $1 }, isSameOutput: { $0 == $1 }
    /// ).check()
    /// ```
    ///
    /// - Parameters:
    ///   - make: Makes the function, with no memory of what others were asked.
    ///   - states: Makes states. Where a state has objects in it, it must make new ones each time.
    ///   - inputs: Makes inputs.
    ///   - isSameState: Whether two states are the same.
    ///   - isSameOutput: Whether two outputs are the same.
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
                // Also the state with the other's input, and the input with the other's state.
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
                            + "input \(described(question.input)), asked of a new function", by: isSameOutput)
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

    /// The law for a function whose states and outputs are compared by `==`.
    public func property<S: Equatable & SendableMetatype, Input, Output: Equatable & SendableMetatype>(
        of reduce: @escaping @Sendable (S, Input) -> Output, states: Gen<S>, inputs: Gen<Input>
    ) -> Property {
        property(
            of: reduce, states: states, inputs: inputs, isSameState: { isSame($0, $1) },
            isSameOutput: { isSame($0, $1) })
    }

    /// The law for a function that changes the state in place.
    ///
    /// - Parameters:
    ///   - update: The function.
    ///   - states: Makes states. Where a state has objects in it, it must make new ones each time.
    ///   - inputs: Makes inputs.
    ///   - isSameState: Whether two states are the same.
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

    /// The law for a function that changes the state in place, where states are compared by `==`.
    public func property<S: Equatable & SendableMetatype, Input>(
        of update: @escaping @Sendable (inout S, Input) -> Void, states: Gen<S>, inputs: Gen<Input>
    ) -> Property {
        property(of: update, states: states, inputs: inputs, isSameState: { isSame($0, $1) })
    }
}
