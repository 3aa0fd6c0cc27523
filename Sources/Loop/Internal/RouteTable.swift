import FunctionalCore
public import Optics
public import Synchronization

/// The routes of a router, and for each case of the effect the route that matches it.
///
/// The table looks up the route of a case at the first effect of that case and stores it. From then on, handling an
/// effect of that case is O(1) in the number of such routes. The other routes are tried for each effect.
///
/// Unchecked: `slots` is allocated for the lifetime of the table, and each slot is atomic. It changes from unknown to one
/// result. Two threads that look up a case at once store the same result.
@usableFromInline
final class RouteTable<Effect: Sendable, Event: Sendable>: @unchecked Sendable {
    @usableFromInline let routes: [Route<Effect, Event>]
    /// The routes that are tried for each effect.
    @usableFromInline let tried: [Route<Effect, Event>]
    @usableFromInline let routing: CaseRouting<Effect>?
    @usableFromInline let slots: UnsafeMutablePointer<Atomic<Int>>

    /// The value of a slot: the index of the only route that matches the case, or one of these.
    @usableFromInline
    enum RouteLookup {
        @inlinable static var unknown: Int { -2 }
        @inlinable static var none: Int { -1 }
    }

    init(_ routes: [Route<Effect, Event>]) {
        self.routes = routes
        tried = routes.filter { $0.routing == nil }
        routing = routes.lazy.compactMap(\.routing).first
        let tagCount = routing?.tagCount ?? 0
        slots = .allocate(capacity: tagCount)
        for tag in 0..<tagCount { (slots + tag).initialize(to: Atomic(RouteLookup.unknown)) }
    }

    deinit {
        slots.deinitialize(count: routing?.tagCount ?? 0)
        slots.deallocate()
    }

    /// Handles an effect by the only route that matches it. Traps if none or several match.
    @inlinable
    func handle(_ effect: Effect, in connection: HandlerConnection<Event>) {
        guard let routing else { return handleByTrying(effect, RouteLookup.none, in: connection) }
        let tag = routing.tag(of: effect)
        var index = slots[tag].load(ordering: .relaxed)
        if index == RouteLookup.unknown { index = lookUp(effect, tag) }
        guard index >= 0, tried.isEmpty else { return handleByTrying(effect, index, in: connection) }
        // Unchecked: the table retains its routes. A retain for each effect would cost as much as the call.
        routes.withUnsafeBufferPointer { routes in
            Unmanaged.passUnretained(routes[index])._withUnsafeGuaranteedRef { $0.handle(effect, connection) }
        }
    }

    @inlinable
    @inline(never)
    func handleByTrying(_ effect: Effect, _ index: Int, in connection: HandlerConnection<Event>) {
        var handler: BoundHandler<Event>?
        for route in tried {
            guard let bound = route.bind(effect) else { continue }
            if index >= 0 || handler != nil { refuse(effect) }
            handler = bound
        }
        if let handler { return handler(connection) }
        if index < 0 { refuse(effect) }
        routes[index].handle(effect, connection)
    }

    @usableFromInline
    @inline(never)
    func lookUp(_ effect: Effect, _ tag: Int) -> Int {
        let matches = matches(of: effect, tag)
        if matches.count > 1 { refuse(effect) }
        let index = matches.first?.index ?? RouteLookup.none
        slots[tag].store(index, ordering: .relaxed)
        return index
    }

    /// The routes that match the effect by its case.
    private func matches(of effect: Effect, _ tag: Int) -> [Route<Effect, Event>] {
        routes.filter { $0.routing?.accepts(effect, tag: tag) ?? false }
    }

    /// The number of routes that match the effect.
    func count(for effect: Effect) -> Int {
        let tag = routing?.tag(of: effect) ?? 0
        return matches(of: effect, tag).count + tried.count { $0.bind(effect) != nil }
    }

    @usableFromInline
    @inline(never)
    func refuse(_ effect: Effect) -> Never {
        let count = count(for: effect)
        programmerError(
            """
            \(count) routes of the effect router take the effect \(effect) of \(Effect.self); exactly one has to. \
            To fix, \(count == 0 ? remedyForNone : "make the others leave it.")
            """
        )
    }

    private var remedyForNone: String {
        // A closure that is passed in place of a case is detected only when a value of that case is routed.
        routing == nil
            ? "add a route for it."
            : """
            add a route for it. If there is one, give routeCase the case by its name, without a closure around it; \
            a case in a case takes routeEffects(matching:).
            """
    }
}
