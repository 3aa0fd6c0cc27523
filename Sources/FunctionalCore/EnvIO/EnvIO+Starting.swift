extension EnvIO where Value: Sendable {
    /// Begins the program on the calling thread, and returns when it has ended or has to wait.
    ///
    /// No task is made unless the program waits; then it goes on from exactly there in one, in the caller's isolation:
    /// nothing happens twice. The task is the caller's no longer: cancelling the caller's task does not reach it, and
    /// letting go of the handle does not cancel it.
    ///
    /// ```swift
    /// switch program.start(environment) {
    /// case .finished(let outcome): use(outcome)          // synchronously
    /// case .waiting(let running): await running.outcome  // or running.cancel()
    /// }
    /// ```
    @inlinable
    public func start(
        _ environment: sending Environment,
        isolation: isolated (any Actor)? = #isolation
    ) -> Started<Value, Failure> {
        switch begin({ environment }, stop: nil) {
        case .finished(let outcome):
            return .finished(outcome)
        case .waiting(let suspended):
            let task = Task {
                // Mentioned, because a task takes over the isolation only of what it captures.
                _ = isolation
                return await suspended.finish()
            }
            return .waiting(Running(task: task))
        }
    }
}

extension EnvIO {
    /// Begins the program on the calling thread. What has to wait is handed to the caller, who sees to it that it is
    /// finished. `stop` cancels the run from then on, on whichever thread it is. A program that is `pure` does not ask
    /// for its environment.
    @inlinable
    package func begin(_ environment: () -> Environment, stop: (any StopSignal)?) -> Begun<Value, Failure> {
        switch form {
        case .pure(let value):
            return .finished(.value(value))
        case .fail(let failure):
            return .finished(.failure(failure))
        case .sync:
            return .finished(shortOutcome(environment(), isCancelled: stop?.isSet == true))
        case .node(let node):
            var machine = Machine(environment(), heedingTask: false, stop: stop)
            machine.next = node
            let signal = machine.run()
            if signal == .suspend { return .waiting(Suspended(machine)) }
            return .finished(machine.takeOutcome(signal))
        }
    }

    /// This program with `transform` applied to its value; at once where the value is known. For transformations that
    /// are pure and do hardly anything, such as wrapping one description in another.
    @inlinable
    package func mapDescription<NewValue>(
        _ transform: @escaping @Sendable (Value) -> NewValue
    ) -> EnvIO<Environment, Failure, NewValue> {
        guard case .pure(let value) = form else { return map(transform) }
        return EnvIO<Environment, Failure, NewValue>(form: .pure(transform(value)))
    }
}

/// What ``EnvIO/start(_:isolation:)`` has come to when it returns.
@frozen
public enum Started<Value: Sendable, Failure: Error>: Sendable {
    /// The program never waited; this is how it ended.
    case finished(Outcome<Value, Failure>)
    /// The program waits, and goes on in a task.
    case waiting(Running<Value, Failure>)
}

/// A program that goes on in a task of its own.
public struct Running<Value: Sendable, Failure: Error>: Sendable {
    private let task: Task<Outcome<Value, Failure>, Never>

    @usableFromInline
    init(task: Task<Outcome<Value, Failure>, Never>) {
        self.task = task
    }

    /// How the program ends. Waits for that; any number of callers may.
    public var outcome: Outcome<Value, Failure> {
        get async { await task.value }
    }

    /// Asks the program to stop: it unwinds through its finalizers and ends as cancelled. Any thread; returns at once.
    public func cancel() {
        task.cancel()
    }
}
