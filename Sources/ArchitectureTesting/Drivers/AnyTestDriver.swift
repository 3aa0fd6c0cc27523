public import Testing
public import VirtualTime

/// What the test drivers for components, loops and stores have in common: ``TestDriver``, ``TestLoop`` and
/// ``TestStore``.
public class AnyTestDriver<S: Equatable & Sendable> {
    let core: DriverCore<S>

    init(_ core: DriverCore<S>) {
        self.core = core
    }

    /// The clock and the executor.
    public final var time: VirtualScheduler { core.time }

    /// The state after everything that the test has stated.
    ///
    /// If more has happened, the owner is already in a later state. If ``TestAxes/state`` is relaxed, this is the state
    /// after everything that has happened.
    public final var state: S { core.visibleState }

    /// The axes on which everything has to be stated.
    public final var axes: TestAxes {
        get { core.axes }
        set { core.axes = newValue }
    }
}

// MARK: - Time

extension AnyTestDriver {
    /// Advances the clock, and runs what is due and ready, in order.
    ///
    /// What happens meanwhile is stated afterwards. If some work goes on without sleeping, an issue is recorded, and the
    /// call returns. A negative duration records an issue, and does not change the time.
    public final func advance(by duration: Duration, sourceLocation: SourceLocation = #_sourceLocation) {
        core.advance(by: duration, sourceLocation)
    }
}

// MARK: - Stating what happens

extension AnyTestDriver {
    /// Expects that the next call that was recorded has this name and these arguments.
    ///
    /// - Parameters:
    ///   - name: The name that the function was given.
    ///   - arguments: The arguments, in order.
    ///   - sourceLocation: The place where issues are recorded. By default, the call.
    public final func expectCall<each Argument: Equatable & Sendable>(
        _ name: String, _ arguments: repeat each Argument, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        core.expectCall(ExpectedCall(name, repeat each arguments), at: sourceLocation)
    }

    /// Expects that the next call that was recorded has this name, with any arguments, and returns the call.
    ///
    /// Use this method if an argument is not `Equatable`, such as a closure.
    @discardableResult
    public final func expectCall(
        named name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) -> RecordedCall? {
        core.expectCall(ExpectedCall(named: name), at: sourceLocation)
    }

    /// Expects that exactly this work of a sent message is under way. Without a status: none.
    ///
    /// Each task that the message has led to and that sleeps on the driver's clock is work, whatever has started it: an
    /// action, an effect or a handler, a policy, an observer or a middleware. Tasks of subscriptions and event sources are
    /// none. Work that sleeps on another clock has the status ``WorkStatus/waiting``.
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

    /// Expects that a work has failed with an error of a type, and returns the error.
    ///
    /// Failures are stated in any order, each once.
    @discardableResult
    public final func expectFailure<Failure: Error>(
        _ type: Failure.Type = Failure.self, sourceLocation: SourceLocation = #_sourceLocation
    ) -> Failure? {
        core.settle(sourceLocation)
        guard let failure = core.takeFailure(as: type) else {
            core.failWithoutFailure(of: type, sourceLocation)
            return nil
        }
        return failure
    }

    /// States everything that has happened so far, without checking it: changes, messages, effects, failures and calls.
    ///
    /// Afterwards, ``state`` is the state of what is driven. Work that is under way is not skipped. For tests in which
    /// only the result counts, for example one that runs in many orders.
    public final func skip(sourceLocation: SourceLocation = #_sourceLocation) {
        core.skipSilently(sourceLocation)
    }

    /// Expects that everything that has happened was stated, and that no work is under way.
    ///
    /// Subscriptions and event sources that still run are no work of this kind. A task that sleeps on the driver's clock is,
    /// also if the test itself has started it.
    public final func finish(sourceLocation: SourceLocation = #_sourceLocation) {
        core.finish(sourceLocation)
    }
}
