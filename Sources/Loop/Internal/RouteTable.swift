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
    /// Whether there are such routes. The property spares unspecialized code the type of the array.
    @usableFromInline let isTrying: Bool
    @usableFromInline let routing: CaseRouting<Effect>?
    @usableFromInline let slots: UnsafeMutablePointer<Atomic<UInt>>

    /// The value of a slot: the address of the only route that matches the case, or one of these.
    @usableFromInline
    enum RouteLookup {
        @inlinable static var unknown: UInt { 0 }
        @inlinable static var none: UInt { 1 }
    }

    init(_ routes: [Route<Effect, Event>]) {
        self.routes = routes
        tried = routes.filter { $0.routing == nil }
        isTrying = !tried.isEmpty
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
        var lookup = slots[tag].load(ordering: .relaxed)
        if lookup == RouteLookup.unknown { lookup = lookUp(effect, tag) }
        if isTrying || lookup == RouteLookup.none { return handleByTrying(effect, lookup, in: connection) }
        route(at: lookup)._withUnsafeGuaranteedRef { $0.handle(effect, connection) }
    }

    @inlinable
    @inline(never)
    func handleByTrying(_ effect: Effect, _ lookup: UInt, in connection: HandlerConnection<Event>) {
        var handler: BoundHandler<Event>?
        for route in tried {
            guard let bound = route.bind(effect) else { continue }
            if lookup != RouteLookup.none || handler != nil { refuse(effect) }
            handler = bound
        }
        if let handler { return handler(connection) }
        if lookup == RouteLookup.none { refuse(effect) }
        route(at: lookup)._withUnsafeGuaranteedRef { $0.handle(effect, connection) }
    }

    /// Unchecked: `address` is that of a route of the table, which retains its routes. The reference is unmanaged because
    /// a retain for each effect would cost as much as the call.
    @inlinable
    func route(at address: UInt) -> Unmanaged<Route<Effect, Event>> {
        Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
    }

    @usableFromInline
    @inline(never)
    func lookUp(_ effect: Effect, _ tag: Int) -> UInt {
        let matches = matches(of: effect, tag)
        if matches.count > 1 { refuse(effect) }
        let address = matches.first.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) }
        let lookup = address ?? RouteLookup.none
        slots[tag].store(lookup, ordering: .relaxed)
        return lookup
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
