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
        runtime.observe(initial: initial, isolation: body.isolation, buffering: buffering, unisolated(body))
    }

    /// Calls `body` with the current state and with each new state, until `owner` is deallocated; see
    /// ``observe(initial:buffering:_:)``.
    ///
    /// - Parameters:
    ///   - owner: The object whose lifetime limits the lifetime of the observer. It is not retained.
    ///   - initial: Whether `body` is called with the current state.
    ///   - buffering: What happens to states that wait for the actor of `body`. The default
    ///     skips none. A limit of less than 1 traps.
    ///   - body: Called with each state.
    /// - Returns: A registration that cancels the observer earlier.
    @inlinable
    @discardableResult
    public func observe(
        for owner: some AnyObject & Sendable,
        initial: Bool = true,
        buffering: AsyncStream<S>.Continuation.BufferingPolicy = .unbounded,
        @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (S) -> Void
    ) -> Registration {
        let (call, cancellation) = (unisolated(body), Cancellation())
        // The owner is checked when `body` is called, which on an actor may be later than the notification.
        let observer = Observer(
            isolation: body.isolation, by: runtime.core.mainActorQueue, buffering: buffering, until: cancellation
        ) { [weak owner] state in
            if owner == nil { cancellation.cancel() } else { call(state) }
        }
        return runtime.attach(initial ? observer : observer.dropFirst())
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

    /// The current state, and then the new state after each action.
    ///
    /// The sequence skips nothing: it buffers all states that are not consumed yet. It ends when the component is
    /// deallocated. Each access creates a sequence of its own. Accessing it from within a state update traps.
    public var states: some AsyncSequence<S, Never> & Sendable {
        AsyncStream { runtime.attach($0) }
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
