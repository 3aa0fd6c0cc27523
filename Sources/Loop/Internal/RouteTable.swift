import FunctionalCore
public import Optics
public import Synchronization

/// The routes of a router, and for each case of the effect which of them takes it.
///
/// Which route takes a case is learned at its first effect and kept, so that from then on an effect costs what its own
/// route costs. Routes that ask the effect itself are tried for every effect.
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
        /// No route takes the case by itself.
        @inlinable static var none: Int { 1 }
        /// Several do, which is never right.
        @inlinable static var several: Int { 2 }
        /// One does: its index is what is added to this.
        @inlinable static var route: Int { 3 }
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
        guard let routing else { return handleByTrying(effect, Finding.none, in: session) }
        let tag = routing.tag(of: effect)
        var finding = slots[tag].load(ordering: .relaxed)
        if finding == Finding.unknown { finding = learn(effect, tag) }
        guard finding >= Finding.route, tried.isEmpty else { return handleByTrying(effect, finding, in: session) }
        // The table keeps its routes alive; a reference for each effect would cost as much as the call.
        routes.withUnsafeBufferPointer { routes in
            Unmanaged.passUnretained(routes[finding - Finding.route])._withUnsafeGuaranteedRef {
                $0.handle(effect, session)
            }
        }
    }

    /// How many routes take `effect`.
    func count(for effect: Effect) -> Int {
        let tag = routing?.tag(of: effect) ?? 0
        return takers(of: effect, tag).count + tried.count { routes[$0].claim(effect) != nil }
    }

    @inlinable
    @inline(never)
    func handleByTrying(_ effect: Effect, _ finding: Int, in session: HandlerSession<Event>) {
        var claim: Claim<Event>?
        var count = finding == Finding.none ? 0 : finding == Finding.several ? 2 : 1
        for index in tried {
            guard let taken = routes[index].claim(effect) else { continue }
            claim = taken
            count += 1
        }
        if count != 1 { refuse(effect) }
        if let claim { claim(session) } else { routes[finding - Finding.route].handle(effect, session) }
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
        // A closure that is passed for a case is not told from one until a value of that case comes.
        routing == nil
            ? "add a route for it."
            : """
            add a route for it. If there is one, give routeCase the case by its name, without a closure around it; \
            a case in a case takes routeEffects(matching:).
            """
    }

    @usableFromInline
    @inline(never)
    func learn(_ effect: Effect, _ tag: Int) -> Int {
        let takers = takers(of: effect, tag)
        let finding =
            switch takers.count {
            case 0: Finding.none
            case 1: Finding.route + takers[0]
            default: Finding.several
            }
        slots[tag].store(finding, ordering: .relaxed)
        return finding
    }

    /// The routes that take the effects of a case by that alone.
    private func takers(of effect: Effect, _ tag: Int) -> [Int] {
        routes.indices.filter { routes[$0].routing?.accepts(effect, tag: tag) ?? false }
    }
}
