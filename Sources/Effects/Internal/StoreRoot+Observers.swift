import ArchitectureEngine
import FunctionalCore

extension StoreRoot {
    /// Adds an observer, in turn, and shows it the state as it is then.
    @usableFromInline
    func attach(_ observer: Observer<S>) -> Registration {
        send(
            .perform(causeHere) { [self] in
                observers.append(observer)
                observer.accept(core.state)
            }
        )
        return registration(observer.cancellation) { $0.observers.removeCancelled() }
    }

    func attachFailures(_ observer: Observer<any Error>) -> Registration {
        send(.perform(nil) { [self] in failureObservers.append(observer) })
        return registration(observer.cancellation) { $0.failureObservers.removeCancelled() }
    }

    func registration(
        _ cancellation: Cancellation, _ clean: @escaping @Sendable (StoreRoot) -> Void
    ) -> Registration {
        Registration { [weak self] in
            cancellation.cancel()
            guard let self, !core.isChangingHere else { return }
            send(.perform(nil) { [weak self] in if let self { clean(self) } })
        }
    }

    /// Tells of a failure, in turn: who is told may dispatch, and that is not part of what has failed.
    func report(_ error: any Error, _ cause: Cause) {
        send(
            .perform(cause) { [self] in
                guard failureObservers.hasAny else { return FunctionalCore.report("\(error)") }
                _ = withUnsafePointer(to: error) { failureObservers.notify(of: $0) }
            }
        )
    }
}
