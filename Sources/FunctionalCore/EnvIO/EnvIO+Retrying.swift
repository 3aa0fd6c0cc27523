extension EnvIO {
    /// Returns a program that runs this program, and runs it again after each failure for as long as `schedule`
    /// continues.
    ///
    /// The schedule receives each failure as its input. When it stops, the program fails with the last failure.
    ///
    /// ```swift
    /// let page = download.retry(.exponential(base: .milliseconds(100)) && .recurs(5))
    /// ```
    ///
    /// A cancelled run is not retried. It ends as cancelled, even during a delay.
    ///
    /// A delay blocks no thread. A delay of zero does not suspend the run, so ``runSync(_:)`` accepts a retried program
    /// that does not suspend otherwise. Any number of attempts runs in constant stack space.
    ///
    /// - Parameters:
    ///   - schedule: Decides whether and when to try again. Each run starts it from its beginning.
    ///   - clock: Measures the delays, and the elapsed time that ``Schedule/upTo(_:)`` limits. Pass a virtual clock in
    ///     tests.
    @inlinable
    public func retry(_ schedule: Schedule<Failure>, clock: some Clock<Duration> = .continuous) -> EnvIO {
        again(at: .failure, schedule, clock: clock)
    }

    /// Returns a program that retries this program, and runs the result of `fallback` when `schedule` stops.
    ///
    /// `fallback` receives the last failure. In all other respects it behaves like ``retry(_:clock:)``.
    ///
    /// - Parameters:
    ///   - schedule: Decides whether and when to try again. Each run starts it from its beginning.
    ///   - clock: Measures the delays, and the elapsed time that ``Schedule/upTo(_:)`` limits.
    ///   - fallback: Returns the program to run after the last failure.
    @inlinable
    public func retry<NewFailure: Error>(
        _ schedule: Schedule<Failure>,
        clock: some Clock<Duration> = .continuous,
        orElse fallback: @escaping @Sendable (Failure) -> EnvIO<Environment, NewFailure, Value>
    ) -> EnvIO<Environment, NewFailure, Value> {
        retry(schedule, clock: clock).handled(by: fallback)
    }

    /// Returns a program that retries this program, and runs the result of `fallback` when `schedule` stops.
    ///
    /// This overload keeps the failure type, so the compiler can infer the result of `fallback`.
    @inlinable
    public func retry(
        _ schedule: Schedule<Failure>,
        clock: some Clock<Duration> = .continuous,
        orElse fallback: @escaping @Sendable (Failure) -> EnvIO
    ) -> EnvIO {
        retry(schedule, clock: clock).handled(by: fallback)
    }

    /// Returns a program that runs this program, and runs it again after each success for as long as `schedule`
    /// continues.
    ///
    /// The schedule receives each value as its input. When it stops, the program succeeds with the last value. If this
    /// program fails, the whole program fails.
    ///
    /// ```swift
    /// let finished = status.repeat(.spaced(.seconds(1)).untilInput { $0 == .finished })
    /// ```
    ///
    /// Delays, cancellation and stack use are those of ``retry(_:clock:)``.
    ///
    /// - Parameters:
    ///   - schedule: Decides whether and when to run again. Each run starts it from its beginning.
    ///   - clock: Measures the delays, and the elapsed time that ``Schedule/upTo(_:)`` limits. Pass a virtual clock in
    ///     tests.
    @inlinable
    public func `repeat`(_ schedule: Schedule<Value>, clock: some Clock<Duration> = .continuous) -> EnvIO {
        again(at: .value, schedule, clock: clock)
    }

    /// Returns a program that repeats this program for as long as it ends with `end` and `schedule` continues.
    @inlinable
    func again<Input>(at end: Signal, _ schedule: Schedule<Input>, clock: some Clock<Duration>) -> EnvIO {
        let clock = BoxedClock(clock)
        let step: Node.Step = { machine in attempt(Repetition(at: end, schedule, clock: clock), &machine) }
        guard case .node(let node) = form else {
            let attempts: Machine.Wait = { heritage, register in
                let environment = heritage.environment(as: Environment.self)
                var repetition = Repetition(at: end, schedule, clock: clock)
                while true {
                    let signal = register.put(shortOutcome(environment))
                    guard let delay = repetition.delay(after: signal, register) else { return signal }
                    if Task.isCancelled { return .cancelled }
                    if repetition.mustWait(for: delay), await !repetition.hasWaited(for: delay, heritage) {
                        return .cancelled
                    }
                }
            }
            return EnvIO(form: .node(Node(waiting: attempts, step)))
        }
        if node.wait == nil { return EnvIO(form: .node(Node(step))) }
        let attempts: Machine.Wait = { heritage, register in
            // Captures the node, not its closure: nested nodes are deallocated without recursion.
            guard let wait = node.wait else {
                programmerError("Internal error: a node that suspends has no wait closure.")
            }
            var repetition = Repetition(at: end, schedule, clock: clock)
            while true {
                let signal = await wait(heritage, register)
                guard let delay = repetition.delay(after: signal, register) else { return signal }
                if Task.isCancelled { return .cancelled }
                if repetition.mustWait(for: delay), await !repetition.hasWaited(for: delay, heritage) {
                    return .cancelled
                }
            }
        }
        return EnvIO(form: .node(node.alwaysWaits ? Node(waiting: attempts) : Node(waiting: attempts, step)))
    }

    /// Runs the next attempt, and those that follow it without a delay.
    @inlinable
    func attempt<Input>(
        _ soFar: Repetition<Input>, _ machine: inout Machine
    ) -> Signal {
        if case .node(let node) = form {
            machine.push(
                Node(accepting: soFar.end) { machine in
                    var repetition = soFar
                    return goOn(&repetition, &machine) ?? attempt(repetition, &machine)
                }
            )
            machine.next = node
            return .jump
        }
        var repetition = soFar
        while true {
            let signal = enter(&machine)
            guard signal == repetition.end else { return signal }
            if let signal = goOn(&repetition, &machine) { return signal }
        }
    }

    /// Asks the schedule about the outcome in the register. Returns `nil` if the next attempt follows without a delay.
    @inlinable
    func goOn<Input>(
        _ repetition: inout Repetition<Input>, _ machine: inout Machine
    ) -> Signal? {
        guard let delay = repetition.delay(after: repetition.end, machine.register) else { return repetition.end }
        if machine.isCancelled { return .cancelled }
        if delay == .zero, !machine.isPauseDueAfterAttempt() { return nil }
        let soFar = Unchecked(repetition)
        machine.push(
            Node(accepting: .value) { machine in
                machine.take(as: Void.self)
                return attempt(soFar.value, &machine)
            }
        )
        machine.wait = { heritage, register in
            guard await soFar.value.hasWaited(for: delay, heritage) else { return .cancelled }
            register.put(())
            return .value
        }
        return .suspend
    }
}
