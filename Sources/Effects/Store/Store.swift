public import ArchitectureEngine
public import FunctionalCore
public import Observation

/// Keeps a state, changes it by actions, and hands every action to effects.
///
/// ```swift
/// let store = Store(reducer: reducer, initialState: AppState(), effects: [PostDetailsView.getPostEffect])
/// store.select(\.title).observe { title in print(title) }
/// store.dispatch(action: GetPost(id: "1"))
/// ```
///
/// Actions are processed one at a time, in the order in which they are dispatched. For each action the state is changed,
/// then observers are notified, then the action is delivered to effects, each in registration order.
/// ``dispatch(action:)`` says what has happened when it returns, and ``settled()`` waits until nothing is left to do. An
/// action that is dispatched while another one is processed is enqueued: observers and effects see causes before
/// consequences, and a chain of any length needs no stack.
///
/// Letting go of the store ends its effects. After ReCombine's type of this name.
public final class Store<S: Sendable>: Sendable {
    @usableFromInline let root: StoreRoot<S>

    /// A store whose effects need no environment.
    ///
    /// - Parameters:
    ///   - reducer: How actions change the state, in place.
    ///   - initialState: The first state.
    ///   - effects: Those that live as long as the store. All listen before any begins.
    ///   - middleware: What actions pass before the reducer, the outermost first.
    ///   - executor: Where tasks of effects run that name no isolation; `nil` is the global executor.
    ///   - maximumChain: How many actions may follow synchronously from one action and repeat a sender among their
    ///     causes, before the chain is stopped and reported as a ``RunawayEffect``. Raise it if a chain of more than two
    ///     million actions is intended.
    public init(
        reducer: @escaping ReducerFn<S>,
        initialState: S,
        effects: [Effect<Void>] = [],
        middleware: [Middleware<S>] = [],
        executor: (any TaskExecutor)? = nil,
        maximumChain: Int = 2_000_000
    ) {
        root = StoreRoot(
            state: initialState, reduce: reducer, executor: executor,
            maximumChain: maximumChain)
        for middleware in middleware { add(middleware) }
        if !effects.isEmpty { root.register(effects.map { EffectRun($0) }) }
    }

    /// A store whose effects use an environment; see `init(reducer:initialState:effects:)`.
    ///
    /// The environment is evaluated for each effect, and again when one begins anew: what they are to share, such as a
    /// cache, is made before and named here.
    public convenience init<Environment>(
        reducer: @escaping ReducerFn<S>,
        initialState: S,
        environment: @escaping @Sendable @autoclosure () -> Environment,
        effects: [Effect<Environment>],
        middleware: [Middleware<S>] = [],
        executor: (any TaskExecutor)? = nil,
        maximumChain: Int = 2_000_000
    ) {
        self.init(
            reducer: reducer, initialState: initialState, effects: effects.map { $0.provide(environment()) },
            middleware: middleware, executor: executor, maximumChain: maximumChain)
    }

    /// A store with a reducer that returns the new state; with other parameters, give the other initializers
    /// `reducer { state, action in … }`.
    public convenience init(
        reducer: @escaping @Sendable (S, any Action) -> S,
        initialState: S,
        effects: [Effect<Void>] = []
    ) {
        self.init(
            reducer: { (state: inout S, action) in state = reducer(state, action) }, initialState: initialState,
            effects: effects)
    }

    deinit { root.close() }
}

// MARK: - Actions

extension Store {
    /// Processes an action: reduces it, notifies observers, and delivers it to effects. May be called from any thread.
    ///
    /// If no other action is being processed, all of that has happened when this returns, and the answers of effects
    /// that do not wait have been processed as well, unless other threads dispatch many actions meanwhile: then the rest
    /// is handed to another thread. Otherwise the action is enqueued: if this is called by an observer,
    /// an effect, a middleware or a reducer of the store, or while another thread processes an action. It is then
    /// processed in turn, possibly by that other thread after this has returned. ``settled()`` waits for it.
    @inlinable
    public func dispatch(action: any Action) {
        root.dispatch(action)
    }

    /// Dispatches the elements of the sequence that `actions` makes, in a task, each when the one before was handled.
    ///
    /// Its end ends nothing else; its failure is reported, and it is not begun anew, as what came would come twice.
    @discardableResult
    public func dispatch<Actions: AsyncSequence & SendableMetatype>(
        actionsOf actions: @escaping @Sendable () -> Actions,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> EffectRegistration where Actions.Element: Action, Actions.AsyncIterator: SendableMetatype {
        register(
            Effect(onFailure: .stop, file: file, line: line) { _ in ActionStream(of: actions).eraseActionType() })
    }

    /// All actions from now on, each after the state was changed by it. Ends with the store.
    ///
    /// - Parameter buffering: What becomes of actions that come faster than they are taken.
    public func actions(
        buffering: AsyncStream<any Action>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<any Action> {
        AsyncStream(bufferingPolicy: buffering) { continuation in
            let effect = Effect(dispatch: false) { actions in actions.handleEvents { continuation.yield($0) } }
            let registration = register(EffectRun(effect, onEnd: { continuation.finish() }))
            continuation.onTermination = { _ in registration.cancel() }
        }
    }
}

// MARK: - Waiting

extension Store {
    /// Waits until all actions are processed and no work of an effect is under way that ends by itself.
    ///
    /// Such work is a request of a `flatMap`, a program, and a value that `delay`, `debounce` or `throttle` holds.
    /// Asynchronous sequences that have not ended do not count. Observers without isolation have then been notified;
    /// observers on an actor may not have been, see ``settledIncludingObservers()``.
    ///
    /// The call retains the store while it waits. May be called from any thread, but not by a request of the store,
    /// which would wait for itself.
    ///
    /// ```swift
    /// store.dispatch(action: GetPost(id: "1"))
    /// try await store.settled()
    /// ```
    ///
    /// - Throws: `CancellationError` if the calling task is cancelled.
    public func settled() async throws {
        try await root.settled(includingObservers: false)
    }

    /// Waits until all actions are processed, no work of an effect is under way that ends by itself, and all observers
    /// have been notified, also those on the main actor and on other actors; see ``settled()``.
    ///
    /// - Throws: `CancellationError` if the calling task is cancelled.
    public func settledIncludingObservers() async throws {
        try await root.settled(includingObservers: true)
    }
}

// MARK: - Effects

extension Store {
    /// Runs an effect from now on. Within the handling of an action, from the next one on.
    ///
    /// The registration may be dropped: the effect then lives as long as the store.
    @discardableResult
    public func register(_ effect: Effect<Void>) -> EffectRegistration {
        register(EffectRun(effect))
    }

    /// Runs an effect for as long as `owner` lives.
    ///
    /// That the owner is gone is seen when the effect would be called: by an action that it listens to, or by what it
    /// has under way. Nothing of that arrives any more, and the rest is cancelled then.
    @discardableResult
    public func register(_ effect: Effect<Void>, for owner: some AnyObject & Sendable) -> EffectRegistration {
        register(EffectRun(effect, isOrphaned: { [weak owner] in owner == nil }))
    }

    /// Runs effects from now on, as a group that is ended by ``unregister(_:)``. All listen before any begins.
    ///
    /// Groups with the same name add up; effects without a group have none in common.
    public func register(_ effects: [Effect<Void>], as group: some Hashable & Sendable) {
        let runs = effects.map { EffectRun($0, in: GroupPlace(in: group)) }
        root.groups.add(runs.map { registration(of: $0) }, to: AnyHashable(group))
        root.register(runs)
    }

    /// Ends the effects of a group, as ``EffectRegistration/cancel()`` does. They may be registered again.
    public func unregister(_ group: some Hashable & Sendable) {
        root.groups.cancel(AnyHashable(group))
    }

    private func register(_ run: EffectRun) -> EffectRegistration {
        root.register([run])
        return registration(of: run)
    }

    private func registration(of run: EffectRun) -> EffectRegistration {
        EffectRegistration(run) { [weak root] in
            run.end(as: .cancelled)
            root?.enter(by: nil) { [weak root] in root?.forget(run) }
        }
    }

    /// Calls `body` with each failure of an effect, an ``EffectFailure`` or a ``RunawayEffect``, in turn.
    ///
    /// It runs in the isolation that it is formed in, in order. A failure that nobody is told of is written to standard
    /// error.
    @discardableResult
    public func onError(
        @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (any Error) -> Void
    ) -> Registration {
        root.attachFailures(Observer(isolation: body.isolation, by: root.mainMailbox, unisolated(body)))
    }
}

// MARK: - The state

extension Store: Observable {
    /// The state as it is now. May be read from any thread, except from within a reducer, which traps.
    ///
    /// `withObservationTracking`, and therefore SwiftUI, tracks the read. Each action notifies, whether or not it
    /// changes what was read of the state. To be notified of the changes of one part, read that part through `select`
    /// and ``Selection/value``.
    ///
    /// Notifications come after the change and on the main actor. None is lost there. On other threads use
    /// ``observe(_:)`` or ``states(buffering:)``.
    public var state: S {
        root.watch.read { root.core.read { $0 } }
    }

    /// Calls `body` with the state as it is now, and then after each action, whether or not it has changed.
    ///
    /// `body` runs in the isolation that it is formed in: on the main actor in a class of the main actor's, at once
    /// where that is possible and in order always; otherwise on the thread that handles the action. What is returned
    /// may be dropped: the observer then lives as long as the store.
    @inlinable
    @discardableResult
    public func observe(
        @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (S) -> Void
    ) -> Registration {
        root.attach(Observer(isolation: body.isolation, by: root.mainMailbox, unisolated(body)))
    }

    /// The state as it is now, and then after each action. Ends with the store.
    ///
    /// - Parameter buffering: What becomes of states that come faster than they are taken.
    public func states(
        buffering: AsyncStream<S>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<S> {
        AsyncStream(bufferingPolicy: buffering) { continuation in
            let registration = root.attach(
                Observer(Cancellation { continuation.finish() }) { continuation.yield($0.pointee) })
            continuation.onTermination = { _ in registration.cancel() }
        }
    }
}

// MARK: - Around the reducer

extension Store {
    /// Adds a middleware inside of those that there are, from the next action on.
    @discardableResult
    public func add(_ middleware: Middleware<S>) -> Registration {
        root.add(middleware, to: \.middleware)
    }

    /// Calls `intercept` with each action and the states before and after it, once, after observers and before effects.
    ///
    /// As the state before is kept, what changes in place otherwise is copied.
    @discardableResult
    public func intercept(
        _ intercept: @escaping @Sendable (_ action: any Action, _ old: S, _ new: S) -> Void
    ) -> Registration {
        root.add(intercept, to: \.interceptors)
    }

    /// Adds a reducer after those that there are, from the next action on.
    @discardableResult
    public func register(reducer: @escaping ReducerFn<S>) -> Registration {
        root.add(reducer, to: \.reducers)
    }
}
