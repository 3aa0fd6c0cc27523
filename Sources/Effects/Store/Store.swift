public import ArchitectureEngine
public import FunctionalCore

/// Owns a state, reduces actions serially, notifies observers, and delivers each action to effects. Thread-safe.
///
/// ```swift
/// let store = Store(reducer: reducer, initialState: AppState(), effects: [PostDetailsView.getPostEffect])
/// store.select(\.title).observe { title in print(title) }
/// store.dispatch(action: GetPost(id: "1"))
/// ```
///
/// Actions are processed one at a time, in the order in which they are dispatched. For each action the reducer changes
/// the state, then observers are notified, then the action is delivered to effects. Observers and effects are called in
/// registration order.
///
/// An action that is dispatched while another action is processed is enqueued. So observers and effects see causes
/// before consequences, and a long chain of actions cannot overflow the stack. ``dispatch(action:)`` describes which
/// actions have been processed when it returns. ``settled()`` waits until all actions are processed and no request is
/// under way.
///
/// When the store is deallocated, its effects end. Effects, their tasks, registrations and the asynchronous sequences
/// of the store do not retain it. A ``Selection`` does. The type is modelled on ReCombine's type of the same name.
public final class Store<S: Sendable>: Sendable {
    @usableFromInline let runtime: StoreRuntime<S>

    /// Creates a store whose effects need no environment.
    ///
    /// - Parameters:
    ///   - reducer: Changes the state in place for each action.
    ///   - initialState: The state before the first action.
    ///   - effects: The effects that run until the store is deallocated. If an effect emits an action as soon as it
    ///     starts, the other effects receive the action, too, even if they come later in the array.
    ///   - middleware: Receives each action before the reducer. The first middleware is the outermost.
    ///   - executor: The executor on which the tasks of effects run, unless their code has an isolation of its own.
    ///     `nil` is the global executor.
    ///   - carrying: The task-local values that the work of an action takes from the sender of the action, such as the
    ///     id of a request. `nil` carries none.
    ///   - maximumChain: How many times effects, observers and other senders may answer themselves in one chain of
    ///     actions, synchronously. If there are more such answers, the store stops the chain and reports a
    ///     ``RunawayEffect``; see there how they are counted. Raise the limit if a longer chain is intended.
    ///   - trace: Records what the store does; see <doc:TracingAStore>.
    public init(
        reducer: @escaping ReducerFn<S>,
        initialState: S,
        effects: [Effect<Void>] = [],
        middleware: [Middleware<S>] = [],
        executor: (any TaskExecutor)? = nil,
        carrying: CarriedValues? = nil,
        maximumChain: Int = 2_000_000,
        trace: Trace? = nil
    ) {
        runtime = StoreRuntime(
            state: initialState, reduce: reducer, executor: executor, carrying: carrying, maximumChain: maximumChain,
            trace: trace)
        for middleware in middleware { add(middleware) }
        if !effects.isEmpty { _ = runtime.register(effects) }
    }

    /// Creates a store whose effects use an environment.
    ///
    /// The environment is evaluated once for each effect, and again each time an effect restarts. If effects share an
    /// object such as a cache, create it first and refer to it in the expression. If effects read the state, pass a
    /// closure instead, which receives a reader of the state.
    ///
    /// - Parameters:
    ///   - reducer: Changes the state in place for each action.
    ///   - initialState: The state before the first action.
    ///   - environment: The environment of the effects.
    ///   - effects: The effects that run until the store is deallocated. If an effect emits an action as soon as it
    ///     starts, the other effects receive the action, too, even if they come later in the array.
    ///   - middleware: Receives each action before the reducer. The first middleware is the outermost.
    ///   - executor: The executor on which the tasks of effects run, unless their code has an isolation of its own.
    ///     `nil` is the global executor.
    ///   - carrying: The task-local values that the work of an action takes from the sender of the action, such as the
    ///     id of a request. `nil` carries none.
    ///   - maximumChain: How many times effects, observers and other senders may answer themselves in one chain of
    ///     actions, synchronously. If there are more such answers, the store stops the chain and reports a
    ///     ``RunawayEffect``; see there how they are counted. Raise the limit if a longer chain is intended.
    ///   - trace: Records what the store does; see <doc:TracingAStore>.
    public convenience init<Environment>(
        reducer: @escaping ReducerFn<S>,
        initialState: S,
        environment: @escaping @Sendable @autoclosure () -> Environment,
        effects: [Effect<Environment>],
        middleware: [Middleware<S>] = [],
        executor: (any TaskExecutor)? = nil,
        carrying: CarriedValues? = nil,
        maximumChain: Int = 2_000_000,
        trace: Trace? = nil
    ) {
        self.init(
            reducer: reducer, initialState: initialState, effects: effects.map { $0.provide(environment()) },
            middleware: middleware, executor: executor, carrying: carrying, maximumChain: maximumChain, trace: trace)
    }

    /// Creates a store whose effects use an environment that can read the state.
    ///
    /// ```swift
    /// var logging: Effect<Journal> {
    ///     Effect(dispatch: false) { actions, journal in
    ///         actions.handleEvents { action in journal.write("\(action): \(journal.count())") }
    ///     }
    /// }
    ///
    /// let store = Store(
    ///     reducer: reducer, initialState: Notes(),
    ///     environment: { state in Journal(count: { state().items.count }, write: write) }, effects: [logging])
    /// ```
    ///
    /// `environment` receives a reader, a function that returns the current state. The reader returns the state at the
    /// time of its call. In an operator that is called synchronously with an action, such as `handleEvents` above, that
    /// is the state after this action. The reader may be called from any thread. Calling it from a reducer of the store
    /// traps.
    ///
    /// The reader does not retain the store. After the store has been deallocated, it returns the last state. A value
    /// that it has returned is a copy: while the copy exists, a change of a large collection copies the collection.
    ///
    /// The closure `environment` is called once for each effect, and again each time an effect restarts. For the other
    /// parameters, see `init(reducer:initialState:environment:effects:middleware:executor:carrying:maximumChain:trace:)`. The
    /// article <doc:WorkingWithEffects> contains an effect that saves a list with a reader.
    @_disfavoredOverload
    public convenience init<Environment>(
        reducer: @escaping ReducerFn<S>,
        initialState: S,
        environment: @escaping @Sendable (_ state: @escaping @Sendable () -> S) -> Environment,
        effects: [Effect<Environment>],
        middleware: [Middleware<S>] = [],
        executor: (any TaskExecutor)? = nil,
        carrying: CarriedValues? = nil,
        maximumChain: Int = 2_000_000,
        trace: Trace? = nil
    ) {
        self.init(
            reducer: reducer, initialState: initialState, middleware: middleware, executor: executor,
            carrying: carrying, maximumChain: maximumChain, trace: trace)
        let state = runtime.core.reader(within: "the reducer")
        if !effects.isEmpty { _ = runtime.register(effects.map { $0.provide(environment(state)) }) }
    }

    /// Creates a store with a reducer that returns the new state.
    ///
    /// The other initializers take such a reducer as `reducer { state, action in … }`; see ``Effects/reducer(_:)``.
    ///
    /// - Parameters:
    ///   - reducer: Returns the new state for a state and an action.
    ///   - initialState: The state before the first action.
    ///   - effects: The effects that run until the store is deallocated.
    public convenience init(
        reducer: @escaping @Sendable (S, any Action) -> S,
        initialState: S,
        effects: [Effect<Void>] = []
    ) {
        self.init(
            reducer: { (state: inout S, action) in state = reducer(state, action) }, initialState: initialState,
            effects: effects)
    }

    deinit { runtime.close() }
}

// MARK: - Actions

extension Store {
    /// Processes an action: reduces it, notifies observers, and delivers it to effects.
    ///
    /// May be called from any thread.
    ///
    /// If no other action is being processed, the calling thread processes the action before this method returns. It
    /// also processes the actions with which effects answer synchronously, with one exception. If other threads
    /// dispatch many actions meanwhile, this method returns while actions are still enqueued, and another thread
    /// processes these. They may include answers of effects.
    ///
    /// If another thread is processing an action, this action is enqueued and processed in turn, possibly by another
    /// thread. The action is also enqueued if an observer, a middleware, a reducer or an operator of an effect calls
    /// this method. In these cases, the method may return before its action is processed. ``settled()`` waits until the
    /// action is processed.
    @inlinable
    public func dispatch(action: any Action) {
        runtime.send(action)
    }

    /// Dispatches the elements of an asynchronous sequence.
    ///
    /// A task iterates over the sequence. Each element is dispatched after the previous element has been processed.
    ///
    /// The end of the sequence affects neither the store nor its effects. If the sequence throws, the error is reported
    /// to ``onError(_:)``. The sequence is not restarted, because a restart would dispatch its first elements twice.
    ///
    /// - Parameters:
    ///   - actions: Returns the sequence. It is called in the task.
    ///   - file: The file that appears in error reports. The default is the file of the caller.
    ///   - line: The line that appears in error reports. The default is the line of the caller.
    /// - Returns: The registration, whose cancellation ends the task. If it is dropped, the task runs until the
    ///   sequence ends or the store is deallocated.
    @discardableResult
    public func dispatch<Actions: AsyncSequence & SendableMetatype>(
        actionsOf actions: @escaping @Sendable () -> Actions,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> EffectRegistration where Actions.Element: Action, Actions.AsyncIterator: SendableMetatype {
        register(
            Effect(onFailure: .stop, file: file, line: line) { _ in ActionStream(of: actions).eraseActionType() })
    }

    /// Returns an asynchronous sequence of all actions that are dispatched from now on.
    ///
    /// The sequence delivers an action after the reducer has changed the state. It ends when the store is deallocated.
    /// Traps if a reducer calls this method.
    ///
    /// - Parameter buffering: What happens to actions that are dispatched faster than they are consumed.
    public func actions(
        buffering: AsyncStream<any Action>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<any Action> {
        AsyncStream(bufferingPolicy: buffering) { continuation in
            let effect = Effect(dispatch: false) { actions in actions.handleEvents { continuation.yield($0) } }
            let run = runtime.register([effect], onEnd: { _ in continuation.finish() })[0]
            continuation.onTermination = { _ in run.cancel() }
        }
    }
}

// MARK: - Waiting

extension Store {
    /// Waits until all actions are processed and no finite work of an effect is under way.
    ///
    /// Finite work is a call of an `async` closure by a stream, a program (`EnvIO`), or a value that `delay`,
    /// `debounce` or `throttle` holds. Asynchronous sequences that have not ended do not count.
    ///
    /// When this method returns, observers without isolation have been notified. Observers on an actor may not have
    /// been notified yet; ``settledIncludingObservers()`` waits for them, too.
    ///
    /// ```swift
    /// store.dispatch(action: GetPost(id: "1"))
    /// try await store.settled()
    /// ```
    ///
    /// May be called from any thread. The call retains the store while it waits. An effect must not await this method
    /// of its own store in a request: the call would wait for that request, which waits for the call.
    ///
    /// - Throws: `CancellationError` if the calling task is cancelled.
    public func settled() async throws {
        try await runtime.settled(includingObservers: false)
    }

    /// Waits until the store is settled and all observers have been notified, including those on actors.
    ///
    /// This method waits for everything that ``settled()`` waits for, and then for the observers on the main actor and
    /// on other actors. The same restrictions apply.
    ///
    /// - Throws: `CancellationError` if the calling task is cancelled.
    public func settledIncludingObservers() async throws {
        try await runtime.settled(includingObservers: true)
    }
}
