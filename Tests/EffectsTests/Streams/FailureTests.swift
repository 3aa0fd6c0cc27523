import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// How operators and policies respond to streams that fail, and how failures are reported.
@Suite(.timeLimit(.minutes(10))) struct FailureTests {
    private let world = QuestionWorld()
    private let log = Log()

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

    @Test("39. A failure that reaches the end of the stream is reported, and the effect restarts")
    func restarted() {
        let store = world.store()
        store.onError { [log] in log.append("\($0)") }
        let registration = store.register(choosyEffect(.restart(atMost: 10)))
        store.ask(1, 2, 3, 4)
        #expect(
            store.state == ["asked 1", "asked 2", "answered 2", "asked 3", "asked 4", "answered 4"])
        #expect(registration.status.isRunning)
        #expect(log.lines.count == 2)
        #expect(log.lines.allSatisfy { $0.contains("Questions.swift") })
        #expect(log.lines[1].hasSuffix("failed: Unanswerable(id: 3)"))
    }

    @Test("39. An effect restarts at most as often as its policy allows, and then fails")
    func restartCap() {
        let store = world.store()
        store.onError { [log] in log.append("\($0)") }
        let registration = store.register(choosyEffect(.restart(atMost: 2)))
        store.ask(1, 3)
        #expect(registration.status.isRunning)
        store.ask(5, 6)
        #expect(registration.status.failure as? Unanswerable == Unanswerable(id: 5))
        #expect(store.state == ["asked 1", "asked 3", "asked 5", "asked 6"])
        #expect(log.lines.count == 3)
    }

    @Test("39. A failure states whether the effect restarts and how many restarts are left")
    func nextStep() {
        let store = world.store()
        let failures = Record<EffectFailure>()
        store.onError { if let failure = $0 as? EffectFailure { failures.append(failure) } }
        store.register(choosyEffect(.restart(atMost: 2)))
        store.ask(1, 3, 5)
        #expect(failures.values.map(\.nextStep) == [.restarts(left: 1), .restarts(left: 0), .ends])
        let texts = failures.values.map { "\($0)" }
        #expect(texts[0].hasSuffix(" restarts (restarts left: 1). It failed: Unanswerable(id: 1)"))
        #expect(texts[2].hasSuffix(" has ended. It failed: Unanswerable(id: 5)"))
        store.register(choosyEffect(.stop))
        store.ask(1)
        #expect(failures.values.last?.nextStep == .ends)
    }

    @Test("39. An effect with the policy stop ends at its first failure")
    func stopped() {
        let store = world.store()
        let failures = Record<any Error>()
        store.onError { failures.append($0) }
        let registration = store.register(choosyEffect(.stop))
        store.ask(1, 2)
        #expect(registration.status.failure as? Unanswerable == Unanswerable(id: 1))
        #expect(store.state == ["asked 1", "asked 2"])
        #expect(
            (failures.values.first as? EffectFailure)?.error as? Unanswerable == Unanswerable(id: 1))
        registration.cancel()
        #expect(registration.status.failure != nil)
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
        let effect = Effect<Void>(onFailure: .restart(atMost: 5)) { [log] actions, _ in
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
                Effect(onFailure: .restart(atMost: 50_000)) { _ in .fail(Unanswerable()) })
            return (registration.status, count.withLock { $0 })
        }
        #expect(status.failure as? Unanswerable == Unanswerable())
        #expect(reports == 50_001)
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
        #expect(clock.sleeperCount == 0)
        store.ask(3)
        world.scheduler.advance(by: .seconds(3))
        #expect(store.state == ["asked 1", "asked 2", "asked 3", "answered 3"])
    }

    @Test func retryRestartsUpToTheGivenCount() {
        let attempts = Guarded(0)
        let answers = { (count: Int) in
            world.answers(to: [1]) { asked in
                asked.flatMap { asked in
                    ActionStream<Answered> { Answered(id: asked.id) }
                        .merge(with: .fail(Unanswerable()))
                        .handleEvents { _ in }
                        .retry(count)
                        .replaceError { _ in
                            attempts.withLock { $0 += 1 }
                            return Answered(id: -1)
                        }
                }
            }
        }
        #expect(answers(0) == [-1])
        #expect(answers(3) == [-1])
        #expect(attempts.withLock { $0 } == 2)
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
