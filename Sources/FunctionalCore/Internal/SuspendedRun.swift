extension EnvIO {
    /// Starts the program on the calling thread.
    ///
    /// If the program suspends, the caller receives the suspended run and must finish it. `stop` cancels the run, from
    /// any thread, before and after it suspends. The environment is not evaluated for a program whose form is `pure` or
    /// `fail`.
    ///
    /// - Parameter isInTask: Whether the caller is a task. A run in a task also suspends to pause, so that other tasks
    ///   can run, and observes the cancellation of the task.
    @inlinable
    package func begin(
        _ environment: () -> Environment, stop: (any CancellationToken)?, isInTask: Bool = false
    ) -> Begun<Value, Failure> {
        guard case .node(let node) = form else {
            return .finished(shortOutcome(environment(), isCancelled: stop?.isCancelled == true))
        }
        var machine = Machine(environment(), observesTaskCancellation: isInTask, stop: stop)
        machine.core.isBeforeTask = !isInTask
        machine.core.next = node
        let signal = machine.run()
        if signal == .suspend { return .waiting(SuspendedRun(machine)) }
        return .finished(machine.takeOutcome(signal))
    }
}

/// The state of a program when `EnvIO.begin` returns.
@usableFromInline
package enum Begun<Value, Failure: Error> {
    case finished(Outcome<Value, Failure>)
    case waiting(SuspendedRun<Value, Failure>)
}

/// A run that has suspended, and that a task continues. `finish` may be called once.
@usableFromInline
package struct SuspendedRun<Value, Failure: Error>: Sendable {
    private let machine: RunVariable<Machine?>

    @usableFromInline
    init(_ machine: consuming Machine) {
        self.machine = RunVariable(machine)
    }

    /// Continues to the program's end, in the caller's isolation. Cancelling the current task cancels the run.
    ///
    /// If the run is cancelled before this is called, the step that it suspended for does not begin. The finalizers run.
    @usableFromInline
    package nonisolated(nonsending) func finish() async -> Outcome<Value, Failure> {
        // Taken before the first `await`, because an access to a property must not span an `await`.
        guard var machine = machine.value.take() else { programmerError("A run of \(Value.self) was finished twice.") }
        // A run that began in a task has just checked, and may hold a value while it pauses.
        let mayBeLate = machine.core.isBeforeTask
        machine.core.isBeforeTask = false
        machine.observeTaskCancellation()
        // A run that moves to an executor suspends without a step. Its next step checks for cancellation.
        let isStopped = mayBeLate && machine.isCancelled && machine.core.wait.take() != nil
        let end = await machine.finish(from: isStopped ? machine.run(from: .cancelled) : .suspend)
        return machine.takeOutcome(end)
    }
}

/// A token that cancels a run. The run may have started on the caller's thread, before there is a task to cancel.
@usableFromInline
package protocol CancellationToken: AnyObject, Sendable {
    /// Whether the run is cancelled. May be called from any thread.
    var isCancelled: Bool { get }
}
