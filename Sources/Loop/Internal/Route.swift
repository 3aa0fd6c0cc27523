import ArchitectureEngine
import FunctionalCore
public import Optics
import Synchronization

/// One route of a router: the effects that it matches, and how it handles them.
///
/// The routes of a router form a linked list, so that adding a route to a router copies no other route.
@usableFromInline
final class Route<Effect: Sendable, Event: Sendable>: Sendable {
    @usableFromInline let previous: Route?
    /// The number that identifies the attachment of the route in a connection.
    @usableFromInline let number: Int
    /// The routing that decides by the case of an effect whether the route matches the effect. `nil` if the case does
    /// not decide this.
    @usableFromInline let routing: CaseRouting<Effect>?
    /// The function that handles an effect that the route matches.
    @usableFromInline let handle: @Sendable (Effect, HandlerConnection<Event>) -> Void
    /// The function that returns a handler of an effect, or `nil` if the route does not match the effect.
    @usableFromInline let bind: @Sendable (Effect) -> BoundHandler<Event>?
    /// The function that creates the attachment of the route for a connection. `nil` if the route has no attachment.
    @usableFromInline let open: (@Sendable (HandlerConnection<Event>) -> any Attachment)?

    @inlinable
    init(
        after previous: Route?,
        number: Int,
        routing: CaseRouting<Effect>?,
        handle: @escaping @Sendable (Effect, HandlerConnection<Event>) -> Void,
        bind: @escaping @Sendable (Effect) -> BoundHandler<Event>?,
        open: (@Sendable (HandlerConnection<Event>) -> any Attachment)?
    ) {
        self.previous = previous
        self.number = number
        self.routing = routing
        self.handle = handle
        self.bind = bind
        self.open = open
    }

    /// Creates a copy of a route that follows `previous`.
    convenience init(_ route: Route, after previous: Route?) {
        self.init(
            after: previous, number: route.number, routing: route.routing, handle: route.handle, bind: route.bind,
            open: route.open)
    }

    /// This route and the earlier routes, in the order in which they were added.
    @usableFromInline
    var all: [Route] {
        var routes = [self]
        while let previous = routes.last?.previous { routes.append(previous) }
        return routes.reversed()
    }
}

private let routeCount = Atomic<Int>(0)

/// Returns the number of a new route, which is larger than the numbers of earlier routes.
@usableFromInline
func nextRouteNumber() -> Int {
    routeCount.add(1, ordering: .relaxed).newValue
}

/// A function that handles one effect, for a given connection.
@usableFromInline
typealias BoundHandler<Event> = @Sendable (HandlerConnection<Event>) -> Void

// MARK: - Making a route

// These functions are not named `to`, because after an error in a chain of routes, the compiler also tries functions
// that a client cannot call.

extension EffectRoute {
    /// Returns the router with this route, whose handler is `handle`. All handlers except connectables are added with
    /// this function.
    @inlinable
    func handled(
        by handle: @escaping @Sendable (Parameters, HandlerContext<Event>) -> Void
    ) -> EffectRouter<Effect, Event> {
        let handle: @Sendable (Parameters, HandlerContext<Event>) -> Void = { parameters, context in
            context.handle(parameters, handle)
        }
        if let policy { return adding(atPlace(handle), by: policy) }
        return adding(handle: place.isCaller ? handle : atPlace(handle))
    }

    /// Returns a function that calls `handle` at the route's `place`, unless the context of the effect is stopped
    /// before the call.
    @usableFromInline
    func atPlace(
        _ handle: @escaping @Sendable (Parameters, HandlerContext<Event>) -> Void
    ) -> @Sendable (Parameters, HandlerContext<Event>) -> Void {
        { [place] parameters, context in
            let start: @Sendable () -> Void = {
                if context.isStopped { context.finish() } else { handle(parameters, context) }
            }
            if place.isOpenHere { return start() }
            let (wait, cause) = (context.connection.beginWork(), TraceCause.current)
            place.post {
                TraceCause.with(cause, start)
                wait?.end()
            }
        }
    }

    /// Returns the router with this route, which calls `handle` when `policy` starts the effect. If the clock of
    /// `policy` throws, the route reports the error instead.
    @usableFromInline
    func adding(
        _ handle: @escaping @Sendable (Parameters, HandlerContext<Event>) -> Void, by policy: RoutePolicy<Parameters>
    ) -> EffectRouter<Effect, Event> {
        let (number, isAwaited) = (nextRouteNumber(), policy.policy.isTimed || !place.isCaller)
        return adding(
            number: number,
            open: { connection in policy.open(on: connection.executor) },
            handle: { parameters, context in
                let connection = context.connection
                // This finite work ends when the effect starts. It also ends when the policy drops the effect, because
                // the policy then releases the closure below.
                let wait = isAwaited ? connection.beginWork() : nil
                guard let queues = connection.attachment(of: number) else { return }
                policy.submit(parameters, to: queues, connection.tracer) { item, queue, occasion in
                    if case .brokenClock(let error) = occasion { return connection.report(error, of: .policy) }
                    handle(
                        parameters, HandlerContext(connection: connection, work: PolicyWork(item: item, queue: queue)))
                    wait?.end()
                }
            }
        )
    }

    /// Returns the router with this route, which handles effects with `handle`.
    ///
    /// - Parameters:
    ///   - number: The number that identifies the route's `Attachment` in a connection.
    ///   - open: Creates the route's `Attachment` for a connection. `nil` if the route has none.
    ///   - handle: Handles an effect in its context.
    @inlinable
    func adding(
        number: Int = nextRouteNumber(),
        open: (@Sendable (HandlerConnection<Event>) -> any Attachment)? = nil,
        handle: @escaping @Sendable (Parameters, HandlerContext<Event>) -> Void
    ) -> EffectRouter<Effect, Event> {
        let extract = extract
        let route = Route<Effect, Event>(
            after: router.last,
            number: number,
            routing: routing,
            handle: { effect, connection in
                if let parameters = extract(effect) { handle(parameters, HandlerContext(connection: connection)) }
            },
            bind: { effect in
                guard let parameters = extract(effect) else { return nil }
                return { connection in handle(parameters, HandlerContext(connection: connection)) }
            },
            open: open
        )
        return EffectRouter(router.executor, route)
    }
}

// MARK: - Choosing a route

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
