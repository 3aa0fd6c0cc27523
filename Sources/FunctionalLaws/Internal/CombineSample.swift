import Dispatcher
import PropertyTesting

/// What a law of combined dispatchers is tried on.
struct CombineSample<Environment, S: Sendable, Input: Sendable>: Sendable, CustomStringConvertible {
    let a: StateDispatcher<Environment, S, Input>
    let b: StateDispatcher<Environment, S, Input>
    let c: StateDispatcher<Environment, S, Input>
    let input: Input
    let state: S

    static func gen(
        _ dispatchers: Gen<StateDispatcher<Environment, S, Input>>, _ inputs: Gen<Input>, _ states: Gen<S>
    ) -> Gen<CombineSample> {
        Gen.zip(dispatchers, dispatchers, dispatchers, inputs, states).map {
            CombineSample(a: $0, b: $1, c: $2, input: $3, state: $4)
        }
    }

    /// A dispatcher is a function and has no text: what tells one from another is what it has for the input.
    var description: String {
        """
        a: \(actions(of: a)), b: \(actions(of: b)), c: \(actions(of: c)), input: \(described(input)), \
        state: \(described(state))
        """
    }

    private func actions(of dispatcher: StateDispatcher<Environment, S, Input>) -> String {
        switch dispatcher.on(input).count {
        case 0: "no actions"
        case 1: "1 action"
        case let count: "\(count) actions"
        }
    }
}
