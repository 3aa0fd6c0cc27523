import ArchitectureEngine
import FunctionalCore

/// A sequence of a controller's models, which goes on from one start to the next.
///
/// Unchecked: what is not constant is touched under the lock.
final class ModelStream<Model: Sendable>: @unchecked Sendable {
    private let continuation: AsyncStream<Model>.Continuation
    private let lock = Locked()
    private var hasBegun = false
    private var isTerminated = false

    init(_ continuation: AsyncStream<Model>.Continuation) {
        self.continuation = continuation
        continuation.onTermination = { [weak self] _ in self?.terminate() }
    }

    /// Whether nobody takes models any more.
    var hasEnded: Bool { lock.withLock { isTerminated } }

    /// Leaves a model to be taken.
    func yield(_ model: Model) {
        lock.withLock { hasBegun = true }
        continuation.yield(model)
    }

    /// Leaves a model to be taken, if it is the first.
    func begin(with model: Model) {
        let isFirst = lock.withLock {
            defer { hasBegun = true }
            return !hasBegun
        }
        if isFirst { continuation.yield(model) }
    }

    /// Nothing more comes.
    func finish() {
        continuation.finish()
    }

    /// What takes the models of one start.
    func observer(_ cancellation: Cancellation = Cancellation()) -> Observer<Model> {
        Observer(cancellation) { [self] model in
            if hasEnded { cancellation.cancel() } else { yield(model.pointee) }
        }
    }

    private func terminate() {
        lock.withLock { isTerminated = true }
    }
}
