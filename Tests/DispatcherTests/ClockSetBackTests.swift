import Dispatcher
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Policies and subscriptions on a clock that is set back.
@Suite("Clocks that are set back", .timeLimit(.minutes(10)))
struct ClockSetBackTests {
    private let scheduler = VirtualScheduler()
    private let clock: SettableClock
    private let end: Witness

    init() {
        clock = SettableClock(scheduler.clock)
        end = Witness { [scheduler] in scheduler.drain() }
    }

    private static let adding = StateDispatcher<Void, [Int], Int>.pure { number in .update { $0.append(number) } }

    private func component(_ policy: Policy) -> Component<[Int], Int> {
        Component(
            initialState: [], environment: (), executor: scheduler.executor, dispatcher: Self.adding.policy(policy))
    }

    @Test("debounce waits for its interval after an input, also if the clock was set back before it or meanwhile")
    func debounce() {
        let component = component(.debounce(for: .seconds(10), clock: clock))
        component.send(1)
        scheduler.advance(by: .seconds(4))
        clock.setBack(by: .seconds(3_600))
        component.send(2)
        scheduler.advance(by: .seconds(9))
        #expect(component.state == [])
        scheduler.advance(by: .seconds(5))
        #expect(component.state == [2])
        component.send(3)
        scheduler.advance(by: .seconds(10))
        #expect(component.state == [2, 3])
        component.send(4)
        scheduler.advance(by: .seconds(4))
        clock.setBack(by: .seconds(3_600))
        scheduler.advance(by: .seconds(16))
        #expect(component.state == [2, 3, 4])
    }

    @Test("throttle delays no input by more than its interval if the clock is set back")
    func throttle() {
        let component = component(.throttle(for: .seconds(10), clock: clock))
        component.send(1)
        scheduler.advance(by: .seconds(4))
        clock.setBack(by: .seconds(3_600))
        component.send(2)
        scheduler.advance(by: .seconds(10))
        #expect(component.state == [1, 2])
        scheduler.advance(by: .seconds(20))
        clock.setBack(by: .seconds(3_600))
        component.send(3)
        scheduler.advance(by: .seconds(10))
        #expect(component.state == [1, 2, 3])
    }

    @Test("A longest wait ends if the clock is set back again and again")
    func longestWait() {
        let component = component(.debounce(for: .seconds(3), atMost: .seconds(4), clock: clock))
        for number in 1...20 {
            component.send(number)
            scheduler.advance(by: .seconds(1))
            if number == 2 { clock.setBack(by: .seconds(3_600)) }
        }
        #expect(component.state.count >= 3)
    }

    @Test("Subscription.every sends an input after at most one interval if the clock is set back")
    func every() {
        let clock = clock
        let component = Component(
            initialState: [], environment: (), executor: scheduler.executor, dispatcher: Self.adding,
            subscriptions: { _ in [.every(.seconds(10), id: "tick", clock: clock) { 1 }] })
        scheduler.advance(by: .seconds(14))
        clock.setBack(by: .seconds(3_600))
        scheduler.advance(by: .seconds(36))
        #expect(component.state == [1, 1, 1, 1, 1])
    }
}
