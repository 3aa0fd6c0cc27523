import ArchitectureEngine
public import FunctionalCore

extension Store {
    /// Registers an effect for the actions that are dispatched after this call.
    ///
    /// May be called from any thread. Traps if a reducer calls this method.
    ///
    /// - Returns: The registration, which cancels the effect. If it is dropped, the effect runs until the store is
    ///   deallocated.
    @discardableResult
    public func register(_ effect: Effect<Void>) -> EffectRegistration {
        EffectRegistration(runtime.register([effect])[0])
    }

    /// Registers effects as a group. ``unregister(_:)`` ends the group.
    ///
    /// If an effect emits an action as soon as it starts, the other effects receive the action, too, even if they come
    /// later in the array. If a group of this name exists, the effects join it.
    ///
    /// May be called from any thread. Traps if a reducer calls this method.
    ///
    /// - Parameters:
    ///   - effects: The effects.
    ///   - group: The name of the group, a value of any hashable type.
    public func register(_ effects: [Effect<Void>], as group: some Hashable & Sendable) {
        _ = runtime.register(
            effects, as: AnyHashable(group),
            onEnd: { [weak runtime] in runtime?.effects.remove($0, from: AnyHashable(group)) })
    }

    /// Cancels the effects of a group, as ``EffectRegistration/cancel()`` does.
    ///
    /// Effects may be registered under the same name again. If there is no group of this name, nothing happens. May be
    /// called from any thread.
    public func unregister(_ group: some Hashable & Sendable) {
        runtime.effects.cancel(AnyHashable(group))
    }

    /// Calls `body` with each error that the store reports.
    ///
    /// An ``EffectFailure`` reports that the stream of an effect, a request of an effect made by `map` or `run`, or a
    /// sequence of ``dispatch(actionsOf:file:line:)`` has failed. A ``RunawayEffect`` reports an endless chain of
    /// actions.
    ///
    /// `body` runs in the isolation in which it is formed, or else on the thread that processes actions. Errors are
    /// delivered in order. An error for which no observer is registered is written to standard error. Traps if a
    /// reducer calls this method.
    ///
    /// - Returns: The registration of the observer. If it is dropped, the observer is called until the store is
    ///   deallocated.
    @discardableResult
    public func onError(
        @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (any Error) -> Void
    ) -> Registration {
        runtime.attachToFailures(Observer(isolation: body.isolation, by: runtime.core.mainActorQueue, unisolated(body)))
    }
}

// MARK: - Flushing

extension Store {
    /// Passes on the values that the streams of effects hold until a time.
    ///
    /// These are the values that wait in `debounce` and `throttle`, and in a `flatMap` under one of these policies. This
    /// happens in the turn of this call, as with actions: before the call returns if the store is idle. Call this
    /// before the app goes to the background, for example:
    ///
    /// ```swift
    /// store.flush()
    /// try await store.settled()
    /// ```
    ///
    /// No running stream is cancelled. If a stream runs in a `flatMap` under `debounce`, the value that it holds starts
    /// its stream when that has ended, unless a newer value replaces it until then. Under `throttle`, another interval
    /// begins. The streams of `delay`, `timeout` and `interval` are not affected. The order is that of the effects. A
    /// value that an operator passes on may wait in the next one.
    ///
    /// May be called from any thread.
    ///
    /// - Complexity: O(n log n) in the number of running streams and ids.
    public func flush() {
        runtime.perform { [effects = runtime.effects] in effects.root.flush(nil) }
    }

    /// Passes on the values of an id that streams hold until a time.
    ///
    /// This concerns all operators ``ActionStream/flatMap(_:id:_:)-(_,_,(Output)->ActionStream<New>)`` whose closure
    /// `id` returns an equal id of the same type. See ``flush()``.
    ///
    /// - Complexity: O(n log n) in the number of running streams and ids.
    public func flush(_ id: some Hashable & Sendable) {
        runtime.perform { [effects = runtime.effects] in effects.root.flush(AnyKey(id)) }
    }
}

// MARK: - Extending the store

extension Store {
    /// Adds a middleware behind the existing middleware, for the actions that are dispatched after this call.
    ///
    /// An action passes through the existing middleware first.
    ///
    /// Traps if a reducer calls this method.
    ///
    /// - Returns: The registration, which removes the middleware when it is cancelled. If it is dropped, the middleware
    ///   stays until the store is deallocated.
    @discardableResult
    public func add(_ middleware: Middleware<S>) -> Registration {
        runtime.add(.middleware(middleware))
    }

    /// Calls `intercept` once with each action, the state before it, and the state after it.
    ///
    /// The call is made after observers have been notified and before effects receive the action, on the thread that
    /// processes the action.
    ///
    /// While an interceptor is registered, the store keeps a copy of the state before each action. This has a cost: a
    /// reducer that changes an array of the state in place then copies the array first, because the copy of the state
    /// still refers to it.
    ///
    /// Traps if a reducer calls this method.
    ///
    /// - Returns: The registration of the interceptor. If it is dropped, the interceptor is called until the store is
    ///   deallocated.
    @discardableResult
    public func intercept(
        _ intercept: @escaping @Sendable (_ action: any Action, _ old: S, _ new: S) -> Void
    ) -> Registration {
        runtime.add(.interceptor(intercept))
    }

    /// Adds a reducer after the existing reducers, for the actions that are dispatched after this call.
    ///
    /// All reducers change the state in one transition, so observers are notified once for each action. Traps if a
    /// reducer calls this method.
    ///
    /// - Returns: The registration, which removes the reducer when it is cancelled. If it is dropped, the reducer stays
    ///   until the store is deallocated.
    @discardableResult
    public func register(reducer: @escaping ReducerFn<S>) -> Registration {
        runtime.add(.reducer(reducer))
    }
}
