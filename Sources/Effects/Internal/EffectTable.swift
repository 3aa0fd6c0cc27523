import ArchitectureEngine
import FunctionalCore
import Synchronization

/// The effects of a store, in registration order, and the listeners of each type of action.
///
/// The listeners of a type are found when its first action is dispatched. A listener that begins later is inserted into
/// the types that it wants: behind those of its own effect and of the effects before it. If it is not the last one of its
/// effect, its types are learned again. Effects and listeners that have ended stay in their lists until they are about
/// half of them, so registering and ending cost O(1) in the number of effects, amortized, and O(t) in the number of known
/// types. A listener that is not inserted at the end also costs O(n) in the number of the type's later listeners.
///
/// Unchecked: touched while the store handles something, except where said otherwise.
final class EffectTable: @unchecked Sendable {
    private var effects: [EffectRun] = []
    private var forgotten = 0
    // Exclusivity is what the store's drain is for.
    @exclusivity(unchecked)
    private var routes: [ObjectIdentifier: Route] = [:]
    private var registered = 0

    private let hasNews = Atomic<Bool>(false)
    // Touched under the lock.
    private var begun: [(listener: Listener, isLastOfEffect: Bool)] = []
    private var ended: [Listener] = []
    private let lock = Locked()

    /// The listeners of one type, in the order of delivery.
    private final class Route {
        let type: any Action.Type
        var listeners: [Listener]
        var endedCount = 0

        init(_ type: any Action.Type, _ listeners: [Listener]) {
            self.type = type
            self.listeners = listeners
        }
    }

    /// So few gaps do not matter.
    private static var negligible: Int { 16 }

    // MARK: - Effects

    func append(_ new: [EffectRun]) {
        for effect in new {
            registered += 1
            effect.position = registered
        }
        effects += new
    }

    /// Removes an effect that has ended. Returns whether it was there.
    func forget(_ effect: EffectRun) -> Bool {
        if effect.isForgotten { return false }
        effect.isForgotten = true
        forgotten += 1
        if forgotten > effects.count / 2 + Self.negligible {
            // Freed after the change, not while it is made: what an effect holds may come back here as it goes away.
            let all = effects
            effects = all.filter { !$0.isForgotten }
            forgotten = 0
            withExtendedLifetime(all) {}
        }
        sweep()
        return true
    }

    /// Removes and returns all effects. The caller releases them when nothing is being changed.
    func removeAll() -> [EffectRun] {
        defer { (effects, forgotten) = ([], 0) }
        return effects
    }

    /// Where the effect with an identity was written.
    func name(of effect: ObjectIdentifier) -> String? {
        effects.first { ObjectIdentifier($0) == effect }?.name
    }

    var running: [EffectRun] {
        effects.filter { !$0.isForgotten }
    }

    // MARK: - Who listens

    /// A listener has begun. `isLastOfEffect` says whether it comes after all others of its effect.
    func listenerBegan(_ listener: Listener, isLastOfEffect: Bool) {
        lock.withLock { begun.append((listener, isLastOfEffect)) }
        hasNews.store(true, ordering: .releasing)
    }

    /// These listeners have ended, and are to be released. May be called from any thread.
    func listenersEnded(_ listeners: [Listener]) {
        lock.withLock { ended += listeners }
        hasNews.store(true, ordering: .releasing)
    }

    /// The listeners of the action's type, in the order of delivery, and perhaps some that have ended.
    func listeners(to action: any Action) -> [Listener] {
        if hasNews.load(ordering: .relaxed) { sweep() }
        let key = ObjectIdentifier(type(of: action))
        return routes[key]?.listeners ?? learn(action, key)
    }

    private func learn(_ action: any Action, _ key: ObjectIdentifier) -> [Listener] {
        var listeners: [Listener] = []
        for effect in effects where !effect.isForgotten {
            effect.current?.forEachListener { if $0.wants(action) { listeners.append($0) } }
        }
        if type(of: action) is any CastByValue.Type { return listeners }
        routes[key] = Route(type(of: action), listeners)
        return listeners
    }

    /// Inserts the listeners that have begun into the types that they want, and releases what those held that have ended.
    func sweep() {
        guard hasNews.exchange(false, ordering: .acquiring) else { return }
        let (begun, ended) = lock.withLock {
            defer { (self.begun, self.ended) = ([], []) }
            return (self.begun, self.ended)
        }
        // Released when nothing is being changed: what is released may call this again.
        var released: [[Listener]] = []
        let before = routes
        for (listener, isLastOfEffect) in begun { add(listener, isLastOfEffect) }
        let calls = ended.map { listener in
            for route in routes.values where listener.wants(route.type) != false { route.endedCount += 1 }
            return listener.fallSilent()
        }
        for route in routes.values where route.endedCount > route.listeners.count / 2 + Self.negligible {
            released.append(route.listeners)
            route.listeners = route.listeners.filter { !$0.isSilent }
            route.endedCount = 0
        }
        withExtendedLifetime((calls, before, released)) {}
    }

    /// Inserts a listener behind the last one of its effect, or of the effects registered before it.
    private func add(_ listener: Listener, _ isLastOfEffect: Bool) {
        if listener.run.isOver { return }
        let position = listener.run.effect.position
        for (key, route) in routes {
            switch listener.wants(route.type) {
            case true? where isLastOfEffect:
                let last = route.listeners.lastIndex { $0.run.effect.position <= position }
                route.listeners.insert(listener, at: last.map { $0 + 1 } ?? 0)
            case false?: break
            default: routes[key] = nil
            }
        }
    }
}
