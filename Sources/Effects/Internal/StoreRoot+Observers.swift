import ArchitectureEngine
import FunctionalCore

extension StoreRoot {
    /// Adds an observer, in turn, and notifies it of the state.
    @usableFromInline
    func attach(_ observer: Observer<S>) -> Registration {
        refuseFromTransition("observed")
        send(.perform(nil) { [self] in core.add(observer, to: &observers) })
        return registration(observer.cancellation) { root, cancellation in root.observers.remove(cancellation) }
    }

    func attachFailures(_ observer: Observer<any Error>) -> Registration {
        refuseFromTransition("observed")
        send(.perform(nil) { [self] in failureObservers.append(observer) })
        return registration(observer.cancellation) { root, cancellation in root.failureObservers.remove(cancellation) }
    }

    /// Traps if the caller is inside a transition.
    func refuseFromTransition(_ what: String) {
        if core.isChangingHere { core.refuseFromTransition(what) }
    }

    /// A registration that cancels an entry, and removes it in turn. What `remove` returns is released after that.
    func registration<Entry>(
        _ cancellation: Cancellation, _ remove: @escaping @Sendable (StoreRoot, Cancellation) -> Entry?
    ) -> Registration {
        Registration { [weak self] in
            cancellation.cancel()
            self?.send(.perform(nil) { [weak self] in _ = self.map { remove($0, cancellation) } })
        }
    }

    /// Reports a failure in a message of its own: an observer of failures may dispatch.
    func report(_ error: any Error) {
        send(.perform(nil) { [self] in notifyFailureObservers(of: error) })
    }

    @usableFromInline
    func report(_ stop: ChainStop) {
        let error = RunawayEffect(effect: effects.name(of: stop.sender), stop)
        // An observer that answers the report with another endless chain would be notified without end, too.
        if stop.isCausedByReport { FunctionalCore.report("\(error)") } else { notifyFailureObservers(of: error) }
    }

    private func notifyFailureObservers(of error: any Error) {
        guard failureObservers.hasAny else { return FunctionalCore.report("\(error)") }
        core.notify(&failureObservers, of: error)
    }
}

// MARK: - Settling

extension StoreRoot {
    /// Waits until the queue is empty and no request is under way, and with `observers` until those on actors have been
    /// notified, too.
    func settled(includingObservers observers: Bool) async throws {
        try await settling.wait(flushing: observers ? mainActorQueue : nil)
    }
}
