import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Operators and streams on a clock that is set back.
@Suite(.timeLimit(.minutes(10))) struct StreamClockSetBackTests {
    private let world = QuestionWorld()
    private let clock: SettableClock

    init() { clock = SettableClock(world.clock) }

    private func store(_ answers: (ActionStream<Asked>) -> ActionStream<Asked>) -> Store<[String]> {
        world.store(world.effect { asked in answers(asked).map { Answered(id: $0.id) } })
    }

    @Test("54. delay delays no value by more than its interval if the clock is set back")
    func delay() {
        let store = store { $0.delay(for: .seconds(10), clock: clock) }
        store.ask(1)
        world.scheduler.advance(by: .seconds(4))
        store.ask(2)
        world.scheduler.advance(by: .seconds(4))
        clock.setBack(by: .seconds(3_600))
        world.scheduler.advance(by: .seconds(12))
        #expect(store.answers == ["answered 1", "answered 2"])
    }

    @Test("54. timeout ends a silent stream, and no other, if the clock is set back")
    func timeout() {
        let store = store { $0.timeout(.seconds(10), clock: clock).append(.just(Asked(id: 9))) }
        world.scheduler.advance(by: .seconds(4))
        store.ask(1)
        world.scheduler.advance(by: .seconds(4))
        clock.setBack(by: .seconds(3_600))
        store.ask(2)
        world.scheduler.advance(by: .seconds(4))
        store.ask(3)
        world.scheduler.advance(by: .seconds(9))
        #expect(store.answers == ["answered 1", "answered 2", "answered 3"])
        world.scheduler.advance(by: .seconds(11))
        #expect(store.answers.last == "answered 9")
    }

    @Test("54. interval emits a number after at most one period if the clock is set back")
    func interval() {
        let store = world.store(
            world.effect { _ in
                ActionStream.interval(.seconds(10), clock: clock).prefix(5).map { Answered(id: $0) }
            })
        world.scheduler.advance(by: .seconds(14))
        clock.setBack(by: .seconds(3_600))
        world.scheduler.advance(by: .seconds(36))
        #expect(store.answers.count == 5)
    }
}
