extension EnvIO where Value: Sendable {
    /// Starts the program on the calling thread, and returns when the program has ended or first suspends.
    ///
    /// A task is created only if the program suspends. The task continues the program where it suspended, in the
    /// caller's isolation; no step runs twice.
    ///
    /// The task is unstructured. Neither cancelling the caller's task nor dropping the handle cancels it. To cancel the
    /// task, cancel the task that `waiting` contains.
    ///
    /// ```swift
    /// switch program.start(environment) {
    /// case .finished(let outcome): use(outcome)          // synchronously
    /// case .waiting(let task): await task.value          // or task.cancel()
    /// }
    /// ```
    @_alwaysEmitIntoClient
    public func start(
        _ environment: sending Environment,
        isolation: isolated (any Actor)? = #isolation
    ) -> Started<Value, Failure> {
        switch begin({ environment }, stop: nil) {
        case .finished(let outcome):
            return .finished(outcome)
        case .waiting(let suspended):
            return .waiting(
                Task {
                    // Captured explicitly, because a task inherits only an isolation that it captures.
                    _ = isolation
                    return await suspended.finish()
                })
        }
    }
}

extension EnvIO {
    /// Returns a program that applies `transform` to the value of this program.
    ///
    /// `transform` is called immediately if the value is known. Use this method only for pure and cheap
    /// transformations, such as wrapping one description in another.
    @inlinable
    package func mapDescription<NewValue>(
        _ transform: @escaping @Sendable (Value) -> NewValue
    ) -> EnvIO<Environment, Failure, NewValue> {
        guard case .pure(let value) = form else { return map(transform) }
        return EnvIO<Environment, Failure, NewValue>(form: .pure(transform(value)))
    }

    /// Whether the program is a known value, so that it runs nothing.
    @inlinable
    package var isPure: Bool { if case .pure = form { true } else { false } }
}

/// The state of a program when ``EnvIO/start(_:isolation:)`` returns.
@frozen
public enum Started<Value: Sendable, Failure: Error>: Sendable {
    /// The program ended without suspending, with this outcome.
    case finished(Outcome<Value, Failure>)
    /// The program suspended, and continues in a task, whose value is the outcome.
    ///
    /// Cancelling the task cancels the program: the run executes its finalizers and ends as cancelled.
    case waiting(Task<Outcome<Value, Failure>, Never>)
}
