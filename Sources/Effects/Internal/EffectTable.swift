import ArchitectureEngine
import FunctionalCore
import Synchronization

/// The effects of a store, their groups, and a list of listeners for each type of action.
///
/// The table creates the list of a type when the first action of the type is dispatched. A later listener is inserted
/// into the existing lists of its types.
///
/// Listeners that have ended stay in a list until an action of its type is dispatched, or until they are about half of
/// all listeners. Inserting and removing a listener costs O(t) in the number of lists, amortized. An insertion that is
/// not at the end of a list also costs O(n) in the number of later listeners.
///
/// Unchecked: `root` and `groups` are thread-safe. Only the draining thread uses the rest.
final class EffectTable: @unchecked Sendable {
    /// The root of the store's tree of runs. Its children are the runs of the effects.
    let root = StreamRun()
    // Most stores have no groups.
    private let lazyGroups = AtomicLazyReference<KeyTable<AnyHashable, [Int: EffectRun]>>()
    private var all = ListenerList()
    /// The number of listeners that have ended since the last removal from all lists.
    private var endedCount = 0
    private let known = Confined<[ObjectIdentifier: (type: any Action.Type, list: ListenerList)]>(confined: [:])

    // MARK: - Effects

    /// The effects that have not ended, in registration order.
    var running: [EffectRun] {
        root.runs.compactMap(\.effect)
    }

    /// Returns the name of a running effect, which is the place where it was created. Returns `nil` if `effect` does
    /// not identify a running effect.
    func name(of effect: ObjectIdentifier) -> String? {
        running.first { ObjectIdentifier($0) == effect }?.name
    }

    /// Cancels all effects, and releases all listeners.
    func close() {
        // The lists are empty while the effects end. The listeners are released afterwards, because this may run user
        // code.
        let released = (all, known.value)
        (all, known.value) = (ListenerList(), [:])
        for effect in running { effect.cancel() }
        root.cancel()
        withExtendedLifetime(released) {}
    }

    // MARK: - Groups

    private var groups: KeyTable<AnyHashable, [Int: EffectRun]> {
        lazyGroups.load() ?? lazyGroups.storeIfNil(KeyTable())
    }

    /// Adds effects to a group. May be called from any thread.
    func insert(_ effects: [EffectRun], into group: AnyHashable) {
        groups.update(group) { members in
            if members == nil { members = [:] }
            for effect in effects { members?[effect.place] = effect }
        }
    }

    /// Removes an effect that has ended from a group. May be called from any thread.
    func remove(_ effect: EffectRun, from group: AnyHashable) {
        groups.update(group) { members in
            members?[effect.place] = nil
            if members?.isEmpty == true { members = nil }
        }
    }

    /// Cancels the effects of a group. May be called from any thread.
    func cancel(_ group: AnyHashable) {
        let effects = groups.update(group) { members in members.take() } ?? [:]
        for (_, effect) in effects.sorted(by: { $0.key < $1.key }) { effect.cancel() }
    }

    // MARK: - Listeners

    func insert(_ listener: Listener) {
        all.insert(listener)
        for (type, list) in known.value.values where listener.types.contain(type) { list.insert(listener) }
    }

    /// Releases the function of a listener whose run has ended. The listener stays in the lists until enough listeners
    /// have ended, or until `forEachListener` meets it.
    func remove(_ listener: Listener) {
        endedCount += 1
        // A removal is not worthwhile for fewer listeners.
        if endedCount > all.listeners.count / 2 + 16 {
            endedCount = 0
            all.removeEnded()
            for (_, list) in known.value.values { list.removeEnded() }
        }
        // The function is released after the lists have changed, because this may run user code.
        _ = listener.close()
    }

    /// Calls `body` with each listener that receives `action` and whose run has not ended, in registration order of the
    /// effects.
    func forEachListener(to action: any Action, _ body: (Listener) -> Void) {
        let key = ObjectIdentifier(type(of: action))
        let list = known.value[key]?.list ?? learn(type(of: action), key)
        var haveSomeEnded = false
        for listener in list.listeners {
            if listener.run.isOver { haveSomeEnded = true } else { body(listener) }
        }
        if haveSomeEnded { list.removeEnded() }
    }

    private func learn(_ type: any Action.Type, _ key: ObjectIdentifier) -> ListenerList {
        let list = ListenerList(all.listeners.filter { $0.types.contain(type) })
        known.value[key] = (type, list)
        return list
    }
}

/// A list of listeners in the order in which they are called. It may contain listeners that have ended. Only the
/// draining thread uses it.
private final class ListenerList {
    private(set) var listeners: [Listener]

    init(_ listeners: [Listener] = []) {
        self.listeners = listeners
    }

    func insert(_ listener: Listener) {
        // Most listeners are inserted at the end.
        if listeners.last?.precedes(listener) != false { return listeners.append(listener) }
        listeners.insert(listener, at: listeners.partitioningIndex { !$0.precedes(listener) })
    }

    func removeEnded() {
        // The listeners are released after the change, because this may run user code.
        let released = listeners
        listeners = released.filter { !$0.run.isOver }
        withExtendedLifetime(released) {}
    }
}
