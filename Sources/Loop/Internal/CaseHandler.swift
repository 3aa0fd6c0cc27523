import FunctionalCore

/// A handler for the effects of one enum case, or for all effects if no route has a `routing`.
@usableFromInline
final class CaseHandler<Effect: Sendable, Event: Sendable>: Sendable {
    /// Handles an effect with the only route that matches it. Traps if no route or several routes match.
    @usableFromInline let handle: @Sendable (Effect, HandlerConnection<Event>) -> Void

    /// Creates the handler for one case.
    ///
    /// - Parameters:
    ///   - candidates: The routes that may match effects of the case. A candidate whose `routing` is not `nil` matches
    ///     every effect of the case. Any other candidate matches an effect if its `bind` returns a handler.
    ///   - routes: All routes of the router.
    @inlinable
    init(_ candidates: [Route<Effect, Event>], of routes: [Route<Effect, Event>]) {
        if candidates.count == 1, candidates[0].routing != nil {
            handle = candidates[0].handle
            return
        }
        handle = { effect, connection in
            var handler: BoundHandler<Event>?
            for route in candidates {
                guard let bound = route.bind(effect) else { continue }
                if handler != nil { trapOnMisrouted(effect, routes) }
                handler = bound
            }
            guard let handler else { trapOnMisrouted(effect, routes) }
            handler(connection)
        }
    }
}

/// Traps with a message that names the effect and the number of routes that match it.
@usableFromInline
@inline(never)
func trapOnMisrouted<Effect, Event>(_ effect: Effect, _ routes: [Route<Effect, Event>]) -> Never {
    let count = routes.count { $0.bind(effect) != nil }
    // A closure that is passed in place of a case is detected only when a value of that case is routed.
    let remedyForNone =
        routes.allSatisfy { $0.routing == nil }
        ? "add a route for it."
        : """
        add a route for it. If there is one, give routeCase the case by its name, without a closure around it; \
        a case in a case takes routeEffects(matching:).
        """
    programmerError(
        """
        \(count) routes of the effect router take the effect \(effect) of \(Effect.self); exactly one has to. \
        To fix, \(count == 0 ? remedyForNone : "make the others leave it.")
        """
    )
}
