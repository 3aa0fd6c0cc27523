extension Machine {
    /// Runs `node` to its end. The caller has looked whether the run is cancelled. The caller's isolation.
    @inlinable
    @inline(__always)
    nonisolated(nonsending) mutating func end(of node: Node) async -> Signal {
        if core.pointee.executor == nil, let wait = node.wait { return await wait(heritage, register) }
        next = node
        let signal = run()
        return signal == .suspend ? await finish(from: signal) : signal
    }

    /// Goes on from `signal`, which a synchronous `run` returned, to the program's end. The caller's isolation, but for
    /// the parts that `continueOn` and `on` send elsewhere.
    @usableFromInline
    nonisolated(nonsending) mutating func finish(from signal: Signal) async -> Signal {
        var signal = signal
        while signal == .suspend {
            // What waited is let go of, with all that it holds, before the run goes on.
            if executor == nil, bindings == nil, masked == 0,
                let end = await core.pointee.wait.take()?(heritage, register)
            {
                // What nearly every step is. A call on the way costs as much as the step, and so does what the rare
                // cases need in this function's frame.
                signal = run(from: end)
            } else {
                signal = await waitElsewhere()
            }
        }
        return signal
    }

    /// Waits where the run was moved to, or with its variables, or in a region that is not cancelled.
    @inline(never)
    private nonisolated(nonsending) mutating func waitElsewhere() async -> Signal {
        guard let executor else { return await waitAndRun() }
        return await withTaskExecutorPreference(executor) { await segment(on: executor) }
    }

    /// What runs on one executor: up to the end, or to where the run moves elsewhere.
    @concurrent
    private mutating func segment(on current: any TaskExecutor) async -> Signal {
        var signal = await waitAndRun()
        while signal == .suspend, executor === current { signal = await waitAndRun() }
        return signal
    }

    private nonisolated(nonsending) mutating func waitAndRun() async -> Signal {
        let end = await waited()
        return run(from: end ?? pending)
    }

    /// How what there is to wait for has ended; `nil` where there is nothing.
    private nonisolated(nonsending) mutating func waited() async -> Signal? {
        guard let wait = core.pointee.wait.take() else { return nil }
        guard let bindings else { return await perform(wait) }
        return await perform(wait, with: bindings)
    }

    /// In the caller's isolation, which a closure does not inherit.
    private func perform(
        _ wait: @escaping Wait, with bindings: Bindings, isolation: isolated (any Actor)? = #isolation
    ) async -> Signal {
        let (isMasked, heritage, register) = (masked != 0, heritage, register)
        return await Bindings.$current.withValue(bindings) {
            isMasked
                ? await shielded(wait, isolation: isolation)
                : await Machine.wait(wait, heritage, register, isolation: isolation)
        }
    }

    private nonisolated(nonsending) mutating func perform(_ wait: @escaping Wait) async -> Signal {
        masked == 0 ? await wait(heritage, register) : await shielded(wait)
    }

    /// Waits in a task of its own, which does not see that this one is cancelled: what an `acquire` or a `release`
    /// waits for must not be cut short by what the region is there to outlive. It runs where this one does.
    private func shielded(_ wait: @escaping Wait, isolation: isolated (any Actor)? = #isolation) async -> Signal {
        let (heritage, register, wait) = (heritage, register, Unchecked(wait))
        let task = Task(executorPreference: executor ?? currentTaskExecutor()) {
            await Machine.wait(wait.value, heritage, register, isolation: isolation)
        }
        return await task.value
    }

    private static func wait(
        _ wait: Wait, _ heritage: Heritage, _ register: Register, isolation: isolated (any Actor)?
    ) async -> Signal {
        // The 6.3 compiler does not go to `isolation` for a call alone that is to begin there.
        isolation?.preconditionIsolated()
        return await wait(heritage, register)
    }
}
