import FunctionalCore
public import Optics
public import Synchronization

/// The routes of a router, and for each case of the effect which of them takes it.
///
/// Which route takes a case is learned at its first effect and kept, so that from then on an effect costs what its own route
/// costs. Routes that ask the effect itself are tried for every effect.
///
/// Unchecked: a slot goes from unknown to one finding, atomically. Two threads that learn at once learn the same.
@usableFromInline
final class RouteTable<Effect: Sendable, Event: Sendable>: @unchecked Sendable {
    @usableFromInline let routes: [Route<Effect, Event>]
    @usableFromInline let tried: [Int]
    @usableFromInline let routing: CaseRouting<Effect>?
    @usableFromInline let slots: UnsafeMutablePointer<Atomic<Int>>

    /// What a slot says.
    @usableFromInline
    enum Finding {
        @inlinable static var unknown: Int { 0 }
        /// No route takes the case by itself, or several do.
        @inlinable static var notOne: Int { 1 }
        /// One does: its index is what is added to this.
        @inlinable static var route: Int { 2 }
    }

    init(_ routes: [Route<Effect, Event>]) {
        self.routes = routes
        tried = routes.indices.filter { routes[$0].routing == nil }
        routing = routes.lazy.compactMap(\.routing).first
        let tagCount = routing?.tagCount ?? 0
        slots = .allocate(capacity: tagCount)
        for tag in 0..<tagCount { (slots + tag).initialize(to: Atomic(Finding.unknown)) }
    }

    deinit {
        slots.deinitialize(count: routing?.tagCount ?? 0)
        slots.deallocate()
    }

    /// Has the one route that takes `effect` handle it. None or several are a mistake in the program.
    @inlinable
    func handle(_ effect: Effect, in session: HandlerSession<Event>) {
        guard let routing else { return handle(effect, tag: 0, byCase: nil, in: session) }
        let tag = routing.tag(of: effect)
        var finding = slots[tag].load(ordering: .relaxed)
        if finding == Finding.unknown { finding = learn(effect, tag) }
        let byCase = finding < Finding.route ? nil : finding - Finding.route
        if let byCase, tried.isEmpty {
            // The table keeps its routes alive; a reference for each effect would cost as much as the call.
            return routes.withUnsafeBufferPointer { routes in
                Unmanaged.passUnretained(routes[byCase])._withUnsafeGuaranteedRef { $0.handle(effect, session) }
            }
        }
        handle(effect, tag: tag, byCase: byCase, in: session)
    }

    /// How many routes take `effect`.
    func count(for effect: Effect) -> Int {
        let tag = routing?.tag(of: effect) ?? 0
        return count(ofCase: effect, tag) + tried.count { routes[$0].claim(effect) != nil }
    }

    @inlinable
    @inline(never)
    func handle(
        _ effect: Effect, tag: Int, byCase: Int?, in session: HandlerSession<Event>
    ) {
        var only: Claim<Event>?
        var count = byCase == nil ? 0 : 1
        for index in tried {
            guard let claim = routes[index].claim(effect) else { continue }
            only = claim
            count += 1
        }
        // Several by their case alone, or none: the table does not keep how many.
        if byCase == nil, routing != nil { count += self.count(ofCase: effect, tag) }
        guard count == 1 else { misrouted(effect, count) }
        if let byCase { routes[byCase].handle(effect, session) } else { only?(session) }
    }

    @usableFromInline
    @inline(never)
    func misrouted(_ effect: Effect, _ count: Int) -> Never {
        fault(
            """
            \(count) routes of the effect router take the effect \(effect) of \(Effect.self); exactly one has to. \
            To fix, \(count == 0 ? "add a route for it" : "make the others leave it").
            """
        )
    }

    @usableFromInline
    func count(ofCase effect: Effect, _ tag: Int) -> Int {
        routes.count { $0.routing?.accepts(effect, tag: tag) ?? false }
    }

    @usableFromInline
    @inline(never)
    func learn(_ effect: Effect, _ tag: Int) -> Int {
        let taking = routes.indices.filter { routes[$0].routing?.accepts(effect, tag: tag) ?? false }
        let finding = taking.count == 1 ? Finding.route + taking[0] : Finding.notOne
        slots[tag].store(finding, ordering: .relaxed)
        return finding
    }
}
