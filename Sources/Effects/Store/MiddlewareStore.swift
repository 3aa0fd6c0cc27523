import ArchitectureEngine
import FunctionalCore

/// The access of a middleware to its store.
public struct MiddlewareStore<S: Sendable>: Sendable {
    let runtime: StoreRuntime<S>

    /// The current state.
    public var state: S {
        runtime.core.read { $0.value }
    }

    /// Dispatches an action, as ``Store/dispatch(action:)`` does.
    ///
    /// The action passes through all middleware of the store. If the store is processing an action, the new action is
    /// enqueued.
    public func dispatch(action: any Action) {
        runtime.send(action)
    }
}
