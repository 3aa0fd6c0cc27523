import ArchitectureEngine

/// What was added to a store while it runs.
@usableFromInline
struct StoreExtras<S: Sendable> {
    var middleware: [(Cancellation, Middleware<S>)] = []
    var interceptors: [(Cancellation, @Sendable (any Action, S, S) -> Void)] = []
    var reducers: [(Cancellation, ReducerFn<S>)] = []

    var isEmpty: Bool { middleware.isEmpty && interceptors.isEmpty && reducers.isEmpty }

    mutating func removeCancelled() {
        middleware.removeAll { $0.0.isCancelled }
        interceptors.removeAll { $0.0.isCancelled }
        reducers.removeAll { $0.0.isCancelled }
    }
}
