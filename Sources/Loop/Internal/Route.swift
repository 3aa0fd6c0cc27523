public import Optics

/// One route of a router: the effects that it matches, and how it handles them.
///
/// The routes of a router form a linked list, so that adding a route to a router copies none.
@usableFromInline
final class Route<Effect: Sendable, Event: Sendable>: Sendable {
    @usableFromInline let previous: Route?
    @usableFromInline let index: Int
    /// How to decide by the case of an effect whether the route matches; `nil` if only the effect itself decides.
    @usableFromInline let routing: CaseRouting<Effect>?
    /// Handles an effect that the route matches.
    @usableFromInline let handle: @Sendable (Effect, HandlerConnection<Event>) -> Void
    /// Returns a function that handles the effect, or `nil` if the route does not match it.
    @usableFromInline let bind: @Sendable (Effect) -> BoundHandler<Event>?
    /// Creates the attachment of the route for a connection.
    @usableFromInline let open: (@Sendable (HandlerConnection<Event>) -> any Attachment)?

    @inlinable
    init(
        after previous: Route?,
        routing: CaseRouting<Effect>?,
        handle: @escaping @Sendable (Effect, HandlerConnection<Event>) -> Void,
        bind: @escaping @Sendable (Effect) -> BoundHandler<Event>?,
        open: (@Sendable (HandlerConnection<Event>) -> any Attachment)?
    ) {
        self.previous = previous
        index = Route.index(after: previous)
        self.routing = routing
        self.handle = handle
        self.bind = bind
        self.open = open
    }

    /// The index of the route that follows `previous`.
    @inlinable
    static func index(after previous: Route?) -> Int {
        previous.map { $0.index + 1 } ?? 0
    }

    /// This route and the earlier ones, in the order in which they were added.
    @usableFromInline
    var all: [Route] {
        var routes = [self]
        while let previous = routes.last?.previous { routes.append(previous) }
        return routes.reversed()
    }
}

/// A function that handles one effect.
@usableFromInline
typealias BoundHandler<Event> = @Sendable (HandlerConnection<Event>) -> Void
