/// A function that receives each action before the reducer, and decides what the store does with it.
///
/// ```swift
/// var logging: Middleware<App> {
///     Middleware { action, store, next in
///         print(action)
///         next(action)
///     }
/// }
/// ```
///
/// `next` continues with an action: it passes the action to the next middleware, and finally to the reducer. The
/// function may call `next` with another action, several times, or not at all. It may also call `next` later, from any
/// thread. In that case the store processes the action in turn. For each action that reaches the reducer, the store
/// changes the state, notifies observers, and delivers the action to effects.
///
/// The first middleware in the list of a store is the outermost: it receives each action first. Middleware runs on the
/// thread that processes the action.
public struct Middleware<S: Sendable>: Sendable {
    let handle:
        @Sendable (_ action: any Action, _ store: MiddlewareStore<S>, _ next: @escaping @Sendable (any Action) -> Void)
            -> Void

    /// Creates a middleware that calls `handle` with each action.
    ///
    /// - Parameter handle: Receives the action, access to the store, and the function that continues with an action.
    public init(
        _ handle:
            @escaping @Sendable (
                _ action: any Action, _ store: MiddlewareStore<S>, _ next: @escaping @Sendable (any Action) -> Void
            ) -> Void
    ) {
        self.handle = handle
    }
}
