import Effects
import TestSupport
import Testing
import VirtualTime

/// Timeouts and intervals, in virtual time.
@Suite(.timeLimit(.minutes(10))) struct TimeoutTests {
    private struct TooSlow: Error {}

    private let world = QuestionWorld()

    private func register(
        in store: Store<[String]>, _ operation: (ActionStream<Asked>) -> ActionStream<Asked>
    ) -> EffectRegistration {
        store.register(
            world.effect(onFailure: .stop) { asked in operation(asked).map { Answered(id: $0.id) } })
    }

    @Test("timeout ends a stream that emits no value for the interval, and measures from each value")
    func ends() {
        let store = world.store()
        let registration = register(in: store) { $0.timeout(.seconds(2), clock: world.clock) }
        world.scheduler.advance(by: .milliseconds(1_500))
        store.ask(1)
        world.scheduler.advance(by: .milliseconds(1_999))
        store.ask(2)
        world.scheduler.advance(by: .milliseconds(1_999))
        #expect(registration.status.isRunning)
        world.scheduler.advance(by: .milliseconds(1))
        #expect(registration.status.isFinished)
        store.ask(3)
        #expect(store.state == ["asked 1", "answered 1", "asked 2", "answered 2", "asked 3"])
        #expect(world.clock.sleeperCount == 0)
    }

    @Test("timeout waits for its clock once, however many values arrive")
    func oneTask() {
        let store = world.store()
        let registration = store.register(
            world.effect { asked in
                asked.flatMap { _ in .sequence((1...1_000).map(Asked.init)) }.timeout(.seconds(2), clock: world.clock)
                    .filter { $0.id == 1_000 }.map { Answered(id: $0.id) }
            })
        world.scheduler.drain()
        #expect(world.clock.sleeperCount == 1)
        world.clock.advance(by: .seconds(1))
        // The tasks that the values have started do not run before the next drain.
        store.ask(1)
        #expect(store.state == ["asked 1", "answered 1000"])
        #expect(world.scheduler.executor.readyCount == 0)
        world.scheduler.advance(by: .milliseconds(1_999))
        #expect(registration.status.isRunning)
        world.scheduler.advance(by: .milliseconds(1))
        #expect(registration.status.isFinished)
    }

    @Test("timeout with an error fails the stream")
    func fails() {
        let store = world.store()
        store.onError { _ in }
        let registration = register(in: store) {
            $0.timeout(.seconds(2), clock: world.clock, customError: { TooSlow() })
        }
        store.ask(1)
        world.scheduler.advance(by: .seconds(2))
        #expect(registration.status.failure is TooSlow)
        #expect(store.state == ["asked 1", "answered 1"])
    }

    @Test("A stream that ends or fails in time does not wait for its timeout")
    func inTime() {
        let store = world.store()
        store.onError { _ in }
        let ended = register(in: store) { $0.prefix(1).timeout(.seconds(2), clock: world.clock) }
        let failed = register(in: store) {
            $0.tryMap { _ in throw Unanswerable() }.timeout(.seconds(2), clock: world.clock)
        }
        let sources = register(in: store) { _ in
            ActionStream.sequence([Asked(id: 7), Asked(id: 8)]).timeout(.seconds(2), clock: world.clock)
        }
        store.ask(1)
        world.scheduler.drain()
        #expect(ended.status.isFinished)
        #expect(failed.status.failure is Unanswerable)
        #expect(sources.status.isFinished)
        #expect(store.state == ["answered 7", "answered 8", "asked 1", "answered 1"])
        #expect(world.clock.sleeperCount == 0)
    }

    @Test("A request that is too slow is cancelled and replaced, and the effect keeps running")
    func request() {
        let clock = world.clock
        let store = world.store(
            world.effect { asked in
                asked.flatMap { asked in
                    ActionStream {
                        try await clock.sleep(for: .seconds(asked.id))
                        return Answered(id: asked.id)
                    }
                    .timeout(.seconds(3), clock: clock, customError: { TooSlow() })
                    .replaceError { Answered(id: $0 is TooSlow ? -asked.id : 0) }
                }
            })
        store.ask(5, 2)
        world.scheduler.advance(by: .seconds(2))
        #expect(store.state.dropFirst(2) == ["answered 2"])
        world.scheduler.advance(by: .seconds(1))
        #expect(store.state.dropFirst(2) == ["answered 2", "answered -5"])
        #expect(clock.sleeperCount == 0)
    }

    @Test("A value that is processed before its timeout's message keeps the stream running")
    func valueBeforeTheTimeout() {
        let store = world.store()
        let registration = register(in: store) { $0.timeout(.seconds(2), clock: world.clock) }
        world.scheduler.drain()
        let scheduler = world.scheduler
        store.register(
            Effect(dispatch: false) { actions in
                actions.ofType(Answered.self).handleEvents { [weak store] answered in
                    guard answered.id == 0 else { return }
                    store?.ask(1)
                    // On another thread, so that the timeout is enqueued behind the question.
                    onThreads(1) { _ in scheduler.advance(by: .seconds(2)) }
                }
                .eraseActionType()
            })
        store.dispatch(action: Answered(id: 0))
        #expect(registration.status.isRunning)
        #expect(store.state == ["answered 0", "asked 1", "answered 1"])
    }

    @Test("interval emits numbers at multiples of its period, and has no end")
    func interval() {
        let store = world.store()
        let registration = store.register(
            world.effect { _ in
                ActionStream.interval(.seconds(2), clock: world.clock).map(Answered.init)
            })
        world.scheduler.advance(by: .milliseconds(1_999))
        #expect(store.state.isEmpty)
        world.scheduler.advance(by: .milliseconds(1))
        #expect(store.state == ["answered 0"])
        world.scheduler.advance(by: .seconds(4))
        #expect(store.state == ["answered 0", "answered 1", "answered 2"])
        registration.cancel()
        world.scheduler.drain()
        #expect(world.clock.sleeperCount == 0)
    }

    @Test("interval does not add up delays, and does not make up for numbers that it missed")
    func lateNumbers() {
        let store = world.store()
        store.register(
            world.effect { _ in
                ActionStream.interval(.seconds(2), clock: world.clock).map(Answered.init)
            })
        world.scheduler.drain()
        // The clock does not run the tasks. The number that is due at 2 s comes at 3 s, and the next one at 4 s.
        world.clock.advance(by: .seconds(3))
        world.scheduler.drain()
        #expect(store.state == ["answered 0"])
        world.scheduler.advance(by: .seconds(1))
        #expect(store.state == ["answered 0", "answered 1"])
        // The number that is due at 6 s comes at 11 s. Those of 8 s and 10 s were missed.
        world.clock.advance(by: .seconds(7))
        world.scheduler.drain()
        #expect(store.state == ["answered 0", "answered 1", "answered 2"])
        world.scheduler.advance(by: .milliseconds(1_999))
        #expect(store.state.count == 3)
        world.scheduler.advance(by: .milliseconds(1))
        #expect(store.state.count == 4)
    }

    @Test("39. A clock that throws fails a timeout and an interval")
    func brokenClock() {
        let store = world.store()
        store.onError { _ in }
        let clock = BrokenClock(Unanswerable())
        let registrations = [
            register(in: store) { $0.timeout(.seconds(1), clock: clock) },
            register(in: store) { _ in ActionStream.interval(.seconds(1), clock: clock).map { Asked(id: $0) } },
        ]
        world.scheduler.drain()
        for registration in registrations { #expect(registration.status.failure is Unanswerable) }
    }
}
