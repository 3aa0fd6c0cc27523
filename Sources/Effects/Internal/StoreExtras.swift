import ArchitectureEngine

/// The middleware, interceptors and reducers that were added to a store. Mostly there are none.
@usableFromInline
struct StoreExtras<S: Sendable> {
    typealias Interceptor = @Sendable (_ action: any Action, _ old: S, _ new: S) -> Void

    var middleware = CancellableList<StoreExtra<Middleware<S>>>()
    var interceptors = CancellableList<StoreExtra<Interceptor>>()
    var reducers = CancellableList<StoreExtra<ReducerFn<S>>>()

    var isEmpty: Bool { middleware.isEmpty && interceptors.isEmpty && reducers.isEmpty }
}

/// Something that was added to a store, until it is cancelled.
struct StoreExtra<Body: Sendable>: CancellableEntry, Sendable {
    let cancellation: Cancellation
    let body: Body
}
