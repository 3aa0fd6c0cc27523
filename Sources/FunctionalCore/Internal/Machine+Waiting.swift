extension Machine {
    /// Runs `node` to its end, in the caller's isolation. The caller has checked that the run is not cancelled.
    @inlinable
    @inline(__always)
    nonisolated(nonsending) mutating func end(of node: Node) async -> Signal {
        if core.executor == nil, let wait = node.wait { return await wait(context, register) }
        core.next = node
        let signal = run()
        return signal == .suspend ? await finish(from: signal) : signal
    }

    /// Continues to the program's end from `signal`, which `run` returned.
    ///
    /// The run continues in the caller's isolation, except for the parts that `continueOn` and `on` move elsewhere.
    @usableFromInline
    nonisolated(nonsending) mutating func finish(from signal: Signal) async -> Signal {
        var signal = signal
        while signal == .suspend {
            // Nearly every step takes this path. Calls and locals that only the rare cases need are in functions of
            // their own, because each call costs as much as the step. The step is released before the run continues.
            if core.executor == nil, core.bindings == nil, core.masked == 0,
                let end = await core.wait.take()?(context, register)
            {
                signal = run(from: end)
            } else {
                signal = await waitElsewhere()
            }
        }
        return signal
    }

    /// Awaits the pending step on the run's executor, with the run's variables, and without cancellation in an
    /// uncancellable region. Then runs until the next suspension. On an executor, runs until the program ends or moves
    /// elsewhere.
    @inline(never)
    private nonisolated(nonsending) mutating func waitElsewhere() async -> Signal {
        guard let executor = core.executor else { return await waitAndRun() }
        return await withTaskExecutorPreference(executor) { await runSegment(on: executor) }
    }

    /// Runs on one executor until the program ends or moves to another executor.
    @concurrent
    private mutating func runSegment(on executor: any TaskExecutor) async -> Signal {
        var signal = await waitAndRun()
        while signal == .suspend, core.executor === executor { signal = await waitAndRun() }
        return signal
    }

    private nonisolated(nonsending) mutating func waitAndRun() async -> Signal {
        // A move to another executor suspends the run without a step to await.
        guard let wait = core.wait.take() else { return run(from: core.pending) }
        guard let bindings = core.bindings else {
            let end = core.masked == 0 ? await wait(context, register) : await shielded(wait)
            return run(from: end)
        }
        return run(from: await perform(wait, with: bindings))
    }

    /// Awaits `wait` with `bindings` as the current variables. The isolation is a parameter, because the closure passed
    /// to `withValue` does not inherit it otherwise.
    private func perform(
        _ wait: @escaping Wait, with bindings: Bindings, isolation: isolated (any Actor)? = #isolation
    ) async -> Signal {
        let (isMasked, context, register) = (core.masked != 0, context, register)
        return await Bindings.$current.withValue(bindings) {
            isMasked
                ? await shielded(wait, isolation: isolation)
                : await Machine.wait(wait, context, register, isolation: isolation)
        }
    }

    /// Awaits `wait` in a separate task, so that cancelling the run's task does not cancel the step. The step runs in
    /// the same isolation.
    private func shielded(_ wait: @escaping Wait, isolation: isolated (any Actor)? = #isolation) async -> Signal {
        let (context, register) = (context, register)
        let task = Task(executorPreference: core.executor ?? currentTaskExecutor()) {
            await Machine.wait(wait, context, register, isolation: isolation)
        }
        return await task.value
    }

    private static func wait(
        _ wait: Wait, _ context: RunContext, _ register: Register, isolation: isolated (any Actor)?
    ) async -> Signal {
        // Without this statement, the 6.3 compiler does not switch to `isolation` for the call.
        isolation?.preconditionIsolated()
        return await wait(context, register)
    }
}
