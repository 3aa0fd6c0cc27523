extension EnvIO {
    /// This program, and where it fails again, as `schedule` says when it is asked about the failure. When that stops,
    /// the last failure is the program's.
    ///
    /// ```swift
    /// let page = download.retry(.exponential(base: .milliseconds(100)) && .recurs(5))
    /// ```
    ///
    /// A run that is cancelled is not retried: it ends as cancelled, also in the middle of a wait. Waiting holds no
    /// thread; where the wait is zero there is none, so that `runSync` runs what never waits otherwise. Any number of
    /// attempts runs in constant stack. On top of the attempt itself, each costs some 60 ns for a closure, and 150 ns
    /// for an `async` one.
    ///
    /// - Parameters:
    ///   - schedule: When to try again. Each run begins it anew.
    ///   - clock: What measures waits, and the time that ``Schedule/upTo(_:)`` looks at; a virtual one in tests.
    @inlinable
    public func retry(_ schedule: Schedule<Failure>, clock: some Clock<Duration> = .continuous) -> EnvIO {
        again(at: .failure, schedule, clock: clock)
    }

    /// This program, retried as `schedule` says, and where that stops the one that `fallback` makes of the last
    /// failure.
    @inlinable
    public func retry<NewFailure: Error>(
        _ schedule: Schedule<Failure>,
        clock: some Clock<Duration> = .continuous,
        orElse fallback: @escaping @Sendable (Failure) -> EnvIO<Environment, NewFailure, Value>
    ) -> EnvIO<Environment, NewFailure, Value> {
        retry(schedule, clock: clock).handled(by: fallback)
    }

    /// The same where the failure's type stays.
    @inlinable
    public func retry(
        _ schedule: Schedule<Failure>,
        clock: some Clock<Duration> = .continuous,
        orElse fallback: @escaping @Sendable (Failure) -> EnvIO
    ) -> EnvIO {
        retry(schedule, clock: clock).handled(by: fallback)
    }

    /// This program, and then again, as `schedule` says when it is asked about the value. When that stops, the last
    /// value is the program's. A failure ends the whole.
    ///
    /// ```swift
    /// let finished = status.repeat(.spaced(.seconds(1)).untilInput { $0 == .finished })
    /// ```
    ///
    /// Waits, cancellation and stack are those of ``retry(_:clock:)``.
    ///
    /// - Parameters:
    ///   - schedule: When to run again. Each run begins it anew.
    ///   - clock: What measures waits, and the time that ``Schedule/upTo(_:)`` looks at; a virtual one in tests.
    @inlinable
    public func `repeat`(_ schedule: Schedule<Value>, clock: some Clock<Duration> = .continuous) -> EnvIO {
        again(at: .value, schedule, clock: clock)
    }

    /// This program, again and again as long as it ends in `end` and `schedule` goes on.
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
            // Through the node, which is freed without recursion however many lie in one another.
            guard let wait = node.wait else { fault("A node that waits has forgotten how.") }
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

    /// The next attempt, and those that follow it at once.
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

    /// What follows the end in the register; `nil` for the next attempt, at once.
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
