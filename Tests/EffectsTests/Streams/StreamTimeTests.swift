import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Operators and streams that wait for a clock, which the test advances.
@Suite(.timeLimit(.minutes(10))) struct StreamTimeTests {
    private let world = QuestionWorld()
    private var log: Log { world.log }

    private func store(_ answers: (ActionStream<Asked>) -> ActionStream<Asked>) -> Store<[String]> {
        world.store(world.effect { asked in answers(asked).map { Answered(id: $0.id) } })
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
        #expect(store.answers.isEmpty)
        world.scheduler.advance(by: .milliseconds(1))
        #expect(store.answers == ["answered 3"])
        store.ask(4)
        world.scheduler.advance(by: .seconds(2))
        #expect(store.answers == ["answered 3", "answered 4"])
    }

    @Test("54. throttle emits the first action at once, and the last one when the interval ends")
    func throttle() {
        let store = store { $0.throttle(for: .seconds(10), clock: world.clock) }
        store.ask(1, 2, 3)
        #expect(store.answers == ["answered 1"])
        world.scheduler.advance(by: .seconds(10))
        #expect(store.answers == ["answered 1", "answered 3"])
        world.scheduler.advance(by: .seconds(10))
        store.ask(4)
        #expect(store.answers == ["answered 1", "answered 3", "answered 4"])
    }

    @Test("54. flush passes on what the operators and the policies of all effects hold, and cancels no request")
    func flushing() {
        let (clock, log) = (world.clock, log)
        let request: @Sendable (Asked) async throws -> Answered = { asked in
            log.append("asks \(asked.id)")
            try await clock.sleep(for: .seconds(5))
            return Answered(id: asked.id)
        }
        let store = world.store(
            world.effect { $0.debounce(for: .seconds(10), clock: clock).map { Answered(id: 10 + $0.id) } },
            world.effect { $0.throttle(for: .seconds(10), clock: clock).map { Answered(id: 20 + $0.id) } },
            world.effect { $0.flatMap(.debounce(for: .seconds(10), clock: clock), request) },
            world.effect {
                $0.prefix(1).flatMap { asked in .just(asked).debounce(for: .seconds(10), clock: clock) }
                    .map { Answered(id: 30 + $0.id) }
            })
        store.ask(1)
        store.flush()
        store.ask(2)
        store.flush()
        world.scheduler.advance(by: .seconds(5))
        #expect(log.lines == ["asks 1", "asks 2"])
        world.scheduler.advance(by: .seconds(20))
        #expect(store.answers == [21, 11, 31, 12, 22, 1, 2].map { "answered \($0)" })
    }

    typealias Operation = @Sendable (ActionStream<Asked>, VirtualClock) -> ActionStream<Asked>

    /// How a stream ends, after question 9.
    enum End: CaseIterable { case end, failure }

    /// Registers an effect that applies `operation` to a stream that ends at question 9.
    private func register(_ operation: Operation, in store: Store<[String]>, end: End) -> EffectRegistration {
        store.onError { [log] _ in log.append("failed") }
        return store.register(
            world.effect(onFailure: .stop) { asked in
                let ending = asked.prefix { $0.id != 9 || end == .failure }
                    .flatMap { $0.id == 9 ? .fail(Unanswerable()) : .just($0) }
                return operation(ending, world.clock).map { Answered(id: $0.id) }
            })
    }

    private func expectEnd(_ end: End, of registration: EffectRegistration) {
        #expect(end == .end ? registration.status.isFinished : registration.status.failure is Unanswerable)
        #expect(log.lines == (end == .end ? [] : ["failed"]))
    }

    @Test("delay emits each value later in order, and then ends or fails", arguments: End.allCases)
    func delay(end: End) {
        let store = world.store()
        let registration = register({ $0.delay(for: .seconds(2), clock: $1) }, in: store, end: end)
        store.ask(1)
        world.scheduler.advance(by: .seconds(1))
        store.ask(2, 3, 9)
        world.scheduler.advance(by: .seconds(1))
        #expect(store.answers == ["answered 1"])
        #expect(registration.status.isRunning)
        world.scheduler.advance(by: .seconds(1))
        #expect(store.answers == ["answered 1", "answered 2", "answered 3"])
        expectEnd(end, of: registration)
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

    static let holding: [Operation] = [
        { $0.debounce(for: .seconds(2), clock: $1) },
        // The first value does not wait for the clock.
        { $0.throttle(for: .seconds(2), clock: $1).filter { $0.id != 1 } },
    ]

    @Test(
        "An end or a failure comes after the value that debounce or throttle holds, or at once",
        arguments: holding.indices, End.allCases)
    func heldValues(index: Int, end: End) {
        for holdsValue in [true, false] {
            let store = world.store()
            log.removeAll()
            let registration = register(Self.holding[index], in: store, end: end)
            if holdsValue {
                store.ask(1, 2, 9)
                #expect(registration.status.isRunning)
                world.scheduler.advance(by: .seconds(2))
            } else {
                store.ask(9)
            }
            #expect(store.answers == (holdsValue ? ["answered 2"] : []))
            expectEnd(end, of: registration)
        }
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
        let failures = store.recorded(EffectFailure.self)
        let registration = store.register(
            world.effect(onFailure: .stop) { Self.operators[index]($0).map { Answered(id: $0.id) } })
        store.ask(1, 2)
        world.scheduler.drain()
        #expect(registration.status.failure is Unanswerable)
        #expect(failures.values.count == 1)
        #expect(store.answers.isEmpty)
    }
}
