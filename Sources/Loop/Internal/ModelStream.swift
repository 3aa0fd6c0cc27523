import ArchitectureEngine
import FunctionalCore

/// The source of a controller's asynchronous sequence of models, which continues across stops and starts.
final class ModelStream<Model: Sendable>: Sendable {
    private let continuation: AsyncStream<Model>.Continuation
    private let state = Locked((hasBegun: false, isTerminated: false))

    init(_ continuation: AsyncStream<Model>.Continuation) {
        self.continuation = continuation
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.isTerminated = true } }
    }

    /// Whether the sequence has been terminated, for example because its consumer has ended.
    var hasEnded: Bool { state.withLock { $0.isTerminated } }

    /// Yields `model` if no model has been yielded yet.
    func begin(with model: Model) {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        if isFirst { continuation.yield(model) }
    }

    func finish() {
        continuation.finish()
    }

    /// Returns an observer that yields the models of the loop of one start.
    func observer(_ cancellation: Cancellation = Cancellation()) -> Observer<Model> {
        Observer(cancellation) { [self] model in
            state.withLock { $0.hasBegun = true }
            if case .terminated = continuation.yield(model.value) { cancellation.cancel() }
        }
    }
}
