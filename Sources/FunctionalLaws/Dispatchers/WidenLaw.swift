import Dispatcher
import FunctionalCore
import Optics
import PropertyTesting

/// What a child that was widened keeps in its parent: the frame stays, and the focus is the child.
public enum WidenLaw: String, CaseIterable, Sendable {
    /// An input that the prism does not match has no actions.
    case aMissHasNoActions = "an input that the prism does not match has no actions"
    /// An input that matches has as many actions as the child.
    case asManyActions = "an input that matches has as many actions as the child"
    /// What is outside of the lens' focus is as it was after each action: `set(s', get(s)) == s`.
    case frame = "set(s', get(s)) == s, after each action"
    /// The part changes as the child's state does alone, in the child's environment: states, failure and log.
    case focus = "get(s') == the child's state run alone, after each action"
}

extension WidenLaw {
    /// The law for a dispatcher that should be `child`, widened; however it was made.
    ///
    /// - Parameters:
    ///   - widened: What works on the parent's environment, state and input.
    ///   - child: What it should be, on the part.
    ///   - transformEnvironment: The child's environment in the parent's.
    ///   - lens: The child's state in the parent's.
    ///   - prism: The child's input in the parent's.
    ///   - inputs: Makes inputs of the parent, those of the child among them.
    ///   - states: Makes states of the parent.
    ///   - isSameState: Whether two states of the child are the same.
    ///   - isSameParentState: Whether two states of the parent are the same.
    ///   - environment: Makes an environment whose effects write what they do into the log.
    public func property<E, S: Sendable, I, PE, PS: Sendable, PI: Sendable>(
        of widened: StateDispatcher<PE, PS, PI>,
        child: StateDispatcher<E, S, I>,
        transformEnvironment: @escaping @Sendable (PE) -> E,
        transformState lens: Lens<PS, S>,
        transformInput prism: Prism<PI, I>,
        inputs: Gen<PI>,
        states: Gen<PS>,
        isSameState: @escaping @Sendable (S, S) -> Bool,
        isSameParentState: @escaping @Sendable (PS, PS) -> Bool,
        environment: @escaping @Sendable (EffectLog) -> PE
    ) -> Property {
        Property(Gen.zip(inputs, states).map { (input: $0, state: $1) }) { sample in
            let (input, state) = sample
            let verdict = Verdict(law: rawValue)
            guard let childInput = prism.extract(input) else {
                // Says nothing about this input. Where none matches, the law gives up instead of passing.
                guard self == .aMissHasNoActions else { throw Discarded() }
                return try verdict.same(widened.on(input).count, 0)
            }
            switch self {
            case .aMissHasNoActions: throw Discarded()
            case .asManyActions: try verdict.same(widened.on(input).count, child.on(childInput).count)
            case .frame:
                let trace = await widened.trace(input, state: state, environment: environment)
                try verdict.sameStates(
                    trace.states.map { lens.setting($0, lens.get(state)) }, trace.states.map { _ in state },
                    by: isSameParentState)
            case .focus:
                let whole = await widened.trace(input, state: state, environment: environment)
                let alone = await child.trace(childInput, state: lens.get(state)) {
                    transformEnvironment(environment($0))
                }
                let part = DispatchTrace(
                    actions: alone.actions, states: whole.states.map { lens.get($0) }, failure: whole.failure,
                    log: whole.log)
                try verdict.sameTrace(part, alone, by: isSameState)
            }
        }
    }

    /// The law for a dispatcher that should be `child`, widened; states are compared by `==`.
    ///
    /// - Parameters:
    ///   - widened: What works on the parent's environment, state and input.
    ///   - child: What it should be, on the part.
    ///   - transformEnvironment: The child's environment in the parent's.
    ///   - lens: The child's state in the parent's.
    ///   - prism: The child's input in the parent's.
    ///   - inputs: Makes inputs of the parent, those of the child among them.
    ///   - states: Makes states of the parent.
    ///   - environment: Makes an environment whose effects write what they do into the log.
    public func property<E, S: Equatable & Sendable, I, PE, PS: Equatable & Sendable, PI: Sendable>(
        of widened: StateDispatcher<PE, PS, PI>,
        child: StateDispatcher<E, S, I>,
        transformEnvironment: @escaping @Sendable (PE) -> E,
        transformState lens: Lens<PS, S>,
        transformInput prism: Prism<PI, I>,
        inputs: Gen<PI>,
        states: Gen<PS>,
        environment: @escaping @Sendable (EffectLog) -> PE
    ) -> Property {
        property(
            of: widened, child: child, transformEnvironment: transformEnvironment, transformState: lens,
            transformInput: prism, inputs: inputs, states: states, isSameState: { isSame($0, $1) },
            isSameParentState: { isSame($0, $1) }, environment: environment)
    }
}
