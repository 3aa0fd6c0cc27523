public import Optics
import Synchronization

/// One route of a router: the effects that it matches, and how it handles them.
///
/// The routes of a router form a linked list, so that adding a route to a router copies no other route.
@usableFromInline
final class Route<Effect: Sendable, Event: Sendable>: Sendable {
    @usableFromInline let previous: Route?
    /// Identifies the attachment of the route in a connection.
    @usableFromInline let number: Int
    /// The routing that decides by the case of an effect whether the route matches. `nil` if only the effect itself
    /// decides.
    @usableFromInline let routing: CaseRouting<Effect>?
    /// Handles an effect that the route matches.
    @usableFromInline let handle: @Sendable (Effect, HandlerConnection<Event>) -> Void
    /// Returns a function that handles the effect, or `nil` if the route does not match it.
    @usableFromInline let bind: @Sendable (Effect) -> BoundHandler<Event>?
    /// Creates the attachment of the route for a connection. `nil` if the route has no attachment.
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

/// Returns the number of a new route, which is larger than those of earlier routes.
@usableFromInline
func nextRouteNumber() -> Int {
    routeCount.add(1, ordering: .relaxed).newValue
}

/// A function that handles one effect.
@usableFromInline
typealias BoundHandler<Event> = @Sendable (HandlerConnection<Event>) -> Void
