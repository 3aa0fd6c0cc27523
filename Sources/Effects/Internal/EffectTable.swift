import ArchitectureEngine
import FunctionalCore
import Synchronization

/// The effects of a store, in the order in which they were registered, and who is given the actions of which type.
///
/// Those that have ended leave gaps, until half of all are gaps: to end any number of effects costs as much for each.
///
/// Unchecked: touched while the store handles something, except where said otherwise.
final class EffectTable: @unchecked Sendable {
    private var effects: [EffectRun] = []
    private var forgotten = 0
    // Exclusivity is what the store's drain is for.
    @exclusivity(unchecked)
    private var routes: [ObjectIdentifier: [Listener]] = [:]
    private var silent = 0

    private let news = Atomic<UInt8>(News.none)
    // Touched under the lock.
    private var ended: [Listener] = []
    private let lock = Lock()

    /// What is to be found out about listeners before the next action.
    private enum News {
        static var none: UInt8 { 0 }
        static var ended: UInt8 { 1 }
        static var begun: UInt8 { 2 }
    }

    /// So few gaps do not matter.
    private static var negligible: Int { 16 }

    deinit { lock.free() }

    // MARK: - Effects

    func append(_ new: [EffectRun]) {
        effects += new
    }

    /// Lets go of an effect that has ended; says whether it was there.
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

    /// Lets go of all effects, and hands them to the caller, to be freed when nothing is being changed.
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

    /// There is somebody new who listens. Any thread.
    func listenersBegan() {
        _ = news.bitwiseOr(News.begun, ordering: .acquiringAndReleasing)
    }

    /// These listen no longer: they are to be let go of. Any thread.
    func listenersEnded(_ listeners: [Listener]) {
        lock.withLock { ended += listeners }
        _ = news.bitwiseOr(News.ended, ordering: .acquiringAndReleasing)
    }

    /// Those who listen to the type of the action, in the order in which they began to, and perhaps some who have
    /// ended.
    func listeners(to action: any Action) -> [Listener] {
        if news.load(ordering: .relaxed) != News.none { sweep() }
        let key = ObjectIdentifier(type(of: action))
        return routes[key] ?? learn(action, key)
    }

    private func learn(_ action: any Action, _ key: ObjectIdentifier) -> [Listener] {
        var listeners: [Listener] = []
        for effect in effects where !effect.isForgotten {
            effect.current?.forEachListener { if $0.wants(action) { listeners.append($0) } }
        }
        if type(of: action) is any CastByValue.Type { return listeners }
        routes[key] = listeners
        return listeners
    }

    /// Lets go of what those held who have ended, and finds out anew who listens where there is somebody new, or too
    /// many have ended.
    func sweep() {
        let news = news.exchange(News.none, ordering: .acquiringAndReleasing)
        if news == News.none { return }
        let ended = lock.withLock {
            defer { self.ended = [] }
            return self.ended
        }
        let calls = ended.map { $0.fallSilent() }
        silent += ended.count
        let known = routes
        if news & News.begun != 0 || silent > effects.count / 2 + Self.negligible {
            routes = [:]
            silent = 0
        }
        // Freed here, when all is as it should be: what is freed may come back.
        withExtendedLifetime((calls, known)) {}
    }
}
