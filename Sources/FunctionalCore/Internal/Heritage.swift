/// What a run hands on to what it waits for: its environment and its executor. The variables of a `binding` are a
/// task-local value, which child tasks inherit as it is.
///
/// Unchecked: the run waits for as long as anybody uses the environment, and whatever starts tasks of its own asks for
/// a `Sendable` one.
@usableFromInline
struct Heritage: @unchecked Sendable {
    /// Where the environment of the program that is running lies.
    @usableFromInline
    let context: UnsafeMutableRawPointer?
    @usableFromInline
    let executor: (any TaskExecutor)?

    @usableFromInline
    init(context: UnsafeMutableRawPointer?, executor: (any TaskExecutor)?) {
        self.context = context
        self.executor = executor
    }

    /// The environment of the program that is running. Its type is the one that the program was built for: whatever
    /// swaps the environment pushes a frame that swaps it back.
    @inlinable
    @inline(__always)
    func environment<Environment>(as type: Environment.Type) -> Environment {
        context.unsafelyUnwrapped.assumingMemoryBound(to: Environment.self).pointee
    }
}

extension Heritage {
    /// Lets those go ahead who wait for the executor of the current task. Of programs that only compute, as many as
    /// there are threads would otherwise keep all others from running, timers among them.
    ///
    /// Not by `Task.yield()`, which goes by the default executor, wherever the task runs.
    @usableFromInline
    nonisolated(nonsending) func pause() async {
        await Task(executorPreference: executor ?? currentTaskExecutor()) {}.value
    }
}

extension Machine {
    @inlinable
    var heritage: Heritage {
        Heritage(context: core.pointee.context, executor: core.pointee.executor)
    }

    /// A machine for a program that is part of another run, which waits for it. The task that it is driven in may be
    /// cancelled, also where the other run is in a region that may not.
    @usableFromInline
    init(inheriting heritage: Heritage) {
        self.init(sharing: heritage.context, heedingTask: true)
        executor = heritage.executor
    }
}

extension EnvIO {
    /// Runs this program to its end as a part of another run, in the current task.
    @inlinable
    @inline(__always)
    nonisolated(nonsending) func outcome(inheriting heritage: Heritage) async -> Outcome<Value, Failure> {
        if Task.isCancelled { return .cancelled }
        guard case .node(let node) = form else { return shortOutcome(heritage.environment(as: Environment.self)) }
        var machine = Machine(inheriting: heritage)
        let end = await machine.end(of: node)
        return machine.takeOutcome(end)
    }
}
