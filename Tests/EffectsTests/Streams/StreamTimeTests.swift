import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Operators and streams that wait for a clock, which the test advances.
@Suite(.timeLimit(.minutes(10))) struct StreamTimeTests {
    private let world = QuestionWorld()
    private let log = Log()

    private func store(_ answers: (ActionStream<Asked>) -> ActionStream<Asked>) -> Store<[String]> {
        world.store(world.effect { asked in answers(asked).map { Answered(id: $0.id) } })
    }

    private func answered(_ store: Store<[String]>) -> [String] {
        store.state.filter { $0.hasPrefix("answered") }
    }

    @Test("54. debounce emits the last of several actions after a pause")
    func debounce() {
        let store = store { $0.debounce(for: .seconds(2), clock: world.clock) }
        store.ask(1)
        world.scheduler.advance(by: .seconds(1))
        store.ask(2)
        world.scheduler.advance(by: .seconds(1))
        store.ask(3)
        world.scheduler.advance(by: .milliseconds(1_999))
        #expect(answered(store).isEmpty)
        world.scheduler.advance(by: .milliseconds(1))
        #expect(answered(store) == ["answered 3"])
        store.ask(4)
        world.scheduler.advance(by: .seconds(2))
        #expect(answered(store) == ["answered 3", "answered 4"])
    }

    @Test func debounceDeliversTheLastValueOfAnEndedStream() {
        let store = world.store()
        let registration = store.register(
            world.effect { [clock = world.clock] in
                $0.prefix(2).debounce(for: .seconds(2), clock: clock).map { Answered(id: $0.id) }
            })
        store.ask(1, 2)
        #expect(registration.status.isRunning)
        world.scheduler.advance(by: .seconds(2))
        #expect(answered(store) == ["answered 2"])
        #expect(registration.status.isFinished)
    }

    @Test("54. throttle emits the first action at once, and the last one when the interval ends")
    func throttle() {
        let store = store { $0.throttle(for: .seconds(10), clock: world.clock) }
        store.ask(1, 2, 3)
        #expect(answered(store) == ["answered 1"])
        world.scheduler.advance(by: .seconds(10))
        #expect(answered(store) == ["answered 1", "answered 3"])
        world.scheduler.advance(by: .seconds(10))
        store.ask(4)
        #expect(answered(store) == ["answered 1", "answered 3", "answered 4"])
    }

    @Test("54. throttle with latest: false emits the next action when the interval ends")
    func throttleFirst() {
        let store = store { $0.throttle(for: .seconds(10), latest: false, clock: world.clock) }
        store.ask(1, 2, 3)
        world.scheduler.advance(by: .seconds(10))
        #expect(answered(store) == ["answered 1", "answered 2"])
    }

    @Test func delayDeliversEachValueLaterInOrder() {
        let store = store { $0.delay(for: .seconds(2), clock: world.clock) }
        store.ask(1)
        world.scheduler.advance(by: .seconds(1))
        store.ask(2, 3)
        world.scheduler.advance(by: .seconds(1))
        #expect(answered(store) == ["answered 1"])
        world.scheduler.advance(by: .seconds(1))
        #expect(answered(store) == ["answered 1", "answered 2", "answered 3"])
    }

    @Test func delayEndsAfterItsLastValue() {
        let store = world.store()
        let registration = store.register(
            world.effect { [clock = world.clock] in
                $0.prefix(2).delay(for: .seconds(2), clock: clock).map { Answered(id: $0.id) }
            })
        store.ask(1, 2)
        #expect(registration.status.isRunning)
        world.scheduler.advance(by: .seconds(2))
        #expect(answered(store) == ["answered 1", "answered 2"])
        #expect(registration.status.isFinished)
    }

    /// An effect that applies `operation` to a stream that fails at question 9.
    private func failing(
        _ operation: @escaping @Sendable (ActionStream<Asked>, VirtualClock) -> ActionStream<Asked>
    ) -> Effect<Void> {
        world.effect(onFailure: .stop) { [clock = world.clock] asked in
            operation(asked.flatMap { $0.id == 9 ? .fail(Unanswerable()) : .just($0) }, clock)
                .map { Answered(id: $0.id) }
        }
    }

    @Test("delay also delays a failure, and emits all earlier values first")
    func delayedFailure() {
        let store = world.store()
        store.onError { [log] _ in log.append("failed") }
        let registration = store.register(failing { $0.delay(for: .seconds(2), clock: $1) })
        store.ask(1)
        world.scheduler.advance(by: .seconds(1))
        store.ask(2, 9)
        world.scheduler.advance(by: .seconds(1))
        #expect(answered(store) == ["answered 1"])
        #expect(registration.status.isRunning)
        world.scheduler.advance(by: .seconds(1))
        #expect(answered(store) == ["answered 1", "answered 2"])
        #expect(registration.status.failure is Unanswerable)
        #expect(log.lines == ["failed"])
    }

    @Test("delay also delays the end of an empty stream")
    func delayedEnd() {
        let store = world.store()
        let registration = store.register(
            world.effect { [clock = world.clock] _ in
                ActionStream<Answered>.empty.delay(for: .seconds(2), clock: clock)
            })
        world.scheduler.advance(by: .milliseconds(1_999))
        #expect(registration.status.isRunning)
        world.scheduler.advance(by: .milliseconds(1))
        #expect(registration.status.isFinished)
    }

    static let holding: [@Sendable (ActionStream<Asked>, VirtualClock) -> ActionStream<Asked>] = [
        { $0.debounce(for: .seconds(2), clock: $1) },
        // The first value does not wait for the clock.
        { $0.throttle(for: .seconds(2), clock: $1).filter { $0.id != 1 } },
    ]

    @Test("A failure comes after the value that debounce or throttle holds", arguments: holding.indices)
    func heldValues(index: Int) {
        let store = world.store()
        let registration = store.register(failing(Self.holding[index]))
        store.onError { _ in }
        store.ask(1, 2, 9)
        #expect(registration.status.isRunning)
        world.scheduler.advance(by: .seconds(2))
        #expect(answered(store) == ["answered 2"])
        #expect(registration.status.failure is Unanswerable)
    }

    @Test("A failure comes at once if debounce or throttle holds no value", arguments: holding.indices)
    func nothingHeld(index: Int) {
        let store = world.store()
        let registration = store.register(failing(Self.holding[index]))
        store.onError { _ in }
        store.ask(9)
        #expect(registration.status.failure is Unanswerable)
    }

    static let operators: [@Sendable (ActionStream<Asked>) -> ActionStream<Asked>] = [
        { $0.delay(for: .seconds(1), clock: BrokenClock(Unanswerable())) },
        { $0.debounce(for: .seconds(1), clock: BrokenClock(Unanswerable())) },
        // The first value does not wait for the clock.
        { $0.throttle(for: .seconds(1), clock: BrokenClock(Unanswerable())).filter { $0.id != 1 } },
    ]

    @Test("39. A clock that throws fails the stream that waits on it", arguments: operators.indices)
    func brokenClock(index: Int) {
        let store = world.store()
        let failures = Record<any Error>()
        store.onError { failures.append($0) }
        let registration = store.register(
            world.effect(onFailure: .stop) { Self.operators[index]($0).map { Answered(id: $0.id) } })
        store.ask(1, 2)
        world.scheduler.drain()
        #expect(registration.status.failure is Unanswerable)
        #expect(failures.values.count == 1)
        #expect(answered(store).isEmpty)
    }

    /// An effect that dispatches an answer each second, without end.
    private var ticker: Effect<Void> {
        Effect { [clock = world.clock] _ in
            ActionStream(of: {
                AsyncThrowingStream<Int, any Error> {
                    try await clock.sleep(for: .seconds(1))
                    return 0
                }
            }).scan(0) { count, _ in count + 1 }.map { Answered(id: $0) }
        }
    }

    @Test("51. A ticker ends when its registration is cancelled")
    func tickerWithRegistration() {
        let store = world.store()
        let registration = store.register(ticker)
        world.scheduler.advance(by: .seconds(3))
        registration.cancel()
        world.scheduler.drain()
        #expect(world.clock.sleeperCount == 0)
        world.scheduler.advance(by: .seconds(3))
        #expect(store.state == ["answered 1", "answered 2", "answered 3"])
    }

    @Test("51. A ticker ends when its store is deallocated")
    func tickerWithStore() {
        var store: Store? = world.store(ticker)
        world.scheduler.advance(by: .seconds(3))
        #expect(store?.state.count == 3)
        store = nil
        world.scheduler.drain()
        #expect(world.clock.sleeperCount == 0)
    }

    @Test("51. A ticker ends at the next tick after its owner is deallocated")
    func tickerWithOwner() {
        let store = world.store()
        var owner: Witness? = Witness()
        let registration = owner.map { store.register(ticker, for: $0) }
        world.scheduler.advance(by: .seconds(3))
        owner = nil
        world.scheduler.advance(by: .seconds(3))
        #expect(registration?.status.isCancelled == true)
        #expect(store.state.count == 3)
        #expect(world.clock.sleeperCount == 0)
    }

    @Test("51. A debounced value is dropped when its registration is cancelled")
    func debouncedWithRegistration() {
        let store = world.store()
        let registration = store.register(
            world.effect { [clock = world.clock] in
                $0.debounce(for: .seconds(2), clock: clock).map { Answered(id: $0.id) }
            })
        store.ask(1)
        world.scheduler.drain()
        registration.cancel()
        world.scheduler.advance(by: .seconds(3))
        #expect(store.state == ["asked 1"])
        #expect(world.clock.sleeperCount == 0)
    }
}
