public import ArchitectureEngine
public import FunctionalCore
public import Optics

extension Component {
    /// Creates a component with subscriptions that follow from its state; see ``Subscription``.
    ///
    /// `subscriptions` is called with the initial state and after each change, before observers are notified. The
    /// component compares the returned ids with the previous ids:
    ///
    /// - Subscriptions with a new id are started, each in a task. The tasks are created in the order of the list.
    /// - Subscriptions whose id was already listed keep running.
    /// - Subscriptions whose id is no longer listed are cancelled. Their inputs that have not been processed are
    ///   dropped.
    ///
    /// If an id is listed twice, the first subscription is used. A subscription that has ended or failed does not
    /// restart as long as its id stays in the list. It restarts if its id is removed from the list and later added
    /// again. A subscription that is listed again after it was cancelled starts at once, even if the cancelled task has
    /// not ended.
    ///
    /// Subscriptions do not retain the component. They are cancelled when it is deallocated.
    ///
    /// - Parameters:
    ///   - initialState: The state before the first input.
    ///   - environment: The environment of actions and subscriptions. The expression is evaluated each time an action
    ///     needs it, and for each start of a subscription.
    ///   - executor: The executor of subscriptions and of the tasks that run asynchronous actions; `nil` is the global
    ///     executor.
    ///   - maximumChain: See `init(initialState:environment:executor:maximumChain:trace:dispatcher:)`.
    ///   - trace: Records what the component does.
    ///   - dispatcher: The dispatcher that the component runs.
    ///   - subscriptions: Returns the subscriptions that a state asks for. It is called after every change, on the
    ///     thread that makes the change, so it should be cheap and have no side effects. See also
    ///     `init(initialState:environment:executor:maximumChain:trace:dispatcher:watching:subscriptions:)`.
    @inlinable
    public convenience init<Environment>(
        initialState: S,
        environment: @escaping @Sendable @autoclosure () -> Environment,
        executor: (any TaskExecutor)? = nil,
        maximumChain: Int = 2_000_000,
        trace: Trace? = nil,
        dispatcher: StateDispatcher<Environment, S, Input>,
        subscriptions: @escaping @Sendable (S) -> [Subscription<Environment, Input>]
    ) {
        self.init(
            initialState: initialState, environment: environment(), executor: executor, maximumChain: maximumChain,
            trace: trace, dispatcher: dispatcher)
        let active = ActiveSubscriptions(runtime, environment)
        _ = runtime.attach(active.observer(subscriptions))
    }

    /// Creates a component with subscriptions that follow from its state, and an environment that can read the state.
    ///
    /// The environment of a subscription can read the state, too. See
    /// `init(initialState:environment:executor:maximumChain:trace:dispatcher:)` and
    /// `init(initialState:environment:executor:maximumChain:trace:dispatcher:subscriptions:)`.
    @_disfavoredOverload
    @inlinable
    public convenience init<Environment>(
        initialState: S,
        environment: @escaping @Sendable (_ state: @escaping @Sendable () -> S) -> Environment,
        executor: (any TaskExecutor)? = nil,
        maximumChain: Int = 2_000_000,
        trace: Trace? = nil,
        dispatcher: StateDispatcher<Environment, S, Input>,
        subscriptions: @escaping @Sendable (S) -> [Subscription<Environment, Input>]
    ) {
        self.init(
            initialState: initialState, environment: environment, executor: executor, maximumChain: maximumChain,
            trace: trace, dispatcher: dispatcher)
        let active = ActiveSubscriptions(runtime) { [state = runtime.core.reader] in environment(state) }
        _ = runtime.attach(active.observer(subscriptions))
    }

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
    /// `init(initialState:environment:executor:maximumChain:trace:dispatcher:subscriptions:)`.
    @inlinable
    public convenience init<Environment, Part: Equatable & Sendable>(
        initialState: S,
        environment: @escaping @Sendable @autoclosure () -> Environment,
        executor: (any TaskExecutor)? = nil,
        maximumChain: Int = 2_000_000,
        trace: Trace? = nil,
        dispatcher: StateDispatcher<Environment, S, Input>,
        watching part: any KeyPath<S, Part> & Sendable,
        subscriptions: @escaping @Sendable (Part) -> [Subscription<Environment, Input>]
    ) {
        self.init(
            initialState: initialState, environment: environment(), executor: executor, maximumChain: maximumChain,
            trace: trace, dispatcher: dispatcher)
        let active = ActiveSubscriptions(runtime, environment)
        _ = runtime.attach(active.observer(subscriptions).onlyChanges(by: ==).on(StatePart(part)))
    }

    /// Creates a component with subscriptions that follow from a part of its state, and an environment that can read
    /// the state.
    ///
    /// The environment of a subscription can read the state, too. See
    /// `init(initialState:environment:executor:maximumChain:trace:dispatcher:)` and
    /// `init(initialState:environment:executor:maximumChain:trace:dispatcher:watching:subscriptions:)`.
    @_disfavoredOverload
    @inlinable
    public convenience init<Environment, Part: Equatable & Sendable>(
        initialState: S,
        environment: @escaping @Sendable (_ state: @escaping @Sendable () -> S) -> Environment,
        executor: (any TaskExecutor)? = nil,
        maximumChain: Int = 2_000_000,
        trace: Trace? = nil,
        dispatcher: StateDispatcher<Environment, S, Input>,
        watching part: any KeyPath<S, Part> & Sendable,
        subscriptions: @escaping @Sendable (Part) -> [Subscription<Environment, Input>]
    ) {
        self.init(
            initialState: initialState, environment: environment, executor: executor, maximumChain: maximumChain,
            trace: trace, dispatcher: dispatcher)
        let active = ActiveSubscriptions(runtime) { [state = runtime.core.reader] in environment(state) }
        _ = runtime.attach(active.observer(subscriptions).onlyChanges(by: ==).on(StatePart(part)))
    }
}
