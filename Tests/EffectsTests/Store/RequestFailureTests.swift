import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// How effects made by `map` and `run` respond to a request that fails.
@Suite(.timeLimit(.minutes(10))) struct RequestFailureTests {
    private let world = QuestionWorld()

    /// Answers a question after a second if its id is odd, and fails otherwise.
    private var request: @Sendable (Asked) async throws -> Answered {
        { [clock = world.clock] asked in
            try await clock.sleep(for: .seconds(1))
            if asked.id.isMultiple(of: 2) { throw Unanswerable(id: asked.id) }
            return Answered(id: asked.id)
        }
    }

    enum Kind: CaseIterable { case concurrent, limited, queued, latest, first, debounce, throttle }

    private func policy(_ kind: Kind) -> Policy {
        switch kind {
        case .concurrent: .concurrent
        case .limited: .concurrent(limit: 2)
        case .queued: .queued
        case .latest: .latest
        case .first: .first
        case .debounce: .debounce(for: .seconds(1), clock: world.clock)
        case .throttle: .throttle(for: .seconds(1), latest: false, clock: world.clock)
        }
    }

    @Test(
        "39. A request of map or run that fails ends alone, and is reported once with its action",
        arguments: Kind.allCases, [false, true])
    func failing(kind: Kind, answers: Bool) {
        let answered = Log()
        let (policy, request) = (policy(kind), request)
        let store = world.store()
        let failures = store.recorded(EffectFailure.self)
        let registration = store.register(
            answers
                ? .map(Asked.self, policy, request)
                : .run(on: Asked.self, policy) { answered.append("\(try await request($0))") })
        for ids in [[1, 2, 3], [4], [5]] {
            for id in ids { store.ask(id) }
            world.scheduler.advance(by: .seconds(10))
        }
        let (successes, errors) =
            switch kind {
            case .concurrent, .limited, .queued: ([1, 3, 5], [2, 4])
            case .latest, .debounce: ([3, 5], [4])
            case .first: ([1, 5], [4])
            case .throttle: ([1, 5], [2, 4])
            }
        #expect((answers ? store.answers : answered.lines) == successes.map { "answered \($0)" })
        #expect(failures.values.map { ($0.action as? Asked)?.id } == errors)
        #expect(failures.values.map { $0.error as? Unanswerable } == errors.map { Unanswerable(id: $0) })
        #expect(failures.values.allSatisfy { $0.nextStep == .continues })
        #expect(registration.status.isRunning)
    }

    @Test("39. An effect of map that has failed a thousand times in a row answers the next action")
    func manyFailures() {
        let store = world.store(.map(Asked.self, .concurrent, request))
        let failures = store.recorded(EffectFailure.self)
        for _ in 1...1_000 {
            store.ask(2)
            world.scheduler.advance(by: .seconds(1))
        }
        store.ask(1)
        world.scheduler.advance(by: .seconds(1))
        #expect(store.answers == ["answered 1"])
        #expect(failures.values.count == 1_000)
    }

    @Test("39. The report of a request names the effect, the action and the error")
    func text() {
        let store = world.store(.map(Asked.self, .concurrent, request))
        let errors = store.recordedErrors()
        store.ask(2)
        world.scheduler.advance(by: .seconds(1))
        #expect(errors.lines.count == 1)
        #expect(errors.lines.first?.hasPrefix("The effect of EffectsTests/RequestFailureTests.swift:") == true)
        #expect(errors.lines.first?.hasSuffix(" continues. It failed for asked 2: Unanswerable(id: 2)") == true)
    }

    @Test("39. A report on standard error shows the action as the trace redacts it", .promptly)
    func redacted() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let store = Store(
                reducer: journal, initialState: [],
                effects: [.map(Asked.self) { _ -> Answered in throw Unanswerable() }],
                trace: Trace { _ in }.omitting(Asked.self))
            store.dispatch(action: Asked(id: 7))
            try await store.settled()
        }
        let message = result.standardErrorText
        #expect(message.contains(" continues. It failed for ‹Asked omitted›: "))
        #expect(!message.contains("asked 7"))
    }

    @Test("39. A request that was replaced or cancelled is not reported", arguments: [false, true])
    func replaced(isCancelled: Bool) {
        let gate = Gate()
        let store = world.store()
        let errors = store.recordedErrors()
        let registration = store.register(
            .map(Asked.self, .latest) { asked in
                if asked.id == 1 {
                    await gate.pass()
                    throw Unanswerable()
                }
                return Answered(id: asked.id)
            })
        store.ask(1)
        world.scheduler.drain()
        if isCancelled { registration.cancel() } else { store.ask(3) }
        Task(executorPreference: world.scheduler.executor) { await gate.open() }
        world.scheduler.drain()
        #expect(errors.lines.isEmpty)
        #expect(store.answers == (isCancelled ? [] : ["answered 3"]))
    }

    @Test("39. In a trace, a request that fails has failed, and its effect has not")
    func traced() {
        let events = TraceBuffer()
        let store = Store(
            reducer: journal, initialState: [], effects: [.map(Asked.self, .concurrent, file: "e", line: 1, request)],
            executor: world.scheduler.executor, trace: Trace(to: events))
        store.onError { _ in }
        store.ask(2)
        world.scheduler.advance(by: .seconds(1))
        #expect(events.ends(of: "request") == ["failed with \(Unanswerable(id: 2))"])
        #expect(events.ends(of: "e") == ["runs"])
        #expect(events.faults() == [])
    }

    @Test("39. A clock of a policy that throws fails the whole stream of map")
    func brokenClock() {
        let store = world.store(
            .map(Asked.self, .debounce(for: .seconds(1), clock: BrokenClock(Unanswerable())), request))
        let failures = store.recorded(EffectFailure.self)
        store.ask(1)
        world.scheduler.drain()
        #expect(failures.values.map(\.nextStep) == [.restarts(left: 9)])
        #expect(failures.values.first?.action == nil)
    }
}
