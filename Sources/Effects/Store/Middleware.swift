import ArchitectureEngine

/// Sees each action before the reducer does, and decides what becomes of it.
///
/// ```swift
/// let logging = Middleware<App> { action, store, next in
///     print(action)
///     next(action)
/// }
/// ```
///
/// It may hand the action on, another one, several, none, or hand it on later, from any thread: then the action takes
/// its turn again. The first that a store was given is outermost. It runs on the thread that handles the action.
public struct Middleware<S: Sendable>: Sendable {
    let handle:
        @Sendable (_ action: any Action, _ store: MiddlewareStore<S>, _ next: @escaping @Sendable (any Action) -> Void)
            -> Void

    /// A middleware that does what `handle` does with each action.
    public init(
        _ handle:
            @escaping @Sendable (
                _ action: any Action, _ store: MiddlewareStore<S>, _ next: @escaping @Sendable (any Action) -> Void
            ) -> Void
    ) {
        self.handle = handle
    }
}

/// What a middleware may do with its store.
public struct MiddlewareStore<S: Sendable>: Sendable {
    let root: StoreRoot<S>

    /// The state as it is now.
    public var state: S {
        root.core.read { $0 }
    }

    /// Dispatches an action, which passes all middleware. It waits its turn.
    public func dispatch(action: any Action) {
        root.dispatch(action)
    }
}
