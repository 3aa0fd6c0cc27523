import ArchitectureEngine

/// A route whose handler runs on the main actor; see ``EffectRoute/onMainActor``.
///
/// ```swift
/// .routeCase(MyEffect.showAlert).onMainActor.to { text in screen.show(text) }
/// ```
///
/// If the loop is disposed before an effect has started on the main actor, the effect is not handled.
public struct MainActorRoute<Effect: Sendable, Parameters: Sendable, Event: Sendable>: Sendable {
    let route: EffectRoute<Effect, Parameters, Event>

    /// Returns the router with this route, whose handler calls `body` and sends no event.
    public func to(_ body: @escaping @MainActor (Parameters) -> Void) -> EffectRouter<Effect, Event> {
        toEvent { parameters in
            body(parameters)
            return nil
        }
    }

    /// Returns the router with this route, whose handler calls `body` and sends the event that it returns, if any.
    public func toEvent(_ body: @escaping @MainActor (Parameters) -> Event?) -> EffectRouter<Effect, Event> {
        let actorQueue = ActorQueue(of: MainActor.shared)
        return route.to { parameters, callback in
            let call = {
                if callback.ended { return }
                // Called on the main actor only: by the queue, or because the queue is open to the calling thread.
                MainActor.assumeIsolated { callback.end(sending: body(parameters)) }
            }
            if actorQueue.isOpenHere { call() } else { actorQueue.post(call) }
            return EmptyDisposable()
        }
    }
}
