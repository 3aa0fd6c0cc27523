public import Testing
public import VirtualTime

/// The superclass of the test drivers for components, loops and stores: ``TestDriver``, ``TestLoop`` and ``TestStore``.
///
/// A test states what happens: it calls methods of the driver that expect messages, changes, effects, failures and
/// calls. The driver records an issue for everything that the test does not state.
public class AnyTestDriver<S: Equatable & Sendable> {
    let core: DriverCore<S>

    init(_ core: DriverCore<S>) {
        self.core = core
    }

    /// The clock and the executor of the component, loop or store.
    ///
    /// If effects sleep, pass them `time.clock`.
    public final var time: VirtualScheduler { core.time }

    /// The state after everything that the test has stated.
    ///
    /// If more has happened, the component, loop or store is already in a later state. If ``TestAxes/state`` is
    /// relaxed, this is the state after everything that has happened.
    public final var state: S { core.visibleState }

    /// The axes that are not relaxed. On these axes, the test has to state everything.
    public final var axes: TestAxes {
        get { core.axes }
        set { core.axes = newValue }
    }
}

// MARK: - Time

extension AnyTestDriver {
    /// Advances the clock by `duration`, and runs the tasks that become ready, in order.
    ///
    /// The test states afterwards what happens meanwhile. If some work continues without end and without sleeping, an
    /// issue is recorded, and the call returns. A negative duration records an issue, and does not change the time.
    public final func advance(by duration: Duration, sourceLocation: SourceLocation = #_sourceLocation) {
        core.advance(by: duration, sourceLocation)
    }
}

// MARK: - Waiting for other threads

extension AnyTestDriver {
    /// Makes a statement as soon as the expected event has happened, also if another thread causes it.
    ///
    /// ```swift
    /// let sent = test.send(.open(5)) { $0.phase = .loading }
    /// await test.eventually { test.change(from: sent) { $0.phase = .loaded("post 5") } }
    /// await test.eventually { test.finish() }
    /// ```
    ///
    /// Use this method for code that leaves the executor of the driver: functions of the main actor and of actors with
    /// an executor of their own, `Task { }`, `Task.detached`, callbacks of queues, and services of the system. The
    /// driver runs the jobs that are ready, and calls `statement`. If the statement lacks something, the method
    /// suspends until a job, a message, a call or the end of some work arrives from another thread, and repeats this.
    /// If something else has happened than the statement expects, the statement fails at once.
    ///
    /// The statements that wait are `change`, `receive`, `expectCall`, `expectWork`, `expectFailure` and `finish`.
    /// `finish` waits for the work that does not sleep on the clock. The method does not advance the clock.
    ///
    /// The method has no time limit of its own. If the task is cancelled, for example by the time limit of the test,
    /// the statement fails, and the issue names what is missing. So give such a test a `.timeLimit`.
    ///
    /// The method runs in the isolation of the caller. In a test on the main actor, the main actor is free while the
    /// method is suspended.
    ///
    /// The result of a statement that lacks something has no meaning. So check the result after this method has
    /// returned it, and not in the closure:
    ///
    /// ```swift
    /// let loaded = await test.eventually { test.receive(Loaded.self) { $0.phase = .loaded("post 5") } }
    /// #expect(loaded?.text == "post 5")
    /// ```
    ///
    /// - Parameters:
    ///   - sourceLocation: The place where an issue is recorded if `statement` makes no statement with this driver. By
    ///     default, the call.
    ///   - statement: Makes exactly one statement with this driver. It may be called several times.
    /// - Returns: The result of the last call of `statement`.
    @discardableResult
    public final nonisolated(nonsending) func eventually<Result>(
        sourceLocation: SourceLocation = #_sourceLocation, _ statement: () -> Result
    ) async -> Result {
        await core.eventually(sourceLocation, statement)
    }
}

// MARK: - Stating what happens

extension AnyTestDriver {
    /// Expects that the next call that was recorded has this name and these arguments.
    ///
    /// If ``TestAxes/calls`` is relaxed, it need not be the next call. A driver without a recorder records an issue.
    ///
    /// - Parameters:
    ///   - name: The name of the function in the ``Recorder``.
    ///   - arguments: The arguments, in order.
    ///   - sourceLocation: The place where issues are recorded. By default, the call.
    public final func expectCall<each Argument: Equatable & Sendable>(
        _ name: String, _ arguments: repeat each Argument, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        core.expectCall(ExpectedCall(name, repeat each arguments), at: sourceLocation)
    }

    /// Expects that the next call that was recorded has this name, with any arguments, and returns the call.
    ///
    /// Use this method if an argument is not `Equatable`, such as a closure. If ``TestAxes/calls`` is relaxed, the call
    /// need not be the next one. Records an issue and returns `nil` if no call has this name.
    @discardableResult
    public final func expectCall(
        named name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) -> RecordedCall? {
        core.expectCall(ExpectedCall(named: name), at: sourceLocation)
    }

    /// Expects that exactly the given work of a message is under way. Without statuses, expects that none is.
    ///
    /// Each task that the message has led to and that sleeps on the driver's clock is work, whatever has started it: an
    /// action, an effect or a handler, a policy, an observer or a middleware. Tasks of subscriptions and event sources
    /// do not count. Work that sleeps on another clock has the status ``WorkStatus/waiting``.
    ///
    /// - Parameters:
    ///   - sent: The message that has started the work.
    ///   - statuses: What each piece of work waits for, in any order.
    ///   - sourceLocation: The place where issues are recorded. By default, the call.
    public final func expectWork(
        _ sent: Sent, _ statuses: WorkStatus..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
        core.expectWork(sent, statuses, at: sourceLocation)
    }

    /// Expects that some work has failed with an error of the type `type`, and returns the error.
    ///
    /// Failures are stated in any order, each once. If there is no such failure, an issue is recorded, and the result
    /// is `nil`.
    @discardableResult
    public final func expectFailure<Failure: Error>(
        _ type: Failure.Type = Failure.self, sourceLocation: SourceLocation = #_sourceLocation
    ) -> Failure? {
        core.settle(sourceLocation)
        guard let failure = core.takeFailure(as: type) else {
            if !core.waits() { core.failWithoutFailure(of: type, sourceLocation) }
            return nil
        }
        return failure
    }

    /// States everything that has happened so far, without checking it: changes, messages, effects, failures and calls.
    ///
    /// Afterwards, ``state`` is the actual state. Work that is under way is not skipped. Use this method in tests in
    /// which only the result counts, for example in a test that runs with many values of `StepOrder`.
    public final func skip(sourceLocation: SourceLocation = #_sourceLocation) {
        core.skipSilently(sourceLocation)
    }

    /// Expects that everything that has happened was stated, and that no work is under way.
    ///
    /// Subscriptions and event sources that still run do not count as work. A task that sleeps on the driver's clock
    /// counts, even if the test itself has started it.
    ///
    /// A driver that is deallocated makes the same checks. If a driver is neither finished nor deallocated until the
    /// process exits, for example because an observer captures it, a report on standard error names the line that has
    /// created it, and the process exits with the status 1.
    public final func finish(sourceLocation: SourceLocation = #_sourceLocation) {
        core.finish(sourceLocation)
    }
}
