import PropertyTesting

/// What a law of a reducer is tried on.
struct ReducerSample<S, Input>: CustomStringConvertible {
    let state: S
    /// The same state, made apart from it: shows what became of the objects in the other one.
    let twin: S
    let input: Input
    /// What the function is called with between two calls, by the law that is about that.
    let between: (state: S, input: Input)?

    static func gen(_ states: Gen<S>, _ inputs: Gen<Input>, between isCalledBetween: Bool) -> Gen<ReducerSample> {
        let once = Gen.zip(states.twins, inputs)
        guard isCalledBetween else {
            return once.map { ReducerSample(state: $0.0, twin: $0.1, input: $1, between: nil) }
        }
        return Gen.zip(once, states, inputs).map {
            ReducerSample(state: $0.0.0, twin: $0.0.1, input: $0.1, between: ($1, $2))
        }
    }

    var description: String {
        // The twin is what the generator made; the law may be that `state` is no longer.
        let once = "state: \(described(twin)), input: \(described(input))"
        guard let between else { return once }
        return once + ", between: \(described(between.state)), \(described(between.input))"
    }
}
