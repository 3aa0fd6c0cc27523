import Dispatcher
import FunctionalCore
import FunctionalLaws
import PropertyTesting

/// The laws of combining dispatchers, and of asking a dispatcher for the actions of an input.
public enum CombineLaw: String, CaseIterable, Sendable {
    case associativity = "(a <> b) <> c == a <> (b <> c)"
    case leftIdentity = "empty <> d == d"
    case rightIdentity = "d <> empty == d"
    case denotation = "(a <> b).on(i) == a.on(i) ++ b.on(i)"
    /// Asking for the actions of an input again returns actions that behave the same.
    ///
    /// Each case asks for the actions of the same input many times. It also asks again for the actions of an input of
    /// an earlier case. For a dispatcher with a cache, use ``property(making:inputs:states:isSameState:environment:)``.
    case nothingIsRemembered = "d.on(i) == d.on(i)"
    /// Asking for the actions of an input runs no effect.
    ///
    /// The law compares the lines of a log before and after it asks. A dispatcher receives its environment only when
    /// its effects run. An effect that runs too early can therefore only write to a log that is stored elsewhere, for
    /// example in a global variable. The law notices such an effect only if your closure `environment` assigns its
    /// argument, the log, to this variable.
    ///
    /// The label "an action" in the text of a failure shows the percentage of the inputs that had actions.
    case askingRunsNothing = "on(i) runs no effect"
}

extension CombineLaw {
    /// Returns a property that checks this law for dispatchers, with a closure that compares states.
    ///
    /// - Parameters:
    ///   - dispatchers: Generates dispatchers, for example `Gen.element(of:)` with dispatchers of yours.
    ///   - inputs: Generates inputs.
    ///   - states: Generates states.
    ///   - isSameState: Returns whether two states are equal.
    ///   - environment: Creates an environment whose effects write to the log, and behave the same each time.
    public func property<Environment, S: Sendable, Input: Sendable>(
        of dispatchers: Gen<StateDispatcher<Environment, S, Input>>,
        inputs: Gen<Input>,
        states: Gen<S>,
        isSameState: @escaping @Sendable (S, S) -> Bool,
        environment: @escaping @Sendable (EffectLog) -> Environment
    ) -> Property {
        property(
            of: dispatchers, making: nil, inputs: inputs, states: states, isSameState: isSameState,
            environment: environment)
    }

    /// Returns a property that checks this law for dispatchers that a closure creates, such as dispatchers with caches.
    ///
    /// For ``nothingIsRemembered``, all cases ask the same dispatcher for its actions. These actions are compared with
    /// those of new dispatchers, each of which is used once. The law therefore finds a dispatcher that returns the
    /// actions of its first input for all later inputs.
    ///
    /// - Parameters:
    ///   - make: Creates a dispatcher. The dispatchers must not share mutable state. The closure is called once for the
    ///     property, and once per case by ``nothingIsRemembered``.
    ///   - inputs: Generates inputs.
    ///   - states: Generates states.
    ///   - isSameState: Returns whether two states are equal.
    ///   - environment: Creates an environment whose effects write to the log, and behave the same each time.
    public func property<Environment, S: Sendable, Input: Sendable>(
        making make: @escaping @Sendable () -> StateDispatcher<Environment, S, Input>,
        inputs: Gen<Input>,
        states: Gen<S>,
        isSameState: @escaping @Sendable (S, S) -> Bool,
        environment: @escaping @Sendable (EffectLog) -> Environment
    ) -> Property {
        property(
            of: .always(make()), making: make, inputs: inputs, states: states, isSameState: isSameState,
            environment: environment)
    }

    private func property<Environment, S: Sendable, Input: Sendable>(
        of dispatchers: Gen<StateDispatcher<Environment, S, Input>>,
        making make: (@Sendable () -> StateDispatcher<Environment, S, Input>)?,
        inputs: Gen<Input>,
        states: Gen<S>,
        isSameState: @escaping @Sendable (S, S) -> Bool,
        environment: @escaping @Sendable (EffectLog) -> Environment
    ) -> Property {
        typealias Asked = (
            dispatcher: StateDispatcher<Environment, S, Input>, input: Input, state: S, trace: DispatchTrace<S>
        )
        let earlier = Earlier<Asked>()
        return Property(CombineSample.gen(for: self, dispatchers, inputs, states)) { sample in
            let verdict = Verdict(law: rawValue)
            let (a, b, c, input) = (sample.a, sample.b, sample.c, sample.input)
            func same(
                _ left: StateDispatcher<Environment, S, Input>, _ right: StateDispatcher<Environment, S, Input>
            ) async throws {
                try verdict.sameTrace(
                    await left.trace(input, state: sample.state, environment: environment),
                    await right.trace(input, state: sample.state, environment: environment), by: isSameState)
            }
            switch self {
            case .associativity: try await same(a.combine(b).combine(c), a.combine(b.combine(c)))
            case .leftIdentity: try await same(.empty.combine(a), a)
            case .rightIdentity: try await same(a.combine(.empty), a)
            case .denotation: try await same(a.combine(b), .workflow { a.on($0) + b.on($0) })
            case .nothingIsRemembered:
                let first = await a.trace(input, state: sample.state, environment: environment)
                for _ in 0..<16 {
                    try verdict.sameTrace(
                        first, await a.trace(input, state: sample.state, environment: environment), by: isSameState)
                }
                if let make {
                    let new = await make().trace(input, state: sample.state, environment: environment)
                    try verdict.sameTrace(first, new, at: "by a new dispatcher", by: isSameState)
                }
                if let past = earlier.next() {
                    let again = await past.dispatcher.trace(past.input, state: past.state, environment: environment)
                    try verdict.sameTrace(
                        past.trace, again,
                        at: "for input \(described(past.input)), state \(described(past.state)), "
                            + "of an earlier case", by: isSameState)
                }
                earlier.keep((a, input, sample.state, first))
            case .askingRunsNothing:
                let log = EffectLog()
                _ = environment(log)
                let before = log.lines
                classify(!a.on(input).isEmpty, "an action")
                try verdict.same(log.lines, before)
            }
        }
    }

    /// Returns a property that checks this law for dispatchers whose states are `Equatable`.
    ///
    /// Two states are equal if `==` returns `true` and their text has the same Unicode scalars. NaN is equal to NaN.
    /// The overview of FunctionalLaws states the exceptions.
    ///
    /// - Parameters:
    ///   - dispatchers: Generates dispatchers, for example `Gen.element(of:)` with dispatchers of yours.
    ///   - inputs: Generates inputs.
    ///   - states: Generates states.
    ///   - environment: Creates an environment whose effects write to the log, and behave the same each time.
    public func property<Environment, S: Equatable & Sendable, Input: Sendable>(
        of dispatchers: Gen<StateDispatcher<Environment, S, Input>>,
        inputs: Gen<Input>,
        states: Gen<S>,
        environment: @escaping @Sendable (EffectLog) -> Environment
    ) -> Property {
        property(
            of: dispatchers, inputs: inputs, states: states, isSameState: { isSame($0, $1) },
            environment: environment)
    }
}
