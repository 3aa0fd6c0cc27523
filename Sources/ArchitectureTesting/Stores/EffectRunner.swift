public import Effects
import FunctionalCore
public import Testing
public import VirtualTime

/// A test driver for one effect, which sends actions to the effect and returns the actions that it emits.
///
/// ```swift
/// let runner = EffectRunner(getPostEffect)
/// let answers = runner.run(GetPost(id: "1"), expecting: 1)
/// #expect(answers is [GetPostSuccess])
/// ```
///
/// There is no reducer, and emitted actions are not sent to the effect again. Tasks of the effect run in virtual time,
/// on the thread that calls ``run(_:expecting:sourceLocation:)``. If an effect sleeps, pass it the clock of
/// ``scheduler``.
public final class EffectRunner: Sendable {
    /// The clock and the executor of the effect.
    public let scheduler: VirtualScheduler
    private let store: Store<Void>
    private let log = Locked(Log())

    private struct Log: Sendable {
        var answers: [any Action] = []
        var failures: [any Error] = []
        var seenFailureCount = 0
    }

    /// Creates a runner, and registers `effect`.
    ///
    /// - Parameters:
    ///   - effect: The effect to test. If it needs an environment, give it one with `provide`.
    ///   - scheduler: The clock and the executor of the effect.
    public init(_ effect: Effect<Void>, scheduler: VirtualScheduler = VirtualScheduler()) {
        self.scheduler = scheduler
        store = Store(reducer: { _, _ in }, initialState: (), executor: scheduler.executor)
        store.onError { [log] failure in log.withLock { $0.failures.append(failure) } }
        store.register(effect.diverted { [log] action in log.withLock { $0.answers.append(action) } })
    }

    /// The failures of the effect so far, each an `EffectFailure`.
    ///
    /// ``run(_:expecting:sourceLocation:)`` also records each failure as an issue. If a test expects a failure, wrap
    /// the call of `run` in `withKnownIssue`.
    public var failures: [any Error] {
        log.withLock { $0.failures }
    }

    /// Sends `actions` to the effect in order, and returns the first `count` actions that the effect emits.
    ///
    /// Actions that the effect emitted after the previous call are returned first, and count towards `count`. An effect
    /// emits such actions, for example, if the test advances ``scheduler`` between two calls.
    ///
    /// While the effect has emitted fewer than `count` actions and a task sleeps, time advances to the next deadline.
    /// If the number of emitted actions is not `count` in the end, an issue is recorded that states both numbers. Each
    /// failure of the effect is recorded, too.
    ///
    /// If the effect goes on without end and without sleeping, an issue is recorded, and the call returns. The same
    /// happens if time has advanced to 100,000 deadlines, and the effect has emitted no action meanwhile.
    ///
    /// If `count` is zero, time does not advance. To check that an effect emits nothing for a while, advance
    /// ``scheduler``, and then call this method without actions and with a `count` of zero.
    ///
    /// Actions beyond `count` are discarded, so the next call does not return them. An effect with `dispatch: false`
    /// emits no actions.
    ///
    /// - Parameters:
    ///   - actions: The actions to send.
    ///   - count: The number of actions that the effect should emit.
    ///   - sourceLocation: The place where issues are recorded. By default, the call.
    /// - Returns: The emitted actions, at most `count`.
    @discardableResult
    public func run(
        _ actions: any Action..., expecting count: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) -> [any Action] {
        checkCount(count, of: "run(_:expecting:)")
        let result = run(actions, count)
        record(result.problems, sourceLocation)
        return result.answers
    }

    /// Does the same as `run(_:expecting:sourceLocation:)`, but returns a message for each problem instead of recording
    /// issues.
    func run(_ actions: [any Action], _ count: Int) -> (answers: [any Action], problems: [String]) {
        for action in actions { store.dispatch(action: action) }
        let limit = 100_000
        var hasEnded = scheduler.drain(atMost: limit)
        // `silence` is the number of deadlines since the last emitted action.
        var (emitted, silence) = (log.withLock { $0.answers.count }, 0)
        while hasEnded, emitted < count, silence < limit, let deadline = scheduler.clock.nextDeadline {
            hasEnded = scheduler.advance(to: deadline, atMost: limit)
            let earlier = emitted
            emitted = log.withLock { $0.answers.count }
            silence = emitted > earlier ? 0 : silence + 1
        }
        let (answers, failures) = log.withLock { log in
            defer { (log.answers, log.seenFailureCount) = ([], log.failures.count) }
            return (log.answers, log.failures[log.seenFailureCount...])
        }
        var problems = failures.map { "\($0)" }
        if !hasEnded { problems.append(DriverText.endless(limit)) }
        if silence == limit { problems.append(DriverText.silent(limit)) }
        if answers.count != count {
            let problem = "Expected number of actions from the effect: \(count), emitted: \(answers.count)"
            problems.append(([problem] + answers.flatMap(added)).joined(separator: "\n"))
        }
        return (Array(answers.prefix(count)), problems)
    }
}
