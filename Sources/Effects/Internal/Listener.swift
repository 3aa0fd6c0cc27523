import ArchitectureEngine

/// A stream that listens to actions of the store: the types of the actions, and the function that receives them.
///
/// Unchecked: only the draining thread uses `function`.
final class Listener: @unchecked Sendable {
    let run: StreamRun
    let effect: EffectRun
    /// The number of the listener among the children of its run.
    private let place: Int
    let types: ActionTypes
    /// Passes an action to the operators of the stream: `receive` of the subscriber that `listening(to:)` was started
    /// with. `StreamRun.listen(to:_:)` stores it, and `StoreRuntime.deliver(_:)` calls it through `receive(_:)`.
    private let function: Confined<((any Action) -> Void)?>

    init(
        _ run: StreamRun, at place: Int, of effect: EffectRun, to types: ActionTypes,
        _ function: @escaping (any Action) -> Void
    ) {
        self.run = run
        self.effect = effect
        self.place = place
        self.types = types
        self.function = Confined(confined: function)
    }

    func receive(_ action: any Action) {
        function.value?(action)
    }

    /// Removes and returns the function, so that it is not called again. The caller releases it after the lists have
    /// changed.
    func close() -> ((any Action) -> Void)? {
        defer { function.value = nil }
        return function.value
    }

    /// Returns whether this listener is called before another listener.
    func precedes(_ other: Listener) -> Bool {
        run.precedes(other.run, at: place, other.place)
    }
}
