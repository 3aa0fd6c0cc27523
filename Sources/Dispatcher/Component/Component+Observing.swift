public import ArchitectureEngine
public import FunctionalCore
public import Optics

extension Component {
    /// Calls `body` with the current state, and then with the new state after each action.
    ///
    /// ```swift
    /// component.observe { count in print(count) }
    /// component.observe(initial: false) { count in print("The count is now \(count).") }
    /// ```
    ///
    /// `body` runs in the isolation in which it is formed:
    ///
    /// - Without isolation, it runs on the thread that changes the state, before anything else is processed.
    /// - On the main actor, it runs at once if the main thread changes the state and no earlier call is pending.
    ///   Otherwise the call is enqueued on the main actor.
    /// - On another actor, each call is enqueued on that actor.
    ///
    /// Calls that wait for an actor are kept without a limit. With `buffering: .bufferingNewest(1)`, a slow observer on
    /// an actor receives only the latest of the states that wait, possibly before observers that receive all of them.
    /// Without isolation, `buffering` changes nothing.
    ///
    /// Every observer receives the states in order. Observers without isolation are called in registration order, and
    /// so are observers on the main actor. Each observer on another actor is called independently of all other
    /// observers.
    ///
    /// `body` is called for each action, also if the action leaves the state as it was. An observer of a part is not; see
    /// ``observe(_:initial:buffering:_:)``.
    ///
    /// The state is passed without a copy. A large state is copied only if `body`, or an enqueued call, keeps it while
    /// the component changes it.
    ///
    /// Dropping the returned registration does not cancel the observer: it then lives as long as the component.
    /// Registering an observer from within a state update traps.
    ///
    /// ``SendTask/finish()`` does not wait for observers on an actor. To wait for them, await
    /// ``settledIncludingObservers()``.
    ///
    /// In a `main.swift`, a closure at the top level is isolated to the main actor in the Swift 6 language mode. In the
    /// Swift 5 mode, it is isolated only if the file awaits at its top level. If such a closure is isolated and another
    /// thread changes the state, the call of the closure is enqueued on the main actor, as described above.
    ///
    /// - Parameters:
    ///   - initial: Whether `body` is called with the current state. If it is not, the first call follows the next
    ///     action.
    ///   - buffering: What happens to states that wait for the actor of `body`. The default
    ///     skips none. A limit of less than 1 traps.
    ///   - body: Called with each state.
    /// - Returns: A registration that cancels the observer.
    @inlinable
    @discardableResult
    public func observe(
        initial: Bool = true,
        buffering: AsyncStream<S>.Continuation.BufferingPolicy = .unbounded,
        @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (S) -> Void
    ) -> Registration {
        // Created here, where the type of the state is known: otherwise, each call of `body` costs a conversion.
        let observer = Observer(
            isolation: body.isolation, by: runtime.core.mainActorQueue, buffering: buffering, unisolated(body))
        return runtime.attach(initial ? observer : observer.dropFirst())
    }

    /// Calls `body` on the main actor with `owner` and each state, until `owner` is deallocated.
    ///
    /// The owner is not retained, and `body` needs no `[weak self]`. Use this in a view controller:
    ///
    /// ```swift
    /// component.observe(with: self) { controller, forecast in controller.label.text = forecast.city }
    /// ```
    ///
    /// `body` is called with the current state before this returns, unless the component is busy or an earlier call on
    /// the main actor is pending. See ``observe(initial:buffering:_:)`` for when `body` is called with later states.
    /// The argument label `with` follows `subscribe(with:onNext:)` in RxSwift.
    ///
    /// - Parameters:
    ///   - owner: The object that is passed to `body`. Its lifetime limits that of the observer.
    ///   - initial: Whether `body` is called with the current state. If it is not, the first call follows the next
    ///     action.
    ///   - buffering: What happens to states that wait for the main actor. The default
    ///     skips none. A limit of less than 1 traps.
    ///   - body: Called with the owner and each state.
    /// - Returns: A registration that cancels the observer earlier.
    @MainActor @discardableResult
    public func observe<Owner: AnyObject>(
        with owner: Owner,
        initial: Bool = true,
        buffering: AsyncStream<S>.Continuation.BufferingPolicy = .unbounded,
        _ body: @escaping @MainActor (Owner, S) -> Void
    ) -> Registration {
        runtime.observe(with: owner, initial: initial, buffering: buffering, body)
    }

    /// Calls `body` with a part of the current state, and then with the new value of the part each time the part
    /// changes.
    ///
    /// `body` runs in the isolation in which it is formed, as in ``observe(initial:buffering:_:)``. The part is
    /// compared after each action; a stored property is compared in place. The observer keeps the last value of the
    /// part. If the part is a large collection, an in-place change therefore copies it: observe its count, or a version
    /// number, instead.
    ///
    /// - Parameters:
    ///   - part: The key path to the part of the state.
    ///   - initial: Whether `body` is called with the current value. If it is not, the first call follows the next
    ///     change of the part.
    ///   - buffering: What happens to values that wait for the actor of `body`. The default
    ///     skips none. A limit of less than 1 traps.
    ///   - body: Called with each value of the part.
    /// - Returns: A registration that cancels the observer.
    @inlinable
    @discardableResult
    public func observe<Part: Equatable & Sendable>(
        _ part: any KeyPath<S, Part> & Sendable,
        initial: Bool = true,
        buffering: AsyncStream<Part>.Continuation.BufferingPolicy = .unbounded,
        @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (Part) -> Void
    ) -> Registration {
        let observer = Observer(
            isolation: body.isolation, by: runtime.core.mainActorQueue, buffering: buffering, unisolated(body))
        return runtime.attach(
            (initial ? observer : observer.dropFirst()).onlyChanges(by: ==).on(StatePart(part)))
    }

    /// Returns an asynchronous sequence of the current state, and then of the new state after each action.
    ///
    /// The sequence ends when the component is deallocated. Each call creates a sequence of its own. A call from within
    /// a state update traps.
    ///
    /// - Parameter buffering: The policy for states that arrive faster than they are consumed. The default skips none.
    public func states(buffering: AsyncStream<S>.Continuation.BufferingPolicy = .unbounded) -> AsyncStream<S> {
        AsyncStream(buffering: buffering) { runtime.attach($0) }
    }

    /// Calls `body` with each error of an action or a subscription, and its source.
    ///
    /// `body` runs in the isolation in which it is formed, and in order, as in ``observe(initial:buffering:_:)``. A
    /// chain of inputs that is stopped is reported as a ``RunawayInput``. If the clock of a policy throws, its error is
    /// reported with the input that waited for the clock, which is dropped. An error without an observer is written to
    /// standard error. Cancelled work reports no error, whatever it throws. A `CancellationError` of other work is
    /// reported like any error.
    ///
    /// Registering an observer from within a state update traps.
    ///
    /// - Parameter body: Called with each error, and the input or the subscription that failed.
    /// - Returns: A registration that cancels the observer. Dropping the registration does not cancel the observer.
    @discardableResult
    public func onError(
        @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (any Error, ErrorSource) -> Void
    ) -> Registration {
        let call = unisolated(body)
        return runtime.attachToFailures(
            Observer(isolation: body.isolation, by: runtime.core.mainActorQueue) { failed in
                call(failed.error, failed.source)
            }
        )
    }
}
