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
    /// If the run is cancelled before a further attempt, even during a delay, it ends as cancelled. If the clock
    /// throws, the program ends as ``sleep(for:clock:)`` does.
    ///
    /// A delay blocks no thread. A delay of zero does not suspend the run, so ``runSync(_:)`` accepts a retried program
    /// that does not suspend otherwise. Any number of attempts runs in constant stack space.
    ///
    /// - Parameters:
    ///   - schedule: Decides whether and when to try again. Each run starts it from its beginning.
    ///   - clock: Measures the delays, and the elapsed time that ``Schedule/upTo(_:)`` limits. Pass a virtual clock in
    ///     tests.
    @_alwaysEmitIntoClient
    public func retry(_ schedule: Schedule<Failure>, clock: some Clock<Duration> = .continuous) -> EnvIO {
        again(at: .failure, schedule, clock: clock)
    }

    /// Returns a program that retries this program, and runs the result of `fallback` when `schedule` stops.
    ///
    /// `fallback` receives the last failure. In all other respects it behaves like ``retry(_:clock:)``. For a fallback
    /// with another failure type, write `retry(schedule).handleErrorWith { failure in … }`.
    ///
    /// - Parameters:
    ///   - schedule: Decides whether and when to try again. Each run starts it from its beginning.
    ///   - clock: Measures the delays, and the elapsed time that ``Schedule/upTo(_:)`` limits.
    ///   - fallback: Returns the program to run after the last failure.
    @_alwaysEmitIntoClient
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
    /// let finished = status.repeat(.spaced(.seconds(1)).whileInput { $0 != .finished })
    /// ```
    ///
    /// Delays, cancellation and stack use are those of ``retry(_:clock:)``.
    ///
    /// - Parameters:
    ///   - schedule: Decides whether and when to run again. Each run starts it from its beginning.
    ///   - clock: Measures the delays, and the elapsed time that ``Schedule/upTo(_:)`` limits. Pass a virtual clock in
    ///     tests.
    @_alwaysEmitIntoClient
    public func `repeat`(_ schedule: Schedule<Value>, clock: some Clock<Duration> = .continuous) -> EnvIO {
        again(at: .value, schedule, clock: clock)
    }

    /// Returns a program that runs this program again and again, until it fails or is cancelled.
    ///
    /// The type of the value is `Never`, because the program never succeeds.
    ///
    /// ```swift
    /// let polling = poll.delay(for: .seconds(5)).forever()
    /// let page = polling.background().use { _ in load }
    /// ```
    ///
    /// ``setValueType(to:)`` makes it a program of any other type, for example to race it.
    ///
    /// Cancellation and stack use are those of ``retry(_:clock:)``: the run checks for cancellation between two
    /// repetitions, and lets other tasks run now and then. In an uncancellable region, only a failure or a program that
    /// cancels itself ends the repetition.
    @_alwaysEmitIntoClient
    public func forever() -> EnvIO<Environment, Failure, Never> {
        `repeat`(.forever).map { _ in programmerError("Internal error: forever() has ended with a value.") }
    }

    /// Returns a program that repeats this program for as long as it ends with `end` and `schedule` continues.
    @_alwaysEmitIntoClient
    func again<Input>(at end: Signal, _ schedule: Schedule<Input>, clock: some Clock<Duration>) -> EnvIO {
        guard case .node(let node) = form, node.wait != nil else {
            return .step { machine in attempt(Repetition(at: end, schedule, clock: clock), &machine) }
        }
        // An `async` closure needs no machine between its attempts, and is twice as fast without a machine.
        return EnvIO(waiting: { context, register in
            // Captures the node and not its closure, because nested nodes are deallocated without recursion.
            guard let wait = node.wait else {
                programmerError("Internal error: a node that suspends has no wait closure.")
            }
            var repetition = Repetition(at: end, schedule, clock: clock)
            var count: UInt16 = 0
            while true {
                let signal = await wait(context, register)
                guard signal == end, let delay = repetition.delay(register, Task.isCancelled) else { return signal }
                count &+= 1
                if count & 0x0FFF == 0 { await context.pause() }
                if Task.isCancelled { return .cancelled }
                if delay == .zero { continue }
                let slept = await repetition.sleep(for: delay, register, Failure.self)
                if slept != .jump { return slept }
            }
        })
    }

    /// Runs the next attempt, and the attempts that follow it without a delay.
    ///
    /// If the form of this program is not `node`, a loop runs the attempts. Otherwise the machine runs the program
    /// next, and a node that receives its end starts the following attempt.
    @_alwaysEmitIntoClient
    func attempt<Input>(_ repetition: Repetition<Input>, _ machine: inout Machine) -> Signal {
        var repetition = repetition
        if case .node(let node) = form {
            machine.push(
                Node(accepting: repetition.end) { [repetition] machine in
                    var repetition = repetition
                    return endAttempt(&repetition, &machine) ?? attempt(repetition, &machine)
                }
            )
            machine.core.next = node
            return .jump
        }
        while true {
            let signal = enter(&machine)
            guard signal == repetition.end else { return signal }
            if let signal = endAttempt(&repetition, &machine) { return signal }
        }
    }

    /// Consults the schedule about the end of an attempt, whose value or failure is in the register.
    ///
    /// - Returns: The signal with which the run continues, or `nil` if the next attempt follows at once.
    @_alwaysEmitIntoClient
    func endAttempt<Input>(_ repetition: inout Repetition<Input>, _ machine: inout Machine) -> Signal? {
        guard let delay = repetition.delay(machine.register, machine.isCancelled) else { return repetition.end }
        if machine.isCancelled { return .cancelled }
        if delay == .zero, !machine.isPauseDueAfterStep() { return nil }
        machine.core.next = Node { [repetition] machine in
            machine.isCancelled ? .cancelled : attempt(repetition, &machine)
        }
        // If a pause is due, the machine pauses before it follows the jump.
        if delay == .zero { return .jump }
        machine.core.wait = { [repetition] _, register in
            await repetition.sleep(for: delay, register, Failure.self)
        }
        return .suspend
    }
}

extension EnvIO where Value == Never {
    /// Returns this program, which never succeeds, with another value type.
    ///
    /// Use it where a program with a value is expected: `load.race(heartbeat.forever().setValueType())`.
    @_alwaysEmitIntoClient
    public func setValueType<NewValue>(
        to type: NewValue.Type = NewValue.self
    ) -> EnvIO<Environment, Failure, NewValue> {
        // A program that never succeeds never stores a value in the register, so its nodes are valid for any type.
        EnvIO<Environment, Failure, NewValue>(form: .node(node))
    }
}

/// The progress of one run of `retry` or `repeat`.
@usableFromInline
struct Repetition<Input>: Sendable {
    /// The end that may lead to another attempt: `failure` for `retry`, and `value` for `repeat`.
    @usableFromInline let end: Signal
    @usableFromInline let clock: any Clock<Duration>
    /// Measures the time since the first attempt, if the schedule depends on it.
    @usableFromInline let timer: AnyClock?
    @usableFromInline var schedule: Schedule<Input>

    /// Creates the state before the first attempt, which starts now.
    @inlinable
    init(at end: Signal, _ schedule: Schedule<Input>, clock: any Clock<Duration>) {
        self.end = end
        self.clock = clock
        self.schedule = schedule
        timer = schedule.isTimed ? AnyClock(clock) : nil
    }

    /// Takes the input out of the register and consults the schedule. If the schedule stops, the input is put back.
    ///
    /// If it continues after a failure, and the run is not cancelled, a trace records the retry.
    ///
    /// - Returns: The delay before the next attempt, or `nil` if the schedule stops.
    @inlinable
    mutating func delay(_ register: Register, _ isCancelled: @autoclosure () -> Bool) -> Duration? {
        let input = register.take(as: Input.self)
        switch schedule.step(input, timer?.elapsed() ?? .zero) {
        case .stop:
            register.put(input)
            return nil
        case .again(let delay, let rest):
            schedule = rest
            guard end == .failure, let failure = input as? any Error else { return delay }
            return Tracer.recovered(from: failure, to: delay) { isCancelled() ? nil : .retry(after: $0) }
        }
    }

    /// Suspends for `delay`. Returns the signal with which the run continues: `jump`, unless the clock threw.
    @usableFromInline
    nonisolated(nonsending) func sleep<Failure: Error>(
        for delay: Duration, _ register: Register, _: Failure.Type
    ) async -> Signal {
        do {
            try await clock.tracedSleep(for: delay)
            return .jump
        } catch {
            return register.put(errorOfClock: error, as: Failure.self)
        }
    }
}
