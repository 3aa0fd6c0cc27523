import Dispatcher
import FunctionalCore
import PropertyTesting

/// What dispatchers of yours keep when they are asked and combined.
public enum CombineLaw: String, CaseIterable, Sendable {
    /// `(a <> b) <> c == a <> (b <> c)`
    case associativity = "(a <> b) <> c == a <> (b <> c)"
    /// `empty <> d == d`
    case leftIdentity = "empty <> d == d"
    /// `d <> empty == d`
    case rightIdentity = "d <> empty == d"
    /// `(a <> b).on(i) == a.on(i) ++ b.on(i)`
    case denotation = "(a <> b).on(i) == a.on(i) ++ b.on(i)"
    /// Asking for the actions of an input again answers the same, and running them does too: nothing is remembered.
    ///
    /// Each case asks many times, and asks for an input of an earlier case again.
    case nothingIsRemembered = "d.on(i) == d.on(i)"
    /// Asking runs nothing: what effects do, they do when they are run.
    ///
    /// What is noticed is what was written into the log of the newest environment. A dispatcher has no environment
    /// before its effects run, so that one which does something when it is asked has to reach that log by another way:
    /// let `environment` put the log where the dispatcher's doubles write. The label says how many inputs had an
    /// action.
    case askingRunsNothing = "on(i) runs no effect"
}

extension CombineLaw {
    /// The law for dispatchers of yours, over generated inputs and states.
    ///
    /// - Parameters:
    ///   - dispatchers: Makes dispatchers; `Gen.element(of:)` for some of your own.
    ///   - inputs: Makes inputs.
    ///   - states: Makes states.
    ///   - isSameState: Whether two states are the same.
    ///   - environment: Makes an environment whose effects write what they do into the log, and do the same each time.
    public func property<Environment, S: Sendable, Input: Sendable>(
        of dispatchers: Gen<StateDispatcher<Environment, S, Input>>,
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

    /// The law for dispatchers of yours, whose states are compared by `==`.
    ///
    /// - Parameters:
    ///   - dispatchers: Makes dispatchers; `Gen.element(of:)` for some of your own.
    ///   - inputs: Makes inputs.
    ///   - states: Makes states.
    ///   - environment: Makes an environment whose effects write what they do into the log, and do the same each time.
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
