import ArchitectureTesting
import Dispatcher
import Effects
import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

/// Tasks that sleep on the clock of a driver are work, wherever they were started.
@Suite(.timeLimit(.minutes(10))) struct DriverTaskTests {
    /// What starts a task.
    enum Place: CaseIterable {
        case middleware, storeObserver, handleEvents
        case componentObserver, transition, action, asyncAction
        case loopObserver, loopHandler
        case test

        /// What the driver calls the task.
        fileprivate var subject: String {
            switch self {
            case .middleware, .storeObserver, .handleEvents: "Ping()"
            case .componentObserver, .transition, .action, .asyncAction, .loopObserver, .loopHandler: "1"
            case .test: "A task that no input has started"
            }
        }
    }

    private let time = VirtualScheduler()

    /// Starts a task that sleeps for a second.
    private var sleep: @Sendable () -> Void {
        { [time] in time.start { try await time.clock.sleep(for: .seconds(1)) } }
    }

    /// Creates a driver, and has the task started by sending a message.
    private func start(at place: Place, _ line: SourceLocation) -> (driver: AnyTestDriver<Int>, sent: Sent) {
        let sleep = sleep
        switch place {
        case .middleware, .storeObserver, .handleEvents:
            let passing = Middleware<Int> { action, _, next in
                next(action)
                if place == .middleware { sleep() }
            }
            let handling = Effect { actions in
                actions.ofType(Ping.self).handleEvents(receiveOutput: { _ in if place == .handleEvents { sleep() } })
                    .filter { _ in false }.eraseActionType()
            }
            let test = TestStore(
                reducer: on(Ping.self) { count, _ in count += 1 }, state: 0, effects: [handling], middleware: [passing],
                time: time)
            test.store.observe { count in if place == .storeObserver, count == 1 { sleep() } }
            return (test, test.send(Ping(), sourceLocation: line) { $0 = 1 })
        case .componentObserver, .transition, .action, .asyncAction, .test:
            let dispatcher = StateDispatcher<Void, Int, Int>.effectful { number in
                EnvIO { _ in
                    if place == .action { sleep() }
                    return .update {
                        if place == .transition { sleep() }
                        $0 = number
                    }
                }
            }
            let asynchronous = StateDispatcher<Void, Int, Int>.effectful { _ in
                EnvIO { _ in
                    await Task.yield()
                    sleep()
                    return .update { _ in }
                }
            }
            let test = TestDriver(
                place == .asyncAction ? dispatcher.combine(asynchronous) : dispatcher, state: 0, environment: (),
                time: time)
            test.component.observe { count in if place == .componentObserver, count == 1 { sleep() } }
            let sent = test.send(1, sourceLocation: line) { $0 = 1 }
            if place == .test { sleep() }
            return (test, sent)
        case .loopObserver, .loopHandler:
            let router = EffectRouter<Int, Int>().routeEffects(withParameters: { $0 }).to { (_: Int) async in
                if place == .loopHandler { sleep() }
            }
            let update = Update<Int, Int, Int> { _, event in .next(event, effects: [event]) }
            let test = TestLoop(Mobius.loop(update: update, effectHandler: router), from: 0, time: time)
            test.loop.addObserver { count in if place == .loopObserver, count == 1 { sleep() } }
            let sent = test.send(1, sourceLocation: line) { $0 = 1 }
            test.effects(1)
            return (test, sent)
        }
    }

    private struct Ping: Action {}

    @Test(arguments: Place.allCases)
    func `a task that sleeps is work of the message that has led to it, wherever it was started`(place: Place) {
        let line = #_sourceLocation
        let (test, sent) = start(at: place, line)
        // The test itself is no message.
        if place == .test { test.expectWork(sent) } else { test.expectWork(sent, .sleeping(until: .seconds(1))) }
        let issues = reported { test.finish() }
        #expect(
            issues.map(\.text) == [
                """
                Work is under way at the end of the test: \(place.subject.afterColon) sleeps until 1.0 s, now 0.0 s. To \
                fix, advance(by: .seconds(1)), cancel it, or relax .work.
                """
            ])
        if place != .test { #expect(issues.map(\.line) == [line.line]) }
        test.advance(by: .seconds(1))
        test.expectWork(sent)
        test.finish()
    }

    @Test func `a task that sleeps as long as a policy delays the message is a work of its own`() {
        let sleep = sleep
        let dispatcher = StateDispatcher<Void, Int, Int>.combine {
            StateDispatcher<Void, Int, Int>.pure { number in .set(number) }
            StateDispatcher<Void, Int, Int>.pure { number in .set(-number) }
                .policy(.debounce(for: .seconds(1), clock: time.clock))
        }
        let test = TestDriver(dispatcher, state: 0, environment: (), time: time)
        test.component.observe { count in if count > 0 { sleep() } }
        let first = test.send(1) { $0 = 1 }
        test.expectWork(first, .sleeping(until: .seconds(1)), .sleeping(until: .seconds(1)))
        test.advance(by: .milliseconds(500))
        let second = test.send(2) { $0 = 2 }
        // The timer of the policy, which the first input has started, now delays the second one.
        test.expectWork(first, .sleeping(until: .seconds(1)))
        test.expectWork(second, .sleeping(until: .seconds(1.5)), .sleeping(until: .seconds(1.5)))
        test.advance(by: .seconds(1))
        test.change(from: second) { $0 = -2 }
        test.finish()
    }

    @Test func `the timer of a policy that another component has is work`() {
        let other = Component(
            initialState: 0, environment: (), executor: time.executor,
            dispatcher: StateDispatcher<Void, Int, Int>.pure { number in .set(number) }
                .policy(.debounce(for: .seconds(1), clock: time.clock)))
        let test = TestDriver(
            StateDispatcher<Void, Int, Int>.pure { number in .set(number) }, state: 0, environment: (), time: time)
        test.component.observe { count in if count > 0 { other.send(count) } }
        let sent = test.send(1) { $0 = 1 }
        test.expectWork(sent, .sleeping(until: .seconds(1)))
        test.advance(by: .seconds(1))
        test.finish()
        #expect(other.state == 1)
    }

    @Test func `a task that outlives its subscription is work`() {
        let sleep = sleep
        let test = TestDriver(state: 0, time: time) { [time] setup in
            Component(
                initialState: 0, environment: (), executor: time.executor, trace: setup.trace,
                dispatcher: StateDispatcher<Void, Int, Int>.pure { number in .set(number) },
                subscriptions: { number in number == 0 ? [] : [.run(id: "starter") { _, _ in sleep() }] })
        }
        let line = #line + 1
        test.send(1) { $0 = 1 }
        let issues = reported { test.finish() }
        #expect(issues.map(\.line) == [line])
        #expect(issues.first?.text.contains("sleeps until 1.0 s, now 0.0 s") == true)
        test.advance(by: .seconds(1))
        test.finish()
    }

    @Test func `a driver that code calls which another driver runs reports that`() {
        let orders = Orders()
        let first = orders.component()
        // Unchecked: the first driver runs the task on the thread of the test.
        nonisolated(unsafe) let second = orders.component()
        let issues = reported {
            orders.time.start { second.send(.touch) }
            first.advance(by: .zero)
        }
        #expect(issues.map { $0.text.prefix(46) } == ["The driver was called by code that it runs, su"])
        second.finish()
        first.finish()
    }

    @Test func `a task of another driver is no work`() {
        func driver() -> TestDriver<Int, Int> {
            let sleep = sleep
            let dispatcher = StateDispatcher<Void, Int, Int>.pure { number in
                .update {
                    sleep()
                    $0 = number
                }
            }
            return TestDriver(dispatcher, state: 0, environment: (), time: time)
        }
        let (first, second) = (driver(), driver())
        let sent = first.send(1) { $0 = 1 }
        second.finish()
        first.expectWork(sent, .sleeping(until: .seconds(1)))
        first.advance(by: .seconds(1))
        first.finish()
    }
}
