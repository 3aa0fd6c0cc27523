import FunctionalCore

/// The effects of a store, their groups, and the listeners of each type of action.
///
/// The listeners of a type are looked up when its first action is dispatched. Later listeners are inserted into the lists
/// of the known types, and removed from them when they end. Inserting and removing a listener costs O(t) in the number of
/// known types, plus O(log n) in the number of listeners of each type. If the listener is not the last one of a type, it
/// also moves the later ones.
///
/// Unchecked: `root` is thread-safe and `groups` is locked. Only the draining thread uses the rest.
final class EffectTable: @unchecked Sendable {
    /// The run of the store, whose children are the effects.
    let root = StreamRun()
    private let groups = Locked<[AnyHashable: [Int: EffectRun]]>([:])
    private var all = ListenerList()
    // Unchecked exclusivity: only the draining thread accesses it.
    @exclusivity(unchecked)
    private var known: [ObjectIdentifier: (type: any Action.Type, list: ListenerList)] = [:]

    // MARK: - Effects

    /// The effects that have not ended, in registration order.
    var running: [EffectRun] {
        root.runs.compactMap(\.effect)
    }

    /// The place where the effect with an identity was created.
    func name(of effect: ObjectIdentifier) -> String? {
        running.first { ObjectIdentifier($0) == effect }?.name
    }

    /// Cancels all effects.
    func close() {
        // The lists are empty while the effects end. Their listeners are released afterwards: that may run code of the user.
        let released = (all, known)
        (all, known) = (ListenerList(), [:])
        for effect in running { effect.cancel() }
        root.cancel()
        withExtendedLifetime(released) {}
    }

    // MARK: - Groups

    /// Adds effects to a group. May be called from any thread.
    func insert(_ effects: [EffectRun], into group: AnyHashable) {
        groups.withLock { groups in
            for effect in effects { groups[group, default: [:]][effect.place] = effect }
        }
    }

    /// Removes an effect that has ended. May be called from any thread.
    func remove(_ effect: EffectRun, from group: AnyHashable) {
        groups.withLock { groups in
            groups[group]?[effect.place] = nil
            if groups[group]?.isEmpty == true { groups[group] = nil }
        }
    }

    /// Cancels the effects of a group. May be called from any thread.
    func cancel(_ group: AnyHashable) {
        let effects = groups.withLock { $0.removeValue(forKey: group) } ?? [:]
        for (_, effect) in effects.sorted(by: { $0.key < $1.key }) { effect.cancel() }
    }

    // MARK: - Listeners

    func insert(_ listener: Listener) {
        all.insert(listener)
        for (key, (type, list)) in known {
            switch listener.wants(type) {
            case true?: list.insert(listener)
            case false?: break
            // The next action of the type decides.
            case nil: known[key] = nil
            }
        }
    }

    /// Removes listeners of runs that have ended.
    func remove(_ ended: [Listener]) {
        for listener in ended {
            all.remove(listener)
            for (_, list) in known.values { list.remove(listener) }
        }
        // Released when the lists have changed: releasing a function may run code of the user.
        for listener in ended { _ = listener.close() }
    }

    /// The listeners of the action's type, in the order in which they are called.
    func listeners(to action: any Action) -> [Listener] {
        let key = ObjectIdentifier(type(of: action))
        return known[key]?.list.listeners ?? learn(action, key)
    }

    private func learn(_ action: any Action, _ key: ObjectIdentifier) -> [Listener] {
        let wanting = all.listeners.filter { $0.wants(action) }
        if !(type(of: action) is any CastByValue.Type) { known[key] = (type(of: action), ListenerList(wanting)) }
        return wanting
    }
}
