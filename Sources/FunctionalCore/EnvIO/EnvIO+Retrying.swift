extension EnvIO {
    /// This program, and where it fails again, as `schedule` says when it is asked about the failure. When that stops,
    /// the last failure is the program's.
    ///
    /// ```swift
    /// let page = download.retry(.exponential(base: .milliseconds(100)) && .recurs(5))
    /// ```
    ///
    /// A run that is cancelled is not retried: it ends as cancelled, also in the middle of a wait. Waiting holds no thread;
    /// where the wait is zero there is none, so that `runSync` runs what never waits otherwise. Any number of attempts runs
    /// in constant stack.
    ///
    /// - Parameters:
    ///   - schedule: When to try again. Each run begins it anew.
    ///   - clock: What measures waits, and the time that ``Schedule/upTo(_:)`` looks at; a virtual one in tests.
    @inlinable
    public func retry(_ schedule: Schedule<Failure>, clock: some Clock<Duration> = .continuous) -> EnvIO {
        again(at: .failure, schedule, clock: clock)
    }

    /// This program, retried as `schedule` says, and where that stops the one that `fallback` makes of the last failure.
    @inlinable
    public func retry<NewFailure: Error>(
        _ schedule: Schedule<Failure>,
        clock: some Clock<Duration> = .continuous,
        orElse fallback: @escaping @Sendable (Failure) -> EnvIO<Environment, NewFailure, Value>
    ) -> EnvIO<Environment, NewFailure, Value> {
        retry(schedule, clock: clock).handleErrorWith(fallback)
    }

    /// This program, and then again, as `schedule` says when it is asked about the value. When that stops, the last value
    /// is the program's. A failure ends the whole.
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
        EnvIO(
            form: .node(Node { machine in attempt(until: end, Repetition(schedule, clock: clock), &machine) })
        )
    }

    @inlinable
    func attempt<Input>(
        until end: Signal, _ repetition: consuming Repetition<Input>, _ machine: inout Machine
    ) -> Signal {
        var repetition = repetition
        while true {
            if case .node(let node) = form {
                let soFar = Unchecked(repetition)
                machine.push(
                    Node(accepting: end) { machine in
                        var repetition = soFar.value
                        return goOn(at: end, &repetition, &machine)
                            ?? attempt(until: end, repetition, &machine)
                    }
                )
                machine.next = node
                return .jump
            }
            let signal = enter(&machine)
            guard signal == end else { return signal }
            if let signal = goOn(at: end, &repetition, &machine) { return signal }
        }
    }

    /// What follows the end in the register; `nil` for the next attempt, at once.
    @inlinable
    func goOn<Input>(
        at end: Signal, _ repetition: inout Repetition<Input>, _ machine: inout Machine
    ) -> Signal? {
        let input = machine.take(as: Input.self)
        guard let delay = repetition.delay(after: input) else {
            machine.put(input)
            return end
        }
        if machine.isCancelled { return .cancelled }
        if delay == .zero { return nil }
        let soFar = Unchecked(repetition)
        machine.wait = { machine in
            do {
                try await soFar.value.clock.sleep(for: delay)
                machine.next = Node { machine in attempt(until: end, soFar.value, &machine) }
                return .jump
            } catch {
                return .cancelled
            }
        }
        return .suspend
    }
}
