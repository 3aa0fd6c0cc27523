import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Which of the inner streams run, and when, under each policy.
@Suite(.timeLimit(.minutes(10))) struct FlatMapTests {
    private let world = QuestionWorld()
    private let log = Log()

    /// An effect that answers a question after as many seconds as its `id`.
    private func sleeping(_ policy: Policy) -> Effect<Void> {
        world.effect { [clock = world.clock, log] asked in
            asked.flatMap(policy) { asked in
                log.append("began \(asked.id)")
                try await clock.sleep(for: .seconds(asked.id))
                return Answered(id: asked.id)
            }
        }
    }

    private var answered: (Store<[String]>) -> [String] {
        { $0.state.filter { $0.hasPrefix("answered") } }
    }

    @Test func concurrentDeliversAnswersInTheOrderTheyArrive() {
        let store = world.store(sleeping(.concurrent))
        store.ask(3, 1, 2)
        world.scheduler.advance(by: .seconds(3))
        #expect(answered(store) == ["answered 1", "answered 2", "answered 3"])
    }

    @Test func queuedRunsWorksInSequence() {
        let store = world.store(sleeping(.queued))
        store.ask(3, 1, 2)
        world.scheduler.advance(by: .seconds(4))
        #expect(answered(store) == ["answered 3", "answered 1"])
        world.scheduler.advance(by: .seconds(2))
        #expect(answered(store) == ["answered 3", "answered 1", "answered 2"])
    }

    @Test("54. With the policy latest, a newer action cancels the work of an older one")
    func latest() {
        let store = world.store(sleeping(.latest))
        store.ask(3)
        world.scheduler.advance(by: .seconds(1))
        store.ask(5)
        world.scheduler.drain()
        #expect(world.clock.sleeperCount == 1)
        world.scheduler.advance(by: .seconds(5))
        #expect(answered(store) == ["answered 5"])
    }

    @Test func latestDeliversNoOlderAnswerAfterANewerOne() {
        // The requests ignore cancellation, so a replaced request still answers, in any order.
        let gates = (0..<20).map { _ in Gate() }
        for seed: UInt64 in 0..<20 {
            let executor = ManualExecutor(seed: seed)
            let store = Store(
                reducer: journal, initialState: [],
                effects: [
                    world.effect { asked in
                        asked.flatMap(.latest) { asked in
                            await gates[asked.id].pass()
                            return AsyncStream<Answered> { continuation in
                                for _ in 0..<3 { continuation.yield(Answered(id: asked.id)) }
                                continuation.finish()
                            }
                        }
                    }
                ], executor: executor)
            var generator = SeededGenerator(seed: seed)
            for id in 0..<20 {
                store.ask(id)
                if Bool.random(using: &generator) {
                    Task(executorPreference: executor) { await gates[Int(seed) % (id + 1)].open() }
                }
            }
            for gate in gates { Task(executorPreference: executor) { await gate.open() } }
            executor.drain()
            #expect(answered(store) == Array(repeating: "answered 19", count: 3))
        }
    }

    @Test func firstIgnoresNewerOnesWhileOneRuns() {
        let store = world.store(sleeping(.first))
        store.ask(2, 1)
        world.scheduler.advance(by: .seconds(3))
        store.ask(1)
        world.scheduler.advance(by: .seconds(3))
        #expect(answered(store) == ["answered 2", "answered 1"])
        #expect(log.lines == ["began 2", "began 1"])
    }

    @Test("54. With the policy debounce, only the last of several actions starts work, after a pause")
    func debounce() {
        let store = world.store(sleeping(.debounce(for: .seconds(1), clock: world.clock)))
        store.ask(1, 2, 3)
        world.scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["began 3"])
        world.scheduler.advance(by: .seconds(3))
        #expect(answered(store) == ["answered 3"])
    }

    @Test func throttleStartsOneInEachInterval() {
        let store = world.store(sleeping(.throttle(for: .seconds(10), clock: world.clock)))
        store.ask(1, 2, 3)
        world.scheduler.drain()
        #expect(log.lines == ["began 1"])
        world.scheduler.advance(by: .seconds(10))
        #expect(log.lines == ["began 1", "began 3"])
    }

    @Test(
        "Under throttle, an older value does not win because an observer is slower than the interval",
        arguments: [false, true], [false, true])
    func throttleBehindASlowObserver(latest: Bool, isOnOtherThread: Bool) {
        let clock = world.clock
        let policy = Policy.throttle(for: .seconds(10), latest: latest, clock: clock)
        for isOperator in [false, true] {
            let start = clock.now
            let store = world.store(
                world.effect { asked in
                    let asked = asked.filter { $0.id != 0 }
                    return isOperator
                        ? asked.throttle(for: .seconds(10), latest: latest, clock: clock).map { Answered(id: $0.id) }
                        : asked.flatMap(policy) { .just(Answered(id: $0.id)) }
                })
            store.observe { [weak store, world] lines in
                guard lines.last == "asked 0" else { return }
                store?.ask(3)
                // While the observer is called, the timer of 2 fires, and another interval passes.
                for _ in 1...2 {
                    if isOnOtherThread {
                        onThreads(1) { _ in world.scheduler.advance(by: .seconds(10)) }
                    } else {
                        world.scheduler.advance(by: .seconds(10))
                    }
                }
            }
            store.ask(1, 2, 0)
            #expect(answered(store) == ["answered 1", latest ? "answered 3" : "answered 2"])
            #expect(clock.now == start.advanced(by: .seconds(20)))
        }
    }

    static let policies: [(String, @Sendable (VirtualClock) -> Policy)] = [
        ("concurrent", { _ in .concurrent }), ("queued", { _ in .queued }),
        ("latest", { _ in .latest }),
        ("first", { _ in .first }), ("debounce", { .debounce(for: .seconds(1), clock: $0) }),
        ("throttle", { .throttle(for: .seconds(1), clock: $0) }),
    ]

    @Test("40. An effect ends when its stream and all inner streams have ended", arguments: policies.indices)
    func completion(index: Int) {
        let (name, policy) = Self.policies[index]
        let clock = world.clock
        let store = world.store()
        let registration = store.register(
            world.effect { asked in
                asked.prefix(3).flatMap(policy(clock)) { asked in
                    try await clock.sleep(for: .seconds(asked.id))
                    return Answered(id: asked.id)
                }
            })
        store.ask(3, 2, 1)
        world.scheduler.drain()
        #expect(registration.status.isRunning)
        world.scheduler.advance(by: .seconds(10))
        #expect(registration.status.isFinished)
        let expected: [String: [Int]] = [
            "concurrent": [1, 2, 3], "queued": [3, 2, 1], "latest": [1], "first": [3], "debounce": [1],
            "throttle": [1, 3],
        ]
        let answers = (expected[name] ?? []).map { "answered \($0)" }
        // Under `throttle`, the last work starts a second after the first one and ends before it.
        #expect(answered(store) == answers)
        #expect(world.clock.sleeperCount == 0)
    }

    @Test func synchronousWorksQueuedBehindAWaitingWorkAllRun() {
        let clock = world.clock
        let store = world.store()
        let registration = store.register(
            world.effect { asked in
                asked.prefix(4).flatMap(.queued) { asked in
                    asked.id == 1
                        ? ActionStream {
                            try await clock.sleep(for: .seconds(1))
                            return Answered(id: 1)
                        }
                        : .just(Answered(id: asked.id))
                }
            })
        store.ask(1, 2, 3, 4)
        world.scheduler.advance(by: .seconds(1))
        #expect(answered(store) == (1...4).map { "answered \($0)" })
        #expect(registration.status.isFinished)
    }

    @Test func flatMapEndsAtOnceIfNoWorkIsUnderWay() {
        let store = world.store()
        let registration = store.register(
            world.effect { asked in
                asked.first().flatMap(.queued) { ActionStream.just(Answered(id: $0.id)) }
            })
        store.ask(1)
        #expect(registration.status.isFinished)
        #expect(answered(store) == ["answered 1"])
    }

    @Test func anInnerStreamMayListenToTheStore() {
        let store = world.store(
            Effect { actions in
                actions.ofType(Asked.self).flatMap(.latest) { asked in
                    actions.ofType(Failed.self).first().map { Answered(id: asked.id + $0.id) }
                }.eraseActionType()
            })
        store.ask(1, 2)
        store.dispatch(action: Failed(id: 10))
        store.dispatch(action: Failed(id: 20))
        #expect(answered(store) == ["answered 12"])
    }

    @Test("51. An inner stream that ends cancels its sequence")
    func endedInnerStreams() {
        let clock = world.clock
        let store = world.store(
            world.effect { asked in
                asked.flatMap { [log] asked in
                    ActionStream(of: {
                        AsyncThrowingStream<Answered, any Error> {
                            try await clock.sleep(for: .seconds(1))
                            log.append("tick")
                            return Answered(id: asked.id)
                        }
                    }).prefix(2)
                }
            })
        store.ask(1)
        world.scheduler.advance(by: .seconds(10))
        #expect(log.lines == ["tick", "tick"])
        #expect(world.clock.sleeperCount == 0)
        #expect(answered(store) == ["answered 1", "answered 1"])
    }

    @Test func aStreamOfStreamsRunsAllOfItsStreams() {
        let store = world.store(
            world.effect { asked in
                asked.flatMap(.queued) { asked in
                    ActionStream.sequence(1...asked.id).flatMap(.queued) {
                        ActionStream.just(Answered(id: $0))
                    }
                }
            })
        store.ask(2, 3)
        #expect(answered(store) == [1, 2, 1, 2, 3].map { "answered \($0)" })
    }
}
