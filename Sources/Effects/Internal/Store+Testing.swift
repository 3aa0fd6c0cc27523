import ArchitectureEngine
import FunctionalCore

// Used by the test drivers of ArchitectureTesting.

extension Store {
    /// Sets the state and notifies observers. If the store is processing an action, this happens afterwards. Effects
    /// receive no action.
    package func set(_ state: S) {
        runtime.perform { [runtime] in
            runtime.commit { $0 = state }
            runtime.endEffectsOfAbsentParts()
        }
    }

    /// The owner that stands for the store in the events of its trace, or `nil` if there is no trace.
    package var traceOwner: TraceEvent.Owner? { runtime.core.tracer?.owner }

    /// The executor of the tasks of effects.
    package var executor: (any TaskExecutor)? { runtime.executor }

    /// Returns whether no thread processes messages. If one does, calls `body` in turn.
    package func isIdle(orPost body: @escaping @Sendable () -> Void) -> Bool { runtime.isIdle(orPost: body) }
}

extension Effect where Environment == Void {
    /// Returns an effect that passes its actions to `receive` instead of dispatching them. If this effect dispatches
    /// nothing, returns it unchanged.
    package func diverted(to receive: @escaping @Sendable (any Action) -> Void) -> Effect {
        guard dispatches else { return self }
        return Effect(dispatch: false, onFailure: failure, name: name) {
            describe($0).handleEvents(receiveOutput: receive)
        }
    }
}
