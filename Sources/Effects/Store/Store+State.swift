public import ArchitectureEngine
public import FunctionalCore
public import Observation

extension Store: Observable {
    /// The current state.
    ///
    /// May be read from any thread. Traps if a reducer of the store reads it.
    ///
    /// `withObservationTracking`, and therefore SwiftUI, tracks the read. Each action notifies, even if it does not
    /// change the state. To be notified of the changes of one part only, read ``Selection/value`` of a selection.
    ///
    /// Notifications arrive on the main actor, after the change. Code that tracks the state on the main actor misses no
    /// notification. Code on other threads may miss one, and should use ``observe(initial:buffering:_:)`` or ``states(buffering:)``.
    @inlinable
    public var state: S {
        ObservationBridge.trackRead(of: runtime.observation)
        return runtime.core.read { $0.value }
    }

    /// Calls `body` with the current state, and then with the state after each action, even if it has not changed.
    ///
    /// `body` runs in the isolation in which it is formed, for example on the main actor in a main-actor class. Without
    /// isolation, it runs on the thread that processes the action. Calls are always made in order.
    ///
    /// A call on an actor is enqueued there. A call on the main actor is made directly if the main thread processes the
    /// action. If the store has enqueued earlier calls on the main actor and these have not ended, this call is
    /// enqueued, too.
    ///
    /// The first call is made before this method returns, unless the store is processing an action, or the call is
    /// enqueued on an actor.
    ///
    /// Traps if a reducer calls this method.
    ///
    /// - Parameters:
    ///   - initial: Whether `body` is called with the current state. If it is not, the first call follows the next
    ///     action.
    ///   - buffering: What happens to states that wait for the actor of `body`. The default skips none. With
    ///     `.bufferingNewest(1)`, a slow observer on an actor receives only the latest of them. A limit of less than 1
    ///     traps.
    ///   - body: Called with each state.
    /// - Returns: The registration of the observer. If it is dropped, the observer is called until the store is
    ///   deallocated.
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

    /// Calls `body` on the main actor with `owner` and the current state, and then with the state after each action,
    /// until `owner` is deallocated; see ``Selection/observe(with:initial:buffering:_:)``.
    @MainActor @discardableResult
    public func observe<Owner: AnyObject>(
        with owner: Owner,
        initial: Bool = true,
        buffering: AsyncStream<S>.Continuation.BufferingPolicy = .unbounded,
        _ body: @escaping @MainActor (Owner, S) -> Void
    ) -> Registration {
        runtime.observe(with: owner, initial: initial, buffering: buffering, body)
    }

    /// Returns an asynchronous sequence of the current state and of the state after each action.
    ///
    /// The sequence ends when the store is deallocated. Traps if a reducer calls this method.
    ///
    /// - Parameter buffering: What happens to states that are produced faster than they are consumed.
    public func states(
        buffering: AsyncStream<S>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<S> {
        AsyncStream(buffering: buffering) { runtime.attach($0) }
    }
}
