import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// How operators and policies respond to streams that fail, and how failures are reported.
@Suite(.timeLimit(.minutes(10))) struct FailureTests {
    private let world = QuestionWorld()
    private var log: Log { world.log }

    /// Answers even questions, and fails at odd ones.
    private func choosy(_ asked: Asked) -> ActionStream<Answered> {
        asked.id.isMultiple(of: 2) ? .just(Answered(id: asked.id)) : .fail(Unanswerable(id: asked.id))
    }

    private func choosyEffect(_ onFailure: FailurePolicy) -> Effect<Void> {
        world.effect(onFailure: onFailure) { $0.flatMap { choosy($0) } }
    }

    @Test("38. An effect keeps running if a failure is replaced inside flatMap")
    func mappedInside() {
        let store = world.store(
            world.effect { asked in
                asked.flatMap { choosy($0).replaceError(with: Answered(id: -1)) }
            })
        store.ask(1, 2, 3)
        #expect(
            store.state == ["asked 1", "answered -1", "asked 2", "answered 2", "asked 3", "answered -1"])
    }

    @Test(
        "39. A failure is reported with its next step: restarts are counted in a row, and after the last the effect ends",
        arguments: [
            (10, [1, 3, 5], [EffectFailure.NextStep.restarts(left: 9), .restarts(left: 8), .restarts(left: 7)]),
            (1, [1, 3, 5], [.restarts(left: 0), .ends]),
            (1, [1, 2, 3, 4, 5], [.restarts(left: 0), .restarts(left: 0), .restarts(left: 0)]),
            (0, [2, 1, 4], [.ends]),
        ])
    func restarts(count: Int, ids: [Int], nextSteps: [EffectFailure.NextStep]) {
        let store = world.store()
        let failures = store.recorded(EffectFailure.self)
        let registration = store.register(
            choosyEffect(count == 0 ? .stop : .restart(atMost: count, clock: world.clock)))
        for id in ids {
            store.ask(id)
            world.scheduler.advance(by: .seconds(10))
        }
        let failed = ids.filter { !$0.isMultiple(of: 2) }.prefix(nextSteps.count)
        #expect(failures.values.map(\.nextStep) == nextSteps)
        #expect(failures.values.map { ($0.error as? Unanswerable)?.id } == Array(failed))
        #expect(failures.values.allSatisfy { $0.action == nil })
        if nextSteps.last == .ends {
            #expect(store.answers == (count == 0 ? ["answered 2"] : []))
            #expect(registration.status.failure as? Unanswerable == failed.last.map { Unanswerable(id: $0) })
            registration.cancel()
            #expect(registration.status.failure != nil)
        } else {
            #expect(store.answers == ids.filter { $0.isMultiple(of: 2) }.map { "answered \($0)" })
            #expect(registration.status.isRunning)
        }
    }

    @Test("39. The report of a failure names the effect, the next step and the error")
    func texts() {
        let store = world.store()
        let errors = store.recordedErrors()
        store.register(choosyEffect(.restart(atMost: 1, after: .forever)))
        store.ask(1, 3)
        #expect(errors.lines.allSatisfy { $0.contains("Questions.swift") })
        #expect(errors.lines.first?.hasSuffix(" restarts (restarts left: 0). It failed: Unanswerable(id: 1)") == true)
        #expect(errors.lines.last?.hasSuffix(" has ended. It failed: Unanswerable(id: 3)") == true)
    }

    @Test("39. A failure without an observer is written to standard error", .promptly)
    func writtenToStandardError() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let effect = Effect(onFailure: .stop) { _ in
                ActionStream<any Action>.fail(Unanswerable(id: 7))
            }
            _ = Store(reducer: journal, initialState: [], effects: [effect])
        }
        let message = result.standardErrorText
        #expect(message.contains("FailureTests.swift:"))
        #expect(message.contains("failed: Unanswerable(id: 7)"))
    }

    @Test(
        "39. An effect that is cancelled while its failure is recorded does not start again", arguments: [false, true])

    func cancelledWhileFailing(failsAtOnce: Bool) {
        let cancel = Guarded<@Sendable () -> Void>({})
        let store = Store(
            reducer: journal, initialState: [],
            trace: Trace { event in if case .failed = event.kind { cancel.value() } })
        store.onError { _ in }
        cancel.value = { [weak store] in store?.unregister("group") }
        let effect = Effect<Void>(onFailure: .restart(atMost: 5, after: .forever)) { [log] actions, _ in
            log.append("start")
            return failsAtOnce
                ? .fail(Unanswerable())
                : actions.ofType(Asked.self).tryMap { _ in throw Unanswerable() }
        }
        store.register([effect], as: "group")
        store.ask(1)
        #expect(log.lines == ["start"])
    }

    @Test("39. Restarting a stream that fails at once needs no stack")
    func failsAtOnce() async {
        let (status, reports) = await onSmallStack {
            let count = Guarded(0)
            let store = Store(reducer: journal, initialState: [])
            store.onError { _ in count.withLock { $0 += 1 } }
            let registration = store.register(
                Effect(onFailure: .restart(atMost: 2_000, after: .forever)) { _ in .fail(Unanswerable()) })
            return (registration.status, count.withLock { $0 })
        }
        #expect(status.failure as? Unanswerable == Unanswerable())
        #expect(reports == 2_001)
    }

    @Test("51. A failure cancels the other requests of its effect, and the effect restarts")
    func failureCancelsTheRest() {
        let clock = world.clock
        let store = world.store()
        store.onError { _ in }
        store.register(
            world.effect { asked in
                asked.flatMap { asked in
                    try await clock.sleep(for: .seconds(asked.id))
                    if asked.id == 1 { throw Unanswerable() }
                    return Answered(id: asked.id)
                }
            })
        store.ask(1, 2)
        world.scheduler.advance(by: .seconds(1))
        // The pause before the restart sleeps.
        #expect(clock.sleeperCount == 1)
        world.scheduler.advance(by: .milliseconds(100))
        #expect(clock.sleeperCount == 0)
        store.ask(3)
        world.scheduler.advance(by: .seconds(3))
        #expect(store.state == ["asked 1", "asked 2", "asked 3", "answered 3"])
    }

    @Test func retryDeliversTheValueOfALaterAttempt() {
        let left = Guarded(2)
        let clock = world.clock
        let store = world.store(
            world.effect { asked in
                asked.flatMap { asked in
                    ActionStream<Answered> {
                        try await clock.sleep(for: .seconds(1))
                        let fails = left.withLock { left in
                            defer { left -= 1 }
                            return left > 0
                        }
                        if fails { throw Unanswerable() }
                        return Answered(id: asked.id)
                    }.retry(2)
                }
            })
        store.ask(1)
        world.scheduler.advance(by: .seconds(2))
        #expect(store.state == ["asked 1"])
        world.scheduler.advance(by: .seconds(1))
        #expect(store.state == ["asked 1", "answered 1"])
    }

    @Test func retryStartsEachAttemptOnce() {
        let starts = Guarded(0)
        let answers = world.answers(to: []) { _ in
            ActionStream.just(0)
                .flatMap { _ in
                    starts.withLock { $0 += 1 }
                    return ActionStream<Answered>.fail(Unanswerable())
                }
                .merge(with: .just(Answered(id: 1)))
                .retry(2)
                .replaceError(with: Answered(id: 2))
        }
        #expect(answers == [2])
        #expect(starts.withLock { $0 } == 3)
    }

    @Test func retryNeedsNoStack() async {
        let answers = await onSmallStack {
            QuestionWorld().answers(to: []) { _ in
                ActionStream.fail(Unanswerable()).retry(50_000).replaceError(with: Answered(id: 1))
            }
        }
        #expect(answers == [1])
    }

    @Test func retryOfTheStoresActionsContinuesWithTheNextAction() {
        let store = world.store(
            world.effect(onFailure: .stop) {
                $0.flatMap { choosy($0) }.retry(1).replaceError(with: Answered(id: -1))
            })
        store.ask(1, 2, 3, 4)
        #expect(
            store.state == ["asked 1", "asked 2", "answered 2", "asked 3", "answered -1", "asked 4"])
    }

    @Test func replaceErrorReceivesTheErrorAndEndsTheStream() {
        let store = world.store()
        let registration = store.register(
            world.effect { asked in
                asked.flatMap { choosy($0) }.replaceError {
                    Answered(id: -(($0 as? Unanswerable)?.id ?? 0))
                }
            })
        store.ask(2, 3, 4)
        #expect(store.state == ["asked 2", "answered 2", "asked 3", "answered -3", "asked 4"])
        #expect(registration.status.isFinished)
    }

    @Test func aFailureOfAReplacedWorkIsNotReported() {
        let gate = Gate()
        let store = world.store(
            world.effect { asked in
                asked.flatMap(.latest) { asked in
                    if asked.id == 1 {
                        await gate.pass()
                        throw Unanswerable()
                    }
                    return Answered(id: asked.id)
                }
            })
        store.onError { [log] in log.append("\($0)") }
        store.ask(1)
        world.scheduler.drain()
        store.ask(2)
        Task(executorPreference: world.scheduler.executor) { await gate.open() }
        world.scheduler.drain()
        #expect(log.lines.isEmpty)
        #expect(store.state == ["asked 1", "asked 2", "answered 2"])
    }
}
