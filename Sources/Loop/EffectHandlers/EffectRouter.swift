public import Optics
public import Synchronization

/// An effect handler that passes each effect to the handler of the one route that matches it.
///
/// ```swift
/// var effectHandler: EffectRouter<MyEffect, MyEvent> {
///     .init()
///         .routeCase(MyEffect.closeApplication).to { closeApplication() }
///         .routeCase(MyEffect.stopPlayback).toEvent {
///             player.stopPlayback()
///             return .playbackStopped
///         }
///         .routeCase(MyEffect.fetchUsers).toEvent { ids in .usersFetched(await users(ids)) }
/// }
/// ```
///
/// Exactly one route must match each effect. If none or several match, the router traps before it runs any handler; the
/// message names the effect and the number of matching routes. An ``EffectSwitch`` rules this out at compile time.
///
/// A router is a value: adding a route returns a new router. It is also a ``Connectable``, so that effects which are
/// grouped in an enum of their own can be routed to a router of their own. Its connections are independent of one
/// another, so one router may serve many loops.
///
/// Routing an effect is O(1) in the number of routes for cases, and O(n) in the number of other routes. The router
/// determines the route of each case once, but tries the other routes for each effect. These other routes are:
/// - routes of ``routeEffects(withParameters:)`` and ``routeEffects(equalTo:)``
/// - routes of `routeCase(_:)` for an effect with an associated value
/// - routes of ``routeEffects(matching:)`` for a prism that is composed or that you have written yourself
///
/// The compiler checks a chain of routes as one expression. For many routes, ``init(executor:routes:)`` takes a block,
/// in which it checks each route by itself.
///
/// The type is based on Mobius' type of this name, which traps if it is connected a second time.
public struct EffectRouter<Effect: Sendable, Event: Sendable>: EffectRecording, Sendable {
    @usableFromInline let executor: (any TaskExecutor)?
    @usableFromInline let last: Route<Effect, Event>?
    @usableFromInline let lazyRoutes: LazyRoutes

    @usableFromInline typealias RoutesByCase = LearnedRoutes<Effect, Route<Effect, Event>>

    /// A table with the route of each case. The first connection creates the table, and all connections share it.
    @usableFromInline
    final class LazyRoutes: Sendable {
        @usableFromInline let reference = AtomicLazyReference<RoutesByCase>()
    }

    /// Creates a router without routes.
    ///
    /// - Parameter executor: The executor for `async` handlers that have no isolation. `nil` is the executor of the
    ///   loop; see ``Mobius/Builder/withExecutor(_:)``.
    public init(executor: (any TaskExecutor)? = nil) {
        self.init(executor, nil)
    }

    @usableFromInline
    init(_ executor: (any TaskExecutor)?, _ last: Route<Effect, Event>?) {
        self.executor = executor
        self.last = last
        lazyRoutes = LazyRoutes()
    }
}

// MARK: - Routes

extension EffectRouter {
    /// Returns a route for the effects of an enum case with associated values, which become the handler's parameters.
    ///
    /// Several associated values become a tuple. Pass the case by its name, as in `routeCase(MyEffect.fetchUsers)`.
    /// For a case within a case, and for an associated value that is a function, use ``routeEffects(matching:)`` or
    /// ``routeEffects(withParameters:)``.
    ///
    /// A closure such as `{ .sub(.one($0)) }` is not a case, and is a programmer error. If the router detects the
    /// error, it traps with a message when it looks up an effect for the first time. Otherwise the route matches no effect. The router traps in the same way if the case cannot be identified safely;
    /// `AutoPrism` lists when that happens.
    @inlinable
    public func routeCase<Parameters: Sendable>(
        _ enumCase: @escaping @Sendable (Parameters) -> Effect
    ) -> EffectRoute<Effect, Parameters, Event> {
        route(for: Prism(case: enumCase))
    }

    /// Returns a route for a single effect, whose handler takes no parameters.
    ///
    /// If `effect` is an enum case without associated values, the route matches this case. For any other `effect`, for
    /// example a case with an associated value, the route matches the effects that are equal to `effect`. This method
    /// traps for such an `effect` if its type is not `Equatable`. If the conformance is isolated to an actor, call this
    /// method on that actor. The route then matches only effects that are handled on the actor.
    // One function for all types of effects: a second function for `Equatable` types would double the compiler's work
    // with each such route of a chain.
    @inlinable
    public func routeCase(_ effect: Effect) -> EffectRoute<Effect, Void, Event> {
        if isPlainCase(effect) || areEqual(effect, effect) == nil { return route(for: Prism(plainCase: effect)) }
        return routeEffects(withParameters: { areEqual($0, effect) == true ? () : nil })
    }

    /// Returns a route for the effects that are equal to `effect`, which becomes the handler's parameter.
    @inlinable
    public func routeEffects(equalTo effect: Effect) -> EffectRoute<Effect, Effect, Event> where Effect: Equatable {
        routeEffects(withParameters: { $0 == effect ? effect : nil })
    }

    /// Returns a route for the effects for which `extract` returns parameters.
    ///
    /// - Parameter extract: A pure function that returns the handler's parameters for an effect, or `nil` if the route
    ///   does not match. It is called for each effect, by the thread that processes the event.
    @inlinable
    public func routeEffects<Parameters: Sendable>(
        withParameters extract: @escaping @Sendable (Effect) -> Parameters?
    ) -> EffectRoute<Effect, Parameters, Event> {
        EffectRoute(router: self, extract: extract, routing: nil)
    }

    /// Returns a route for the effects that `prism` matches.
    ///
    /// The part that the prism extracts from an effect becomes the handler's parameters.
    ///
    /// For a case within a case, pass a prism that is composed by `appending`. For an associated value that is a
    /// function, pass one that is created by `Prism(embed:extract:)`. Such routes are tried for each effect; a route
    /// for a single case is found in constant time.
    @inlinable
    public func routeEffects<Parameters: Sendable>(
        matching prism: some PrismProtocol<Effect, Parameters>
    ) -> EffectRoute<Effect, Parameters, Event> {
        route(for: prism.asPrism)
    }

    @inlinable
    func route<Parameters: Sendable>(
        for prism: Prism<Effect, Parameters>
    ) -> EffectRoute<Effect, Parameters, Event> {
        EffectRoute(
            router: self, extract: { prism.extract($0) }, routing: prism.routing.flatMap { $0.isExact ? $0 : nil })
    }
}

/// Returns whether two values are equal, or `nil` if their type is not `Equatable`.
///
/// The conformance to `Equatable` is looked up in each call, since an isolated conformance exists only on its actor.
@usableFromInline
func areEqual<Value>(_ left: Value, _ right: Value) -> Bool? {
    func areEqual<Known: Equatable>(as type: Known.Type) -> Bool { left as! Known == right as! Known }
    return (Value.self as? any Equatable.Type).map { areEqual(as: $0) }
}

// MARK: - Connecting

extension EffectRouter: Connectable {
    /// This router as a type-erased connectable.
    ///
    /// A router is a connectable itself, so the property is rarely needed. It exists for code that was written for
    /// Mobius, whose router is not a connectable.
    @inlinable
    public var asConnectable: AnyConnectable<Effect, Event> {
        AnyConnectable(self)
    }

    /// Connects all routes.
    ///
    /// The connection ends when it is disposed, or when its last copy is released. Keep it for as long as effects are
    /// to be handled, as a loop does.
    @inlinable
    public func connect(_ consumer: @escaping Consumer<Event>) -> Connection<Effect> {
        connect(sendingTo: { event, _ in consumer(event) })
    }

    @inlinable
    func connect(sendingTo consumer: @escaping EventConsumer<Event>) -> Connection<Effect> {
        let routes = last?.all ?? []
        checkIDs(of: routes)
        let table = table(of: routes)
        let owner = HandlerConnectionOwner(executor: executor, output: consumer)
        for route in routes {
            // If a block contains a route twice by mistake, the route is connected only once. Its effects trap.
            guard let open = route.open, owner.connection.attachment(of: route.number) == nil else { continue }
            owner.connection.attach(open(owner.connection), of: route.number)
        }
        return Connection(
            acceptClosure: { effect in
                guard !owner.connection.hasEnded else { return }
                table.withHandler(of: effect) { route in route.handle(effect, owner.connection) }
            },
            disposeClosure: { owner.connection.end() }
        )
    }

    /// Returns the table with the route of each case. The first call creates the table from `routes`.
    @inlinable
    func table(of routes: [Route<Effect, Event>]) -> RoutesByCase {
        lazyRoutes.reference.load()
            ?? lazyRoutes.reference.storeIfNil(
                LearnedRoutes(routes, by: { $0.routing }, makeHandler: { Route.choosing(among: $0, of: routes) }))
    }
}
