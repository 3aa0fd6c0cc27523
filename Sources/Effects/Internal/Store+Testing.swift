import ArchitectureEngine

// Used by the test drivers of ArchitectureTesting.

extension Store {
    /// Sets the state and notifies observers, in a message of its own. Effects receive no action.
    package func set(_ state: S) {
        runtime.perform { [runtime] in
            runtime.commit { $0 = state }
        }
    }

    /// The executor of the tasks of effects.
    package var executor: (any TaskExecutor)? { runtime.executor }
}

extension Effect where Environment == Void {
    /// Returns this effect, with its actions passed to `receive` instead of being dispatched.
    package func diverted(to receive: @escaping @Sendable (any Action) -> Void) -> Effect {
        guard dispatches else { return self }
        return Effect(dispatch: false, onFailure: failure, name: name) {
            describe($0).handleEvents(receiveOutput: receive)
        }
    }
}
