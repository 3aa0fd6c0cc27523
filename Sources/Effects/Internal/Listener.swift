/// The actions that a stream receives from the store, and the function that it calls with them.
///
/// Unchecked: only the draining thread uses `function`.
final class Listener: @unchecked Sendable {
    let run: StreamRun
    let effect: EffectRun
    /// The number of the listener among the children of its run.
    private let place: Int
    private let types: ActionTypes?
    // Unchecked exclusivity: only the draining thread accesses it.
    @exclusivity(unchecked)
    private var function: ((any Action) -> Void)?

    init(
        _ run: StreamRun, at place: Int, of effect: EffectRun, to types: ActionTypes?,
        _ function: @escaping (any Action) -> Void
    ) {
        self.run = run
        self.effect = effect
        self.place = place
        self.types = types
        self.function = function
    }

    func wants(_ action: any Action) -> Bool {
        types?.contain(action) ?? true
    }

    /// Whether it wants all actions of a type, or `nil` if that depends on the action.
    func wants(_ type: any Action.Type) -> Bool? {
        types == nil ? true : types?.containAll(type)
    }

    func receive(_ action: any Action) {
        function?(action)
    }

    /// Removes the function, so that it is not called again. The caller releases it when nothing is being changed.
    func close() -> ((any Action) -> Void)? {
        defer { function = nil }
        return function
    }

    /// Whether it is called before another listener.
    func precedes(_ other: Listener) -> Bool {
        run.precedes(other.run, at: place, other.place)
    }
}

/// Listeners in the order in which they are called. Only the draining thread uses it.
final class ListenerList {
    private(set) var listeners: [Listener]

    init(_ listeners: [Listener] = []) {
        self.listeners = listeners
    }

    func insert(_ listener: Listener) {
        listeners.insert(listener, at: index(of: listener))
    }

    func remove(_ listener: Listener) {
        let index = index(of: listener)
        if index < listeners.count, listeners[index] === listener { listeners.remove(at: index) }
    }

    /// The index of the first listener that does not precede `listener`.
    private func index(of listener: Listener) -> Int {
        // Most listeners are added and removed at the end.
        if let last = listeners.last {
            if last === listener { return listeners.count - 1 }
            if last.precedes(listener) { return listeners.count }
        }
        return listeners.partitioningIndex { !$0.precedes(listener) }
    }
}
