extension EnvIO where Value: Sendable {
    /// Starts the program on the calling thread, and returns when the program has ended or first suspends.
    ///
    /// A task is created only if the program suspends. The task continues the program where it suspended, in the
    /// caller's isolation; no step runs twice.
    ///
    /// The task is unstructured. Neither cancelling the caller's task nor dropping the handle cancels it. To cancel the
    /// task, call ``Running/cancel()``.
    ///
    /// ```swift
    /// switch program.start(environment) {
    /// case .finished(let outcome): use(outcome)          // synchronously
    /// case .waiting(let running): await running.outcome  // or running.cancel()
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
            let task = Task {
                // Captured explicitly, because a task inherits only an isolation that it captures.
                _ = isolation
                return await suspended.finish()
            }
            return .waiting(Running(task: task))
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
    /// The program suspended, and continues in a task.
    case waiting(Running<Value, Failure>)
}

/// A handle on a program that continues in a task of its own.
public struct Running<Value: Sendable, Failure: Error>: Sendable {
    private let task: Task<Outcome<Value, Failure>, Never>

    @usableFromInline
    init(task: Task<Outcome<Value, Failure>, Never>) {
        self.task = task
    }

    /// The outcome of the program. Suspends until the program has ended; any number of tasks may await it.
    public var outcome: Outcome<Value, Failure> {
        get async { await task.value }
    }

    /// Cancels the program. The run executes its finalizers and ends as cancelled.
    ///
    /// Thread-safe. The call returns immediately, without waiting for the finalizers.
    public func cancel() {
        task.cancel()
    }
}
