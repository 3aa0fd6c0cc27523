import Dispatcher
import FunctionalLaws
import PropertyTesting

/// What a law of combined dispatchers is tried on.
struct CombineSample<Environment, S: Sendable, Input: Sendable>: Sendable, CustomStringConvertible {
    let a: StateDispatcher<Environment, S, Input>
    let b: StateDispatcher<Environment, S, Input>
    let c: StateDispatcher<Environment, S, Input>
    let input: Input
    let state: S
    /// How many of the dispatchers the law is about.
    let count: Int

    static func gen(
        for law: CombineLaw, _ dispatchers: Gen<StateDispatcher<Environment, S, Input>>, _ inputs: Gen<Input>,
        _ states: Gen<S>
    ) -> Gen<CombineSample> {
        let count =
            switch law {
            case .associativity: 3
            case .denotation: 2
            case .leftIdentity, .rightIdentity, .nothingIsRemembered, .askingRunsNothing: 1
            }
        return Gen.zip(dispatchers, dispatchers, dispatchers, inputs, states).map {
            CombineSample(a: $0, b: $1, c: $2, input: $3, state: $4, count: count)
        }
    }

    /// A dispatcher is a function and has no text: what tells one from another is what it has for the input.
    var description: String {
        let dispatchers = zip(["a", "b", "c"], [a, b, c]).prefix(count).map { "\($0): \(actions(of: $1))" }
        return (dispatchers + ["input: \(described(input))", "state: \(described(state))"]).joined(separator: ", ")
    }

    private func actions(of dispatcher: StateDispatcher<Environment, S, Input>) -> String {
        switch dispatcher.on(input).count {
        case 0: "no actions"
        case 1: "1 action"
        case let count: "\(count) actions"
        }
    }
}
