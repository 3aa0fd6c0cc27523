import ArchitectureEngine

// What the test doubles of ArchitectureTesting need.

extension Store {
    /// Sets the state, in turn, and tells observers; no action does, and effects are told of none.
    package func set(_ state: S) {
        root.enter(by: nil) { [root] in
            root.commit { $0 = state }
        }
    }

    /// Where the effects were written that have something under way. For who is alone with the store.
    package var busyEffects: [String] {
        var names: [String] = []
        root.enter(by: nil) { [root] in names = root.busyEffects }
        return names
    }
}

extension Effect where Environment == Void {
    /// The effect, where what it would dispatch is handed to `receive` instead.
    package func diverted(to receive: @escaping @Sendable (any Action) -> Void) -> Effect {
        guard dispatches else { return self }
        return Effect(dispatch: false, onFailure: failure, name: name) {
            describe($0).handleEvents(receiveOutput: receive)
        }
    }
}
