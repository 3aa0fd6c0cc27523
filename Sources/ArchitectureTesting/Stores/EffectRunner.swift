public import Effects
public import Testing
public import VirtualTime

/// Feeds actions to an effect, and returns what it would dispatch, in virtual time.
///
/// ```swift
/// let runner = EffectRunner(getPostEffect)
/// let answers = runner.run(GetPost(id: "1"), expecting: 1)
/// #expect(answers is [GetPostSuccess])
/// ```
///
/// There is no reducer, and what the effect emits is not fed to it again. Its tasks run on the scheduler's executor, on
/// the thread that calls ``run(_:expecting:sourceLocation:)``; give the clock of ``scheduler`` to what waits.
public final class EffectRunner: Sendable {
    /// The time and the executor of the effect.
    public let scheduler: VirtualScheduler
    private let store: Store<Void>
    private let log = Lock(Log())

    private struct Log: Sendable {
        var answers: [any Action] = []
        var failures: [any Error] = []
        var seenFailureCount = 0
    }

    /// Runs `effect` from now on. One that needs an environment is given it by `provide`.
    public init(_ effect: Effect<Void>, scheduler: VirtualScheduler = VirtualScheduler()) {
        self.scheduler = scheduler
        store = Store(reducer: { _, _ in }, initialState: (), executor: scheduler.executor)
        store.onError { [log] failure in log.withLock { $0.failures.append(failure) } }
        store.register(effect.diverted { [log] action in log.withLock { $0.answers.append(action) } })
    }

    /// What has failed so far, each an `EffectFailure`.
    public var failures: [any Error] {
        log.withLock { $0.failures }
    }

    /// Feeds `actions` to the effect, one after the other, and returns the first `count` of those that it emitted since
    /// the last time.
    ///
    /// Time passes, from sleeper to sleeper, until so many have come; then it stands still. That fewer have come when
    /// nobody sleeps any more, or more, is an issue with both numbers, reported at the call, as is that the effect has
    /// failed. An effect with `dispatch: false` emits none.
    @discardableResult
    public func run(
        _ actions: any Action..., expecting count: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) -> [any Action] {
        let result = run(actions, count)
        record(result.problems, sourceLocation)
        return result.answers
    }

    /// The answers, and what is wrong with them.
    func run(_ actions: [any Action], _ count: Int) -> (answers: [any Action], problems: [String]) {
        for action in actions { store.dispatch(action: action) }
        scheduler.drain()
        while log.withLock({ $0.answers.count }) < count, let deadline = scheduler.clock.nextDeadline {
            scheduler.advance(to: deadline)
        }
        let (answers, failures) = log.withLock { log in
            defer { (log.answers, log.seenFailureCount) = ([], log.failures.count) }
            return (log.answers, log.failures[log.seenFailureCount...])
        }
        var problems = failures.map { "\($0)" }
        if answers.count != count {
            let problem = "\(count) actions were expected of the effect, and \(answers.count) came"
            problems.append(([problem] + answers.flatMap(added)).joined(separator: "\n"))
        }
        return (Array(answers.prefix(count)), problems)
    }
}
