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
        Property(ReducerSample.gen(states, inputs, between: self == .nothingIsRemembered)) { sample in
            let (state, twin, input) = (sample.state, sample.twin, sample.input)
            let verdict = Verdict(law: rawValue)
            switch self {
            case .sameInputSameOutput:
                try verdict.same(reduce(state, input), reduce(twin, input), by: isSameOutput)
            case .nothingIsRemembered:
                let before = reduce(state, input)
                if let (other, otherInput) = sample.between { _ = reduce(other, otherInput) }
                try verdict.same(before, reduce(twin, input), by: isSameOutput)
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
            of: reduce, states: states, inputs: inputs, isSameState: { $0 == $1 }, isSameOutput: { $0 == $1 })
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
        property(of: update, states: states, inputs: inputs, isSameState: { $0 == $1 })
    }
}
