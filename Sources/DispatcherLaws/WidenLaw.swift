import Dispatcher
import FunctionalCore
import FunctionalLaws
import Optics
import PropertyTesting

/// The laws of a child dispatcher that was widened to the environment, the state and the inputs of its parent.
///
/// The state of the child is a part of the state of its parent. The widened dispatcher changes this part as the child
/// does when it runs alone. It does not change the rest.
public enum WidenLaw: String, CaseIterable, Sendable {
    case aMissHasNoActions = "an input that the prism does not match has no actions"
    case asManyActions = "an input that matches has as many actions as the child"
    /// The state outside of the focus of the lens does not change.
    case frame = "set(s', get(s)) == s, after each action"
    /// After each action, the part is equal to the state of a child that runs alone.
    ///
    /// The traces must agree in states, failure and log. The child runs in the environment that `transformEnvironment`
    /// returns for the environment of the parent.
    case focus = "get(s') == the child's state run alone, after each action"
}

extension WidenLaw {
    /// Returns a property that checks this law for a widened dispatcher, with closures that compare states.
    ///
    /// It does not matter how `widened` was created.
    ///
    /// An input that the law makes no statement about is discarded. If too many inputs are discarded, the property
    /// fails. All laws except ``aMissHasNoActions`` discard inputs that `prism` does not match, and
    /// ``aMissHasNoActions`` discards the others.
    ///
    /// - Parameters:
    ///   - widened: The dispatcher to check, which takes the inputs and states of the parent.
    ///   - child: The dispatcher of the part, which `widened` should behave like.
    ///   - transformEnvironment: Returns the environment of the child for an environment of the parent.
    ///   - lens: A lens from the state of the parent to the state of the child.
    ///   - prism: A prism from the inputs of the parent to the inputs of the child.
    ///   - inputs: Generates inputs of the parent, some of which should match `prism` and some not.
    ///   - states: Generates states of the parent.
    ///   - isSameState: Returns whether two states of the child are equal.
    ///   - isSameParentState: Returns whether two states of the parent are equal.
    ///   - environment: Creates an environment of the parent whose effects write to the log, and behave the same each
    ///     time.
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
                // The law makes no statement about this input. If no input matches, the property fails instead of
                // passing.
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

    /// Returns a property that checks this law for a widened dispatcher whose states are `Equatable`.
    ///
    /// Two states are equal if `==` returns `true` and their text has the same Unicode scalars. NaN is equal to NaN.
    /// The overview of FunctionalLaws states the exceptions.
    ///
    /// It does not matter how `widened` was created. Inputs that the law makes no statement about are discarded. If too
    /// many inputs are discarded, the property fails.
    ///
    /// - Parameters:
    ///   - widened: The dispatcher to check, which takes the inputs and states of the parent.
    ///   - child: The dispatcher of the part, which `widened` should behave like.
    ///   - transformEnvironment: Returns the environment of the child for an environment of the parent.
    ///   - lens: A lens from the state of the parent to the state of the child.
    ///   - prism: A prism from the inputs of the parent to the inputs of the child.
    ///   - inputs: Generates inputs of the parent, some of which should match `prism` and some not.
    ///   - states: Generates states of the parent.
    ///   - environment: Creates an environment of the parent whose effects write to the log, and behave the same each
    ///     time.
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
