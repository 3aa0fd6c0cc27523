/// What a run hands on to those that it starts in tasks of their own: its environment and its executor. The variables of a
/// `binding` are a task-local value, which child tasks inherit as it is.
///
/// Unchecked: the box is immutable, and whatever starts such runs asks for a `Sendable` environment.
@usableFromInline
struct Heritage: @unchecked Sendable {
    @usableFromInline
    let environment: AnyObject?
    let executor: (any TaskExecutor)?
}

extension Machine {
    @usableFromInline
    var heritage: Heritage {
        Heritage(environment: environment, executor: executor)
    }

    /// A machine for a program that is part of another run. The task that it is driven in may be cancelled, also where
    /// the other run is in a region that may not.
    @usableFromInline
    init(inheriting heritage: Heritage) {
        self.init(environment: heritage.environment, heedingTask: true)
        executor = heritage.executor
    }
}

extension EnvIO {
    /// Runs this program to its end as a part of another run, in the current task.
    @inlinable
    @inline(__always)
    nonisolated(nonsending) func outcome(inheriting heritage: Heritage) async -> Outcome<Value, Failure> {
        if Task.isCancelled { return .cancelled }
        guard case .node(let node) = form else {
            // Unsafe only in name: a run hands its environment to programs of that environment's type alone.
            let environment = unsafeDowncast(
                heritage.environment.unsafelyUnwrapped, to: EnvironmentBox<Environment>.self)
            return shortOutcome(environment.value)
        }
        var machine = Machine(inheriting: heritage)
        machine.next = node
        var signal = machine.run()
        if signal == .suspend { signal = await machine.finish(from: signal) }
        return machine.takeOutcome(signal)
    }
}
