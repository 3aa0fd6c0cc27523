public import ArchitectureEngine
public import FunctionalCore

extension Component {
    /// A component that also has subscriptions, as each state asks for them; see ``Subscription``.
    ///
    /// `subscriptions` is asked with the first state, and after each change, before observers are told of it. What it
    /// lists for the first time is started, in tasks that are made in that order; what it listed before goes on, and
    /// what it lists no longer is cancelled: nothing of that arrives any more, not even what is on its way. Where an id
    /// is listed twice, the first is taken. One that has ended, or has failed, is not started again until the state has
    /// not asked for it in between; one that was cancelled may still be winding down when it is. Letting go of the
    /// component cancels all; they do not keep it alive.
    ///
    /// - Parameters:
    ///   - initialState: The first state.
    ///   - environment: What actions and subscriptions may use; evaluated anew for each start of one.
    ///   - executor: Where subscriptions run, and actions that have waited; `nil` is the global executor.
    ///   - maximumChain: See `init(initialState:environment:executor:maximumChain:dispatcher:)`.
    ///   - dispatcher: What to do for each input.
    ///   - subscriptions: Which subscriptions a state asks for. It is called by whoever changes the state, very often:
    ///     it should do nothing else, and cost little. See also
    ///     `init(initialState:environment:executor:maximumChain:dispatcher:watching:subscriptions:)`.
    @inlinable
    public convenience init<Environment>(
        initialState: S,
        environment: @escaping @Sendable @autoclosure () -> Environment,
        executor: (any TaskExecutor)? = nil,
        maximumChain: Int = 2_000_000,
        dispatcher: StateDispatcher<Environment, S, Input>,
        subscriptions: @escaping @Sendable (S) -> [Subscription<Environment, Input>]
    ) {
        self.init(
            initialState: initialState, environment: environment(), executor: executor, maximumChain: maximumChain,
            dispatcher: dispatcher)
        let active = ActiveSubscriptions(root, environment)
        _ = root.attach(Observer { state in active.update(to: subscriptions(state.pointee)) })
    }

    /// A component with subscriptions that a part of its state asks for: `subscriptions` is asked when that part has
    /// changed.
    ///
    /// ```swift
    /// Component(
    ///     initialState: Stopwatch(), environment: (), dispatcher: stopwatch,
    ///     watching: \.isRunning, subscriptions: { isRunning in isRunning ? [ticks] : [] })
    /// ```
    ///
    /// Costs a comparison for each change, and a copy of the part. For the rest see
    /// `init(initialState:environment:executor:maximumChain:dispatcher:subscriptions:)`.
    @inlinable
    public convenience init<Environment, Part: Equatable & Sendable>(
        initialState: S,
        environment: @escaping @Sendable @autoclosure () -> Environment,
        executor: (any TaskExecutor)? = nil,
        maximumChain: Int = 2_000_000,
        dispatcher: StateDispatcher<Environment, S, Input>,
        watching part: any KeyPath<S, Part> & Sendable,
        subscriptions: @escaping @Sendable (Part) -> [Subscription<Environment, Input>]
    ) {
        self.init(
            initialState: initialState, environment: environment(), executor: executor, maximumChain: maximumChain,
            dispatcher: dispatcher)
        let active = ActiveSubscriptions(root, environment)
        let observer = Observer<Part> { part in active.update(to: subscriptions(part.pointee)) }
        _ = root.attach(observer.onlyChanges().on(PartReader(part)))
    }

    /// Calls `body` with each failure of a subscription, and its id.
    ///
    /// `body` runs in the isolation that it is formed in, in order, as in ``observe(_:)``. A failure that nobody is
    /// told of is written to standard error.
    @discardableResult
    public func onSubscriptionError(
        @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (any Error, SubscriptionID) -> Void
    ) -> Registration {
        let call = unisolated(body)
        return root.attachErrors(
            Observer(isolation: body.isolation, by: root.mainMailbox) { failed in call(failed.error, failed.id) })
    }
}
