import ArchitectureEngine

/// A route whose handler runs on the main actor; see ``EffectRoute/onMainActor``.
///
/// ```swift
/// .routeCase(MyEffect.showAlert).onMainActor.to { text in screen.show(text) }
/// .routeCase(MyEffect.confirm).onMainActor.toEvent { text in .answered(try await screen.confirm(text)) }
/// ```
///
/// For several events, pass a closure of the main actor to `toEvents` of ``EffectHandling``, without this route:
///
/// ```swift
/// .routeCase(MyEffect.show).toHandling { text in
///     .toEvents { @MainActor send in
///         try Task.checkCancellation()
///         await screen.show(text, send)
///     }
/// }
/// ```
///
/// If the loop is disposed before an effect has started on the main actor, `to` and `toEvent` of this route do not
/// handle the effect. A closure of `toEvents` is called even then, so let it first check whether it was cancelled, as
/// above. Tasks are cancelled with the loop. The disposable that a handler returns is disposed by the thread that ends
/// the loop or cancels the effect.
public struct MainActorRoute<Effect: Sendable, Parameters: Sendable, Event: Sendable>: Sendable {
    let route: EffectRoute<Effect, Parameters, Event>

    /// The route whose synchronous handlers are called on the main actor, each in turn.
    private var onMainThread: EffectRoute<Effect, Parameters, Event> {
        var route = route
        route.place = .mainActor(ActorQueue(of: MainActor.shared))
        return route
    }

    // MARK: - At once

    /// Returns the router with this route, whose handler calls `body` and sends no event.
    public func to(_ body: @escaping @MainActor (Parameters) -> Void) -> EffectRouter<Effect, Event> {
        onMainThread.to { parameters in MainActor.assumeIsolated { body(parameters) } }
    }

    /// Returns the router with this route, whose handler calls `body` and sends the event that it returns, if any.
    public func toEvent(_ body: @escaping @MainActor (Parameters) -> Event?) -> EffectRouter<Effect, Event> {
        onMainThread.toEvent { parameters in MainActor.assumeIsolated { body(parameters) } }
    }

    // MARK: - With a callback

    /// Returns the router with this route, whose handler calls `handle` with a callback; see ``EffectRoute``.
    ///
    /// ```swift
    /// .routeCase(MyEffect.pick).onMainActor.to { kind, callback in
    ///     let picker = Picker(kind) { picked in callback.end(with: .picked(picked)) }
    ///     return AnonymousDisposable { Task { @MainActor in picker.dismiss() } }
    /// }
    /// ```
    public func to(
        _ handle: @escaping @MainActor (Parameters, EffectCallback<Event>) -> any Disposable
    ) -> EffectRouter<Effect, Event> {
        onMainThread.to { parameters, callback in MainActor.assumeIsolated { handle(parameters, callback) } }
    }

    // MARK: - In a task

    // Each closure checks first whether the effect was cancelled while the closure waited for the main actor. The error
    // of a cancelled effect is not reported.

    /// Returns the router with this route, whose handler calls `body` in a task and sends no event.
    ///
    /// For `onError`, see ``EffectRoute/to(_:onError:)``.
    @_disfavoredOverload
    public func to(
        _ body: @escaping @MainActor (Parameters) async throws -> Void,
        onError: (@Sendable (any Error, Parameters) -> Event?)? = nil
    ) -> EffectRouter<Effect, Event> {
        route.to(
            { @MainActor parameters in
                try Task.checkCancellation()
                try await body(parameters)
            }, onError: onError)
    }

    /// Returns the router with this route, whose handler calls `body` in a task and sends the event that it returns, if
    /// any.
    ///
    /// For `onError`, see ``EffectRoute/toEvent(_:onError:)``.
    @_disfavoredOverload
    public func toEvent(
        _ body: @escaping @MainActor (Parameters) async throws -> Event?,
        onError: (@Sendable (any Error, Parameters) -> Event?)? = nil
    ) -> EffectRouter<Effect, Event> {
        route.toEvent(
            { @MainActor parameters in
                try Task.checkCancellation()
                return try await body(parameters)
            }, onError: onError)
    }
}
