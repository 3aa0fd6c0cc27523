import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Which of the inner streams run, and when, under each policy.
@Suite(.timeLimit(.minutes(10))) struct FlatMapTests {
    private let world = QuestionWorld()
    private var log: Log { world.log }

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
            #expect(store.answers == Array(repeating: "answered 19", count: 3))
        }
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
            #expect(store.answers == ["answered 1", latest ? "answered 3" : "answered 2"])
            #expect(clock.now == start.advanced(by: .seconds(20)))
        }
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
        #expect(store.answers == ["answered 12"])
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
        #expect(store.answers == ["answered 1", "answered 1"])
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
        #expect(store.answers == [1, 2, 1, 2, 3].map { "answered \($0)" })
    }
}
