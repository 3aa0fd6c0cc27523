import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// A traced store behaves as one without a trace.
@Suite(.timeLimit(.minutes(10))) struct StoreTraceEqualityTests {
    /// The main shapes of effects.
    enum Shape: CaseIterable {
        case synchronous, concurrent, queued, latest, first, debounced, throttled
        case debounce, throttle, delay, timeout, combineLatest, share, program, sequence, failing, nested

        private func answers(_ asked: ActionStream<Asked>, _ clock: VirtualClock, _ log: Log) -> ActionStream<Answered>
        {
            func flatMapping(_ policy: Policy) -> ActionStream<Answered> {
                asked.flatMap(policy) { asked -> ActionStream<Answered> in
                    ActionStream<Answered> {
                        log.append("began \(asked.id)")
                        try await clock.sleep(for: .seconds(asked.id % 3))
                        return Answered(id: asked.id)
                    }.handleEvents(receiveCancel: { log.append("cancelled \(asked.id)") }).prepend(
                        Answered(id: -asked.id))
                }
            }
            return switch self {
            case .synchronous, .nested: asked.answers
            case .concurrent: flatMapping(.concurrent)
            case .queued: flatMapping(.queued)
            case .latest: flatMapping(.latest)
            case .first: flatMapping(.first)
            case .debounced: flatMapping(.debounce(for: .seconds(1), clock: clock))
            case .throttled: flatMapping(.throttle(for: .seconds(1), clock: clock))
            case .debounce: asked.debounce(for: .seconds(1), clock: clock).answers
            case .throttle: asked.throttle(for: .seconds(1), clock: clock).answers
            case .delay: asked.delay(for: .seconds(1), clock: clock).answers
            case .timeout: asked.answers.timeout(.seconds(1), clock: clock, customError: { Unanswerable() })
            case .combineLatest:
                asked.filter { $0.id % 2 == 0 }.combineLatest(asked.delay(for: .seconds(1), clock: clock)).map {
                    Answered(id: 10 * $0.id + $1.id)
                }
            case .share:
                asked.flatMap { asked in
                    log.append("began \(asked.id)")
                    try await clock.sleep(for: .seconds(1))
                    return asked
                }.share { shared in shared.answers.merge(with: shared.map { Answered(id: -$0.id) }) }
            case .program:
                asked.flatMap(.queued) { asked in
                    let answer = EnvIO<Void, Unanswerable, Answered>.pure(Answered(id: asked.id))
                    let late = answer.delay(for: .seconds(1), clock: clock)
                    return ActionStream(asked.id % 2 == 0 ? answer : late, in: ())
                }
            case .sequence:
                asked.flatMap(.latest) { asked in
                    AsyncStream<Answered> { continuation in
                        for id in 0..<3 { continuation.yield(Answered(id: 10 * asked.id + id)) }
                        continuation.finish()
                    }
                }
            case .failing:
                asked.flatMap { asked in
                    try await clock.sleep(for: .seconds(1))
                    if asked.id % 2 == 0 { throw Unanswerable(id: asked.id) }
                    return Answered(id: asked.id)
                }
            }
        }

        func effects(_ clock: VirtualClock, _ log: Log) -> [Effect<Void>] {
            let restarts = [Shape.timeout: 2, .failing: 1][self] ?? 10
            let answering = Effect<Void>(onFailure: .restart(atMost: restarts, clock: clock)) { actions in
                answers(actions.ofType(Asked.self), clock, log).eraseActionType()
            }
            guard self == .nested else { return [answering] }
            return [
                Effect { actions in actions.prefix(3).handleEvents { log.append("first \($0)") } }, answering,
                .map(Answered.self, .latest) { answered in
                    try await clock.sleep(for: .seconds(1))
                    return Failed(id: answered.id)
                },
            ]
        }
    }

    /// Runs a random script, and returns what happened in the store.
    private func run(_ shape: Shape, seed: UInt64, trace: Trace?) throws -> [String] {
        let (scheduler, log) = (VirtualScheduler(seed: seed), Log())
        var generator = SeededGenerator(seed: seed)
        do {
            let store = Store(
                reducer: journal, initialState: [], effects: shape.effects(scheduler.clock, log),
                middleware: [
                    Middleware { action, _, next in
                        if let failed = action as? Failed { return next(Failed(id: 100 + failed.id)) }
                        next(action)
                    }
                ], executor: scheduler.executor, trace: trace)
            store.onError { log.append("\($0)") }
            store.observe { log.append("state \($0.last ?? "")") }
            store.intercept { [weak store] action, _, _ in
                log.append("intercepted \(action)")
                if let asked = action as? Asked, asked.id == 3 { store?.dispatch(action: Asked(id: 4)) }
            }
            for _ in 0..<12 {
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: scheduler.drain()
                case 1: scheduler.advance(by: .milliseconds(500 * Int.random(in: 1...4, using: &generator)))
                default: store.ask(Int.random(in: 0..<6, using: &generator))
                }
                log.append("asked, sleeping: \(scheduler.clock.sleeperCount)")
            }
            let settled = scheduler.start {
                try await store.settled()
                log.append("settled at \(scheduler.clock.now)")
            }
            scheduler.advance(by: .seconds(100))
            settled.cancel()
        }
        scheduler.drain()
        return log.lines
    }

    @Test(
        "74. A trace changes neither the order of what happens in a store nor the work of its effects",
        arguments: Shape.allCases) func aTraceChangesNothing(_ shape: Shape) throws
    {
        for seed: UInt64 in 0..<40 {
            let events = TraceBuffer(capacity: .max)
            let expected = try run(shape, seed: seed, trace: nil)
            let actual = try run(shape, seed: seed, trace: Trace(to: events))
            #expect(actual == expected, "seed \(seed)")
            #expect(events.faults(haveAllEnded: true) == [], "seed \(seed)")
            #expect(expected.contains { $0.hasPrefix("settled") })
        }
    }

    @Test func theFirstActionAmongTheCausesOfAnAnswerIsItsQuestion() throws {
        for shape in [Shape.synchronous, .concurrent, .latest, .debounce, .throttle] {
            for seed: UInt64 in 0..<20 {
                let events = TraceBuffer(capacity: .max)
                _ = try run(shape, seed: seed, trace: Trace(to: events))
                let all = Dictionary(uniqueKeysWithValues: events.all.map { ($0.id, $0) })
                for case (let event, .received(let answer, .effect)) in all.values.map({ ($0, $0.kind) }) {
                    guard let answer = answer.value as? Answered else { continue }
                    let questions = causes(of: event, in: all).compactMap { event -> Int? in
                        guard case .received(let question, _) = event.kind else { return nil }
                        return (question.value as? Asked)?.id
                    }
                    #expect(questions.first == abs(answer.id), "\(shape), seed \(seed)")
                }
            }
        }
    }

    private func causes(of event: TraceEvent, in events: [Int: TraceEvent]) -> [TraceEvent] {
        Array(sequence(first: event) { $0.cause.flatMap { events[$0] } }.dropFirst())
    }

    /// Effects that are cancelled by other threads while they are registered, start, work and end.
    @Test("75. Each work of an effect ends once in a trace, also if several threads cancel it")
    func ends() async throws {
        let events = TraceBuffer(capacity: .max)
        do {
            let store = Store(reducer: journal, initialState: [], trace: Trace(to: events))
            store.onError { _ in }
            await withTaskGroup { group in
                for thread in 0..<4 {
                    group.addTask {
                        for round in 0..<50 {
                            let registration = store.register(
                                .map(Asked.self, .latest) { asked in
                                    if asked.id == 7 { throw Unanswerable() }
                                    return Answered(id: asked.id)
                                })
                            store.ask(thread == 0 ? 7 : round)
                            registration.cancel()
                        }
                    }
                }
            }
            try await store.settled()
        }
        #expect(events.faults() == [])
    }
}

extension ActionStream<Asked> { fileprivate var answers: ActionStream<Answered> { map { Answered(id: $0.id) } } }
