import Effects
import TestSupport

extension Store {
    /// Dispatches actions in order.
    func dispatch(_ actions: any Action...) {
        for action in actions { dispatch(action: action) }
    }

    /// Observes the state, and returns a record of the states.
    func recorded() -> Record<S> {
        let states = Record<S>()
        observe { states.append($0) }
        return states
    }

    /// Observes errors, and returns a record of those of one type.
    func recorded<Failure: Error>(_ errors: Failure.Type) -> Record<Failure> {
        let failures = Record<Failure>()
        onError { if let failure = $0 as? Failure { failures.append(failure) } }
        return failures
    }

    /// Observes errors, and returns a record of their descriptions.
    func recordedErrors() -> Log {
        let errors = Log()
        onError { errors.append("\($0)") }
        return errors
    }

    /// Registers the effect that `make` returns. The effect cancels itself with the closure that `make` receives.
    @discardableResult
    func register(
        cancelling make: (_ cancel: @escaping @Sendable () -> Void) -> Effect<Void>
    ) -> EffectRegistration {
        let link = Guarded<EffectRegistration?>(nil)
        let registration = register(make { link.withLock { $0.take() }?.cancel() })
        link.value = registration
        return registration
    }
}

extension Selection {
    /// Observes the value, and returns a record of the values.
    func recorded() -> Record<Value> {
        let values = Record<Value>()
        observe { values.append($0) }
        return values
    }
}

/// Returns the elements of each stream when all have ended.
func elements<Element: Sendable>(of streams: [AsyncStream<Element>]) async -> [[Element]] {
    var all: [[Element]] = []
    for stream in streams {
        all.append([])
        for await element in stream { all[all.count - 1].append(element) }
    }
    return all
}
