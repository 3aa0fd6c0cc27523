public import ArchitectureEngine
public import FunctionalCore
public import Optics

extension Component {
    /// Creates a component with subscriptions that follow from a part of its state.
    ///
    /// `subscriptions` is called with the initial value of the part, and then only when the part has changed.
    ///
    /// ```swift
    /// Component(
    ///     initialState: Stopwatch(), environment: (), dispatcher: stopwatch,
    ///     watching: \.isRunning, subscriptions: { isRunning in isRunning ? [ticks] : [] })
    /// ```
    ///
    /// The part is compared after each change, and its last value is kept. For the other parameters, see
    /// `init(initialState:environment:executor:carrying:maximumChain:trace:dispatcher:subscriptions:)`.
    @inlinable
    public convenience init<Environment, Part: Equatable & Sendable>(
        initialState: S,
        environment: @escaping @Sendable @autoclosure () -> Environment,
        executor: (any TaskExecutor)? = nil,
        carrying: CarriedValues? = nil,
        maximumChain: Int = 2_000_000,
        trace: Trace? = nil,
        dispatcher: StateDispatcher<Environment, S, Input>,
        watching part: any KeyPath<S, Part> & Sendable,
        subscriptions: @escaping @Sendable (Part) -> [Subscription<Environment, Input>]
    ) {
        self.init(
            initialState: initialState, environment: environment(), executor: executor, carrying: carrying,
            maximumChain: maximumChain, trace: trace, dispatcher: dispatcher)
        let active = ActiveSubscriptions(runtime, environment)
        _ = runtime.attach(active.observer(subscriptions).onlyChanges(by: ==).on(StatePart(part)))
    }

    /// Creates a component with subscriptions that follow from a part of its state, and an environment that can read
    /// the state.
    ///
    /// The environment of a subscription can read the state, too. See
    /// `init(initialState:environment:executor:carrying:maximumChain:trace:dispatcher:subscriptions:)` and
    /// `init(initialState:environment:executor:carrying:maximumChain:trace:dispatcher:watching:subscriptions:)`.
    @_disfavoredOverload
    @inlinable
    public convenience init<Environment, Part: Equatable & Sendable>(
        initialState: S,
        environment: @escaping @Sendable (_ state: @escaping @Sendable () -> S) -> Environment,
        executor: (any TaskExecutor)? = nil,
        carrying: CarriedValues? = nil,
        maximumChain: Int = 2_000_000,
        trace: Trace? = nil,
        dispatcher: StateDispatcher<Environment, S, Input>,
        watching part: any KeyPath<S, Part> & Sendable,
        subscriptions: @escaping @Sendable (Part) -> [Subscription<Environment, Input>]
    ) {
        self.init(
            initialState: initialState, environment: environment, executor: executor, carrying: carrying,
            maximumChain: maximumChain, trace: trace, dispatcher: dispatcher)
        let active = ActiveSubscriptions(runtime) { [state = runtime.core.reader] in environment(state) }
        _ = runtime.attach(active.observer(subscriptions).onlyChanges(by: ==).on(StatePart(part)))
    }

    /// Runs the subscriptions that a value asks for, if there are any.
    @inlinable
    func run<Environment>(
        _ subscriptions: (@Sendable (S) -> [Subscription<Environment, Input>])?,
        in environment: @escaping @Sendable () -> Environment
    ) {
        guard let subscriptions else { return }
        _ = runtime.attach(ActiveSubscriptions(runtime, environment).observer(subscriptions))
    }
}
