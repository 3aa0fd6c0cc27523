import ArchitectureEngine

/// A middleware, an interceptor or a reducer that was added to a store, until it is cancelled. Or an effect that ends with
/// a part of the state, until it has ended.
@usableFromInline
struct StoreExtra<S: Sendable>: CancellableEntry, Sendable {
    enum Body: Sendable {
        case middleware(Middleware<S>)
        case interceptor(@Sendable (_ action: any Action, _ old: S, _ new: S) -> Void)
        case reducer(ReducerFn<S>)
        case effect(EffectRun, isPresent: @Sendable () -> Bool)
    }

    @usableFromInline let cancellation: Cancellation
    private let added: Body

    init(_ body: Body, until cancellation: Cancellation = Cancellation()) {
        self.cancellation = cancellation
        added = body
    }

    /// The added part, or `nil` if it was cancelled.
    var body: Body? { cancellation.isCancelled ? nil : added }
}
