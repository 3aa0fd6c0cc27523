public import ArchitectureEngine
import FunctionalCore

extension Observer {
    /// The same for a whole of which this one sees a part.
    @inlinable
    func on<Whole>(_ part: PartReader<Whole, State>) -> Observer<Whole> {
        Observer<Whole>(cancellation) { [accept] whole in part.read(whole, accept) }
    }
}

extension Observer where State: Equatable {
    /// The same for values that differ from the one before; that one is kept.
    @inlinable
    func onlyChanges() -> Observer {
        var last: State?
        return Observer(cancellation) { [accept] state in
            guard state.pointee != last else { return }
            last = state.pointee
            accept(state)
        }
    }
}

/// The states that `attach` brings, kept until they are taken.
func stateStream<S: Sendable>(_ attach: (Observer<S>) -> Registration) -> AsyncStream<S> {
    AsyncStream { continuation in
        let registration = attach(Observer(Cancellation { continuation.finish() }) { continuation.yield($0.pointee) })
        continuation.onTermination = { _ in registration.cancel() }
    }
}
