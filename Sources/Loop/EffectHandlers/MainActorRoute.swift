import ArchitectureEngine

/// A route whose handler runs on the main actor; see ``EffectRoute/onMainActor``.
///
/// ```swift
/// .routeCase(MyEffect.showAlert).onMainActor.to { text in screen.show(text) }
/// ```
///
/// An effect that has not begun there when the loop is disposed does not begin.
public struct MainActorRoute<Effect: Sendable, Parameters: Sendable, Event: Sendable>: Sendable {
    let route: EffectRoute<Effect, Parameters, Event>

    /// Calls `body`, and no event comes of it.
    public func to(_ body: @escaping @MainActor (Parameters) -> Void) -> EffectRouter<Effect, Event> {
        route.finish(
            onMainActor { parameters, callback in
                body(parameters)
                callback.end()
            })
    }

    /// Calls `body`, and sends the event that it returns, if any.
    public func toEvent(_ body: @escaping @MainActor (Parameters) -> Event?) -> EffectRouter<Effect, Event> {
        route.finish(
            onMainActor { parameters, callback in
                if let event = body(parameters) { callback.end(with: event) } else { callback.end() }
            })
    }

    private func onMainActor(
        _ body: @escaping @MainActor (Parameters, EffectCallback<Event>) -> Void
    ) -> Target<Parameters, Event> {
        let mailbox = Mailbox(of: MainActor.shared)
        return .lasting { parameters, callback, _ in
            let call = {
                if callback.ended { return }
                // Only called on the main actor: by the mailbox, or where it is open.
                MainActor.assumeIsolated { body(parameters, callback) }
            }
            if mailbox.isOpenHere { call() } else { mailbox.post(call) }
            return EmptyDisposable()
        }
    }
}
