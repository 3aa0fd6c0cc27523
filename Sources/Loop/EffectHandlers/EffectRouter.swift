public import Optics
import Synchronization

/// Hands each effect to the handler for its kind.
///
/// ```swift
/// let effectHandler = EffectRouter<MyEffect, MyEvent>()
///     .routeCase(MyEffect.closeApplication).to { closeApplication() }
///     .routeCase(MyEffect.stopPlayback).toEvent { player.stopPlayback(); return .playbackStopped }
///     .routeCase(MyEffect.fetchUsers).toEvent { ids in .usersFetched(await users(ids)) }
/// ```
///
/// Exactly one route has to take each effect. An effect that none takes, or several do, is a mistake in the program: it
/// stops with a message that names the effect and the count, before any handler runs. ``misrouted(among:)`` finds such
/// effects in a test; an ``EffectSwitch`` cannot have them.
///
/// A router is a value: a route is added to a copy. It is a ``Connectable`` itself, so that effects which are grouped
/// in an enum of their own go to a router of their own. Its connections are independent of one another: one router may
/// serve many loops. (Mobius' refuses a second connection while there is a first.)
///
/// Costs follow the effect, not the number of routes: which route takes a case is found out once. Routes of
/// ``routeEffects(withParameters:)`` and ``routeEffects(equalTo:)`` are asked for each effect. After Mobius' type of
/// this name.
public struct EffectRouter<Effect: Sendable, Event: Sendable>: Sendable {
    @usableFromInline let executor: (any TaskExecutor)?
    @usableFromInline let list: RouteList<Effect, Event>?
    private let table: LazyTable

    /// Made at the first connection, and shared by all of them.
    private final class LazyTable: Sendable {
        let reference = AtomicLazyReference<RouteTable<Effect, Event>>()
    }

    /// A router without routes.
    ///
    /// - Parameter executor: Where `async` handlers run that name no isolation; `nil` is the global executor.
    public init(executor: (any TaskExecutor)? = nil) {
        self.init(executor, nil)
    }

    @usableFromInline
    init(_ executor: (any TaskExecutor)?, _ list: RouteList<Effect, Event>?) {
        self.executor = executor
        self.list = list
        table = LazyTable()
    }

    @inlinable
    func adding(_ route: Route<Effect, Event>) -> EffectRouter {
        EffectRouter(executor, RouteList(list, route))
    }
}

// MARK: - Routes

extension EffectRouter {
    /// A route for the effects of a case with a payload, which becomes the handler's parameters. Several values make a
    /// tuple.
    ///
    /// The case is told by the enum itself, as `AutoPrism` does it, and refused for the same reasons. Pass the case by its
    /// name: a closure such as `{ .sub(.one($0)) }` is no case, and matches nothing. For that, or for a payload that is a
    /// function, write ``routeEffects(matching:)`` or ``routeEffects(withParameters:)``.
    @inlinable
    public func routeCase<Parameters: Sendable>(
        _ enumCase: @escaping @Sendable (Parameters) -> Effect
    ) -> EffectRoute<Effect, Parameters, Event> {
        route(for: Prism(case: enumCase))
    }

    /// A route for the effects of a case without payload.
    @inlinable
    public func routeCase(_ enumCase: Effect) -> EffectRoute<Effect, Void, Event> {
        route(for: Prism(plainCase: enumCase))
    }

    /// A route for the effects of a case without payload; and for those that equal a whole value with one.
    @inlinable
    public func routeCase(_ effect: Effect) -> EffectRoute<Effect, Void, Event> where Effect: Equatable {
        if isPlainCase(effect) { return route(for: Prism(plainCase: effect)) }
        return routeEffects(withParameters: { $0 == effect ? () : nil })
    }

    /// A route for the effects that equal `effect`, which is the handler's parameter.
    @inlinable
    public func routeEffects(equalTo effect: Effect) -> EffectRoute<Effect, Effect, Event> where Effect: Equatable {
        routeEffects(withParameters: { $0 == effect ? effect : nil })
    }

    /// A route for the effects of which `extract` makes something: that becomes the handler's parameters.
    ///
    /// `extract` is called for each effect, on the thread that handles the event; it must be pure.
    @inlinable
    public func routeEffects<Parameters: Sendable>(
        withParameters extract: @escaping @Sendable (Effect) -> Parameters?
    ) -> EffectRoute<Effect, Parameters, Event> {
        EffectRoute(router: self, extract: extract, routing: nil)
    }

    /// A route for the effects that `prism` matches; what it extracts becomes the handler's parameters.
    ///
    /// For what is no case of its own: cases in cases, as in `outer.appending(inner)`, and payloads that are functions,
    /// by `Prism(embed:extract:)`.
    @inlinable
    public func routeEffects<Parameters: Sendable>(
        matching prism: some PrismConvertible<Effect, Parameters>
    ) -> EffectRoute<Effect, Parameters, Event> {
        route(for: prism.asPrism)
    }

    @inlinable
    func route<Parameters: Sendable>(
        for prism: Prism<Effect, Parameters>
    ) -> EffectRoute<Effect, Parameters, Event> {
        EffectRoute(router: self, extract: { prism.extract($0) }, routing: prism.routing)
    }
}

// MARK: - Connecting

extension EffectRouter: Connectable {
    /// This router as a connectable, the way the specification ends its routers. It is one already.
    @inlinable
    public var asConnectable: AnyConnectable<Effect, Event> {
        AnyConnectable(self)
    }

    /// Connects all routes.
    ///
    /// The connection ends when it is disposed, or when nobody holds it any more: keep it for as long as effects are to
    /// be handled. A loop does so.
    @inlinable
    public func connect(_ consumer: @escaping Consumer<Event>) -> Connection<Effect> {
        let table = routeTable
        let owner = SessionOwner(HandlerSession(executor: executor, output: consumer))
        for route in table.routes { route.open?(owner.session) }
        return Connection(
            acceptClosure: { effect in
                if !owner.session.hasEnded { table.handle(effect, in: owner.session) }
            },
            disposeClosure: { owner.session.end() }
        )
    }

    @usableFromInline
    var routeTable: RouteTable<Effect, Event> {
        table.reference.load() ?? table.reference.storeIfNil(RouteTable(list?.routes ?? []))
    }
}

// MARK: - Checking

extension EffectRouter {
    /// Those of `effects` that not exactly one route takes. For a test: no handler runs.
    ///
    /// ```swift
    /// #expect(router.misrouted(among: [.closeApplication, .stopPlayback, .fetchUsers(ids: [])]).isEmpty)
    /// ```
    public func misrouted(among effects: [Effect]) -> [MisroutedEffect<Effect>] {
        effects.compactMap { effect in
            let count = routeTable.count(for: effect)
            return count == 1 ? nil : MisroutedEffect(effect: effect, routeCount: count)
        }
    }
}

/// An effect that no route takes, or several do.
public struct MisroutedEffect<Effect: Sendable>: Sendable, CustomStringConvertible {
    /// The effect.
    public let effect: Effect
    /// How many routes take it.
    public let routeCount: Int

    /// The effect and the count.
    public var description: String {
        "\(effect): \(routeCount) routes"
    }
}
