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
