/// The actions that a stream receives from the store, and the function that it calls with them.
///
/// Unchecked: only the draining thread uses `function`.
final class Listener: @unchecked Sendable {
    let run: StreamRun
    let effect: EffectRun
    /// Listeners are called in the order of their paths: the places of the runs around them, from the outside in, and
    /// their own.
    private let path: [Int]
    private let types: ActionTypes?
    // Unchecked exclusivity: only the draining thread accesses it.
    @exclusivity(unchecked)
    private var function: ((any Action) -> Void)?

    init(
        _ run: StreamRun, of effect: EffectRun, at path: [Int], _ types: ActionTypes?,
        _ function: @escaping (any Action) -> Void
    ) {
        self.run = run
        self.effect = effect
        self.path = path
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

    func precedes(_ other: Listener) -> Bool {
        path.lexicographicallyPrecedes(other.path)
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

    /// The index of the first listener that does not precede `listener`, found by bisection.
    private func index(of listener: Listener) -> Int {
        guard let last = listeners.last, !last.precedes(listener) else { return listeners.count }
        var (low, high) = (0, listeners.count)
        while low < high {
            let middle = (low + high) / 2
            if listeners[middle].precedes(listener) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
