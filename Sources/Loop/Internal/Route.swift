public import Optics

/// One route of a router: which effects it takes, and what becomes of them.
@usableFromInline
final class Route<Effect: Sendable, Event: Sendable>: Sendable {
    /// How to tell by its case alone whether an effect is taken; `nil` where the effect itself has to be asked about.
    @usableFromInline let routing: CaseRouting<Effect>?
    /// Has an effect handled that the route takes.
    @usableFromInline let handle: @Sendable (Effect, HandlerSession<Event>) -> Void
    /// How to have an effect handled, if the route takes it.
    @usableFromInline let claim: @Sendable (Effect) -> Claim<Event>?
    /// What there is to do when the router is connected.
    @usableFromInline let open: (@Sendable (HandlerSession<Event>) -> Void)?

    @inlinable
    init(
        routing: CaseRouting<Effect>?,
        handle: @escaping @Sendable (Effect, HandlerSession<Event>) -> Void,
        claim: @escaping @Sendable (Effect) -> Claim<Event>?,
        open: (@Sendable (HandlerSession<Event>) -> Void)?
    ) {
        self.routing = routing
        self.handle = handle
        self.claim = claim
        self.open = open
    }
}

/// Has one effect handled.
@usableFromInline
typealias Claim<Event: Sendable> = @Sendable (HandlerSession<Event>) -> Void

/// The routes of a router, the last one first. A router is a value that grows by one route at a time: none is copied.
@usableFromInline
final class RouteList<Effect: Sendable, Event: Sendable>: Sendable {
    private let previous: RouteList?
    private let route: Route<Effect, Event>
    private let count: Int

    @usableFromInline
    init(_ previous: RouteList?, _ route: Route<Effect, Event>) {
        self.previous = previous
        self.route = route
        count = (previous?.count ?? 0) + 1
    }

    /// The routes in the order in which they were added.
    var routes: [Route<Effect, Event>] {
        var routes: [Route<Effect, Event>] = []
        routes.reserveCapacity(count)
        var list: RouteList? = self
        while let node = list {
            routes.append(node.route)
            list = node.previous
        }
        routes.reverse()
        return routes
    }
}
