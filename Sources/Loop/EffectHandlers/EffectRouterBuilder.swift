/// A result builder that collects the routes of a block in the order in which they are written.
///
/// Used by ``EffectRouter/init(executor:routes:)``. Each statement is an expression that the compiler checks alone. So
/// type checking takes linear time in the number of routes, and an error is reported at its own line.
@resultBuilder
public enum EffectRouterBuilder<Effect: Sendable, Event: Sendable> {
    /// The type of a block and of each of its statements.
    public typealias Router = EffectRouter<Effect, Event>

    /// Returns the router of a statement unchanged.
    public static func buildExpression(_ router: Router) -> Router {
        router
    }

    /// Returns a router with the routes of all statements.
    public static func buildBlock(_ routers: Router...) -> Router {
        routers.reduce(Router()) { $0.adding($1) }
    }

    /// Returns the router of an `if` without `else`. If the condition is false, the router has no routes.
    public static func buildOptional(_ router: Router?) -> Router {
        router ?? Router()
    }

    /// Returns the result of the first branch of an `if` or a `switch`.
    public static func buildEither(first router: Router) -> Router {
        router
    }

    /// Returns the result of the other branch of an `if` or a `switch`.
    public static func buildEither(second router: Router) -> Router {
        router
    }
}

extension EffectRouter {
    /// Creates a router with the routes of a block.
    ///
    /// ```swift
    /// var effectHandler: EffectRouter<MyEffect, MyEvent> {
    ///     .init { router in
    ///         router.routeCase(MyEffect.closeApplication).to { closeApplication() }
    ///         router.routeCase(MyEffect.stopPlayback).toEvent {
    ///             player.stopPlayback()
    ///             return .playbackStopped
    ///         }
    ///         router.routeCase(MyEffect.fetchUsers).toEvent { ids in .usersFetched(await users(ids)) }
    ///     }
    /// }
    /// ```
    ///
    /// The result is the router that a chain of the same routes returns. Begin each route with the parameter of the
    /// block. If two statements share a route, the router contains the route twice, and its effects trap. A statement
    /// may also be a router with several routes, whose executor is not used. `if` and `switch` select routes.
    ///
    /// The compiler checks each statement alone. Prefer a block to a chain of more than a few routes: if one closure of
    /// a chain has an error, the compiler tries the kinds of handlers of the other closures in many combinations.
    ///
    /// - Complexity: O(n) in the number of routes.
    /// - Parameters:
    ///   - executor: The executor for `async` handlers that have no isolation; see ``init(executor:)``.
    ///   - routes: Returns the routes. Called once, with a router without routes.
    public init(
        executor: (any TaskExecutor)? = nil,
        @EffectRouterBuilder<Effect, Event> routes: (EffectRouter) -> EffectRouter
    ) {
        self.init(executor, routes(EffectRouter()).last)
    }

    /// Returns a router with the routes of this router, followed by those of `other`.
    func adding(_ other: EffectRouter) -> EffectRouter {
        EffectRouter(executor, (other.last?.all ?? []).reduce(last) { Route($1, after: $0) })
    }
}
