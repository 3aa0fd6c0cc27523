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
    /// The function that returns whether the route matches an effect.
    @usableFromInline let matches: @Sendable (Effect) -> Bool
    /// The function that handles an effect that the route matches. `EffectRoute.adding` builds it, and a connection of
    /// the router calls it; see `EffectRouter.connect(_:)`.
    @usableFromInline let handle: @Sendable (Effect, HandlerConnection<Event>) -> Void
    /// The function that creates the attachment of the route for a connection. `nil` if the route has no attachment.
    @usableFromInline let open: (@Sendable (HandlerConnection<Event>) -> any Attachment)?
    /// Whether the route has a policy with ids.
    @usableFromInline let hasIDs: Bool
    /// The name of the method whose handler needs ids of other routes, or `nil`.
    @usableFromInline let userOfIDs: String?

    @inlinable
    init(
        after previous: Route? = nil,
        number: Int = 0,
        routing: CaseRouting<Effect>? = nil,
        matches: @escaping @Sendable (Effect) -> Bool,
        handle: @escaping @Sendable (Effect, HandlerConnection<Event>) -> Void,
        open: (@Sendable (HandlerConnection<Event>) -> any Attachment)? = nil,
        hasIDs: Bool = false,
        userOfIDs: String? = nil
    ) {
        self.hasIDs = hasIDs
        self.userOfIDs = userOfIDs
        self.previous = previous
        self.number = number
        self.routing = routing
        self.matches = matches
        self.handle = handle
        self.open = open
    }

    /// Creates a copy of a route that follows `previous`.
    convenience init(_ route: Route, after previous: Route?) {
        self.init(
            after: previous, number: route.number, routing: route.routing, matches: route.matches, handle: route.handle,
            open: route.open, hasIDs: route.hasIDs, userOfIDs: route.userOfIDs)
    }

    /// This route and the earlier routes, in the order in which they were added.
    @usableFromInline
    var all: [Route] {
        var routes = [self]
        while let previous = routes.last?.previous { routes.append(previous) }
        return routes.reversed()
    }
}

// MARK: - Making a route

// These functions are not named `to`, because after an error in a chain of routes, the compiler also tries functions
// that a client cannot call.

extension EffectRoute {
    /// A function that handles an effect with these parameters, in a context.
    @usableFromInline typealias Handler = @Sendable (Parameters, HandlerContext<Event>) -> Void

    /// Returns the router with this route and its handler. All handlers except connectables are added with this
    /// function.
    @inlinable
    func handled(by handler: @escaping Handler) -> EffectRouter<Effect, Event> {
        let recorded: Handler = { parameters, context in context.recordingWork(on: parameters, handler) }
        if let policy { return adding(atPlace(recorded), by: policy) }
        return adding(place.isCaller ? recorded : atPlace(recorded))
    }

    /// Returns a function that calls `handler` at the route's `place`, unless the context of the effect is stopped
    /// before the call.
    @usableFromInline
    func atPlace(_ handler: @escaping Handler) -> Handler {
        { [place] parameters, context in
            if place.isOpenHere { return context.isStopped ? context.finish() : handler(parameters, context) }
            let (context, cause) = (context.withWork(), TraceCause.current)
            if let work = context.work {
                context.connection.activate(work)
                if work.context == nil { work.context = context.connection.currentContext }
            }
            place.post {
                let start = { if context.isStopped { context.finish() } else { handler(parameters, context) } }
                (context.work?.context?.values).bind { TraceCause.with(cause, start) }
            }
        }
    }

    /// Returns the router with this route, which calls `handler` when `policy` starts the effect. If the clock of
    /// `policy` throws, the route reports the error instead.
    @usableFromInline
    func adding(
        _ handler: @escaping Handler, by policy: RoutePolicy<Parameters>
    ) -> EffectRouter<Effect, Event> {
        // The wait for a clock or for the place counts.
        let (number, isAwaited) = (nextRouteNumber(), policy.policy.isTimed || !place.isCaller)
        return adding(
            { parameters, context in
                let (connection, effect) = (context.connection, context.effect)
                guard let queues = connection.attachment(of: number) as! PolicyQueues? else { return }
                let traced = effect.flatMap { $0.tracer.submission(of: $0.subject, to: policy.policy) }
                let work = Work(traced)
                if isAwaited { connection.activate(work) }
                queues.submit(work, for: policy.key(parameters), in: connection.currentContext) {
                    work, queue, occasion in
                    if case .brokenClock(let error) = occasion { return connection.report(error, of: .policy) }
                    handler(
                        parameters, HandlerContext(connection: connection, work: work, queue: queue, effect: effect))
                }
            },
            number: number,
            open: { connection in PolicyQueues(policy.policy, executor: connection.executor) }
        )
    }

    /// Returns the router with this route, which handles effects with `handler`.
    ///
    /// - Parameters:
    ///   - handler: Handles an effect in its context.
    ///   - number: The number that identifies the route's `Attachment` in a connection.
    ///   - open: Creates the route's `Attachment` for a connection. `nil` if the route has none.
    @inlinable
    func adding(
        _ handler: @escaping Handler,
        number: Int = nextRouteNumber(),
        open: (@Sendable (HandlerConnection<Event>) -> any Attachment)? = nil
    ) -> EffectRouter<Effect, Event> {
        let route = Route<Effect, Event>(
            after: router.last,
            number: number,
            routing: routing,
            matches: { [extract] effect in extract(effect) != nil },
            handle: { [extract] effect, connection in
                guard let parameters = extract(effect) else { return }
                if let tracer = connection.tracer {
                    let effect = TracedEffect(effect, parameters, in: tracer)
                    handler(parameters, HandlerContext(connection: connection, effect: effect))
                } else {
                    handler(parameters, HandlerContext(connection: connection))
                }
            },
            open: open,
            hasIDs: policy?.hasIDs == true,
            userOfIDs: userOfIDs
        )
        return EffectRouter(router.executor, route)
    }
}

private let routeCount = Atomic<Int>(0)

/// Returns the number of a new route, which is larger than the numbers of earlier routes.
@usableFromInline
func nextRouteNumber() -> Int {
    routeCount.add(1, ordering: .relaxed).newValue
}

/// Traps if a route needs ids, and no route has a policy with ids.
@usableFromInline
func checkIDs<Effect, Event>(of routes: [Route<Effect, Event>]) {
    guard let user = routes.lazy.compactMap(\.userOfIDs).first, !routes.contains(where: \.hasIDs) else { return }
    programmerError(
        """
        A route of \(EffectRouter<Effect, Event>.self) has \(user) with an id, but no route of the router has a policy \
        with ids, so nothing would happen. To fix, call policy(_:id:) for the routes whose effects have the id. If there \
        are none, handle the effect with to { _ in }.
        """)
}

// MARK: - Choosing a route

extension Route {
    /// Creates or returns the route for the effects of one enum case, or for all effects if no route has a `routing`.
    /// If no candidate or several candidates match an effect, the route traps.
    ///
    /// - Parameters:
    ///   - candidates: The routes that may match effects of the case. A candidate whose `routing` is not `nil` matches
    ///     every effect of the case.
    ///   - routes: All routes of the router.
    @inlinable
    static func choosing(among candidates: [Route], of routes: [Route]) -> Route {
        if candidates.count == 1, candidates[0].routing != nil { return candidates[0] }
        return Route(
            matches: { _ in true },
            handle: { effect, connection in
                var match: Route?
                for route in candidates where route.matches(effect) {
                    if match != nil { trapOnMisrouted(effect, routes) }
                    match = route
                }
                guard let match else { trapOnMisrouted(effect, routes) }
                match.handle(effect, connection)
            })
    }
}

/// Traps with a message that names the effect and the number of routes that match it.
@usableFromInline
@inline(never)
func trapOnMisrouted<Effect, Event>(_ effect: Effect, _ routes: [Route<Effect, Event>]) -> Never {
    let count = routes.count { $0.matches(effect) }
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
