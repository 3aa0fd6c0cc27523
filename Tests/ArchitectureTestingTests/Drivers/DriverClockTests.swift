import ArchitectureTesting
import Dispatcher
import Effects
import FunctionalCore
import Loop
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

/// A clock of another type, with the time of a virtual clock.
struct OtherClock: Clock {
    let base: VirtualClock

    var now: VirtualClock.Instant { base.now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: VirtualClock.Instant, tolerance: Duration?) async throws {
        try await base.sleep(until: deadline)
    }
}

/// A clock whose sleeps ignore cancellation, and end when the test resumes them.
private struct DeafClock: Clock {
    let sleepers = Record<CheckedContinuation<Void, Never>>()

    var now: VirtualClock.Instant { .zero }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: VirtualClock.Instant, tolerance: Duration?) async throws {
        await withCheckedContinuation { sleepers.append($0) }
    }
}

/// Work that sleeps on the clock of a driver, or on another one.
@Suite(.timeLimit(.minutes(10))) struct DriverClockTests {
    /// A part of the library that has a clock.
    enum Use: CaseIterable {
        case sleep, delay, timeout, retry
        case debounce, throttle
        case route
        case streamDebounce, streamThrottle, streamDelay, streamTimeout, streamInterval

        /// The other work, which waits for something that never comes.
        fileprivate var others: [WorkStatus] { self == .streamTimeout ? [.waiting] : [] }

        /// What the driver calls the work.
        fileprivate var subject: String {
            switch self {
            case .sleep, .delay, .timeout, .retry, .debounce, .throttle: "1"
            case .route: "The effect 1 of 1"
            case .streamDebounce, .streamThrottle: "The pause of PINGS:1 for Ping()"
            case .streamDelay: "The delay of PINGS:1 for Ping()"
            case .streamTimeout: "The timeout of PINGS:1 for Ping()"
            case .streamInterval: "The interval of PINGS:1 for Ping()"
            }
        }
    }

    private let time = VirtualScheduler()

    /// Creates a driver, and has something sleep for a second by sending a message.
    private func start(_ use: Use, on clock: some Clock<Duration>) -> (driver: AnyTestDriver<Int>, sent: Sent) {
        switch use {
        case .sleep: component(.sleep(for: .seconds(1), clock: clock))
        case .delay: component(EnvIO { _ in }.delay(for: .seconds(1), clock: clock))
        case .timeout:
            component(EnvIO { _ in try await waitForCancellation() }.timeout(.seconds(1), clock: clock))
        case .retry:
            component(EnvIO { _ in throw Oops() }.retry(.spaced(.seconds(1)), clock: clock))
        case .debounce: component(EnvIO { _ in }, .debounce(for: .seconds(1), clock: clock))
        case .throttle: component(EnvIO { _ in }, .throttle(for: .seconds(1), clock: clock), count: 2)
        case .route:
            loop(.debounce(for: .seconds(1), clock: clock))
        case .streamDebounce: store { $0.debounce(for: .seconds(1), clock: clock) }
        case .streamThrottle: store(count: 2) { $0.throttle(for: .seconds(1), clock: clock) }
        case .streamDelay: store { $0.delay(for: .seconds(1), clock: clock) }
        case .streamTimeout:
            store { pings in
                pings.flatMap { _ in
                    ActionStream { try await waitForCancellation() }.timeout(.seconds(1), clock: clock)
                }
            }
        case .streamInterval: store { $0.flatMap { _ in ActionStream.interval(.seconds(1), clock: clock) } }
        }
    }

    private struct Oops: Error {}
    private struct Ping: Action {}

    /// - Parameter count: The number of messages. The last one starts the sleep.
    private func component(
        _ program: EnvIO<Void, any Error, Void>, _ policy: Policy = .concurrent, count: Int = 1
    ) -> (driver: AnyTestDriver<Int>, sent: Sent) {
        let dispatcher = StateDispatcher<Void, Int, Int>.effectful { _ in program.map { .update { _ in } } }
        let test = TestDriver(dispatcher.policy(policy), state: 0, environment: (), time: time)
        for _ in 1..<count { test.send(0) }
        return (test, test.send(1))
    }

    private func loop(_ policy: Policy) -> (driver: AnyTestDriver<Int>, sent: Sent) {
        let router = EffectRouter<Int, Int>().routeEffects(withParameters: { $0 }).policy(policy).toEvent { _ in nil }
        let update = Update<Int, Int, Int> { _, event in .dispatchEffects([event]) }
        let test = TestLoop(Mobius.loop(update: update, effectHandler: router), from: 0, time: time)
        let sent = test.send(1)
        test.effects(1)
        return (test, sent)
    }

    private func store<Output>(
        count: Int = 1, _ stream: @escaping @Sendable (ActionStream<Ping>) -> ActionStream<Output>
    ) -> (driver: AnyTestDriver<Int>, sent: Sent) {
        let effect = Effect(file: "PINGS", line: 1) { actions in
            stream(actions.ofType(Ping.self)).filter { _ in false }.map { _ in Ping() }.eraseActionType()
        }
        let test = TestStore(reducer: { (_: inout Int, _) in }, state: 0, effects: [effect], time: time)
        for _ in 1..<count { test.send(Ping()) }
        return (test, test.send(Ping()))
    }

    @Test(arguments: Use.allCases)
    func `work that sleeps on another clock does not sleep in virtual time, and is reported with the clock`(use: Use) {
        let (test, sent) = start(use, on: OtherClock(base: VirtualClock()))
        let others = use.others.map { "\n+ \($0)" }.joined()
        on { test.expectWork(sent, .sleeping(until: .seconds(1))) }.are(
            """
            The work of \(use.isOfStore ? "Ping()" : "1") differs, now 0.0 s (− expected, + got)
            − .sleeping(until: .seconds(1))
            + .waiting\(others)
            \(use.subject) sleeps on a clock that the driver does not advance: OtherClock.
            To fix, pass it the clock of the driver.
            """)
        let left = reported { test.finish() }
        #expect(
            left.map(\.text).first == """
                Work is under way at the end of the test: \(use.subject.afterColon) sleeps on a clock that the driver \
                does not advance: OtherClock. To fix, pass it the clock of the driver, cancel it, or relax .work.
                """)
        #expect(left.count == 1 + use.others.count)
    }

    @Test(arguments: Use.allCases)
    func `work that sleeps on the clock of the driver through another one sleeps in virtual time`(use: Use) {
        let (test, sent) = start(use, on: OtherClock(base: time.clock))
        let statuses = [.sleeping(until: .seconds(1))] + use.others
        if statuses.count == 1 {
            test.expectWork(sent, .sleeping(until: .seconds(1)))
        } else {
            test.expectWork(sent, .sleeping(until: .seconds(1)), .waiting)
        }
        test.axes = []
        _ = reported { test.finish() }
    }

    @Test func `the default clock of a policy is named`() {
        let (test, sent) = component(EnvIO { _ in }, .debounce(for: .seconds(3_600)))
        on { test.expectWork(sent, .sleeping(until: .seconds(3_600))) }.are(
            """
            The work of 1 differs, now 0.0 s (− expected, + got)
            − .sleeping(until: .seconds(3600))
            + .waiting
            1 sleeps on a clock that the driver does not advance: ContinuousClock.
            To fix, pass it the clock of the driver.
            """)
        test.axes = []
        _ = reported { test.finish() }
    }

    @Test func `a subscription that sleeps on another clock is named if no input comes`() {
        let clock = OtherClock(base: VirtualClock())
        let test = TestDriver(state: 0, time: time) { setup in
            Component(
                initialState: 0, environment: (), executor: setup.executor, trace: setup.trace,
                dispatcher: StateDispatcher<Void, Int, Int>.pure { number in .set(number) },
                subscriptions: { _ in [.every(.seconds(1), id: "ticks", clock: clock) { 1 }] })
        }
        test.advance(by: .seconds(1))
        on { test.receive(1) { $0 = 1 } }.are(
            """
            No input came. Expected: 1
            ticks sleeps on a clock that the driver does not advance: OtherClock.
            To fix, pass it the clock of the driver.
            """)
        test.finish()
    }

    @Test func `each of several sleeps on other clocks is listed, and ends`() {
        let (first, second) = (OtherClock(base: VirtualClock()), OtherClock(base: VirtualClock()))
        let program = EnvIO<Void, any Error, Void>.sleep(for: .seconds(1), clock: first)
            .race(EnvIO.sleep(for: .seconds(1), clock: second)).map { _ in }
        let (test, sent) = component(program)
        test.expectWork(sent, .waiting, .waiting)
        first.base.advance(by: .seconds(1))
        test.expectWork(sent)
        test.finish()
    }

    @Test func `the timer of a policy that still sleeps after its input was cancelled is no work`() {
        let clock = DeafClock()
        let dispatcher = StateDispatcher<Void, Int, Int>.pure { number in .set(number) }
            .policy(.debounce(for: .seconds(1), clock: clock))
        let test = TestDriver(dispatcher, state: 0, environment: (), time: time)
        let sent = test.send(1)
        test.expectWork(sent, .waiting)
        test.cancel(sent)
        test.expectWork(sent)
        test.finish()
        for sleeper in clock.sleepers.values { sleeper.resume() }
        time.drain()
    }

    // MARK: - Durations

    /// Parses the code of a duration that is not negative.
    private func duration(_ code: String) throws -> Duration {
        if let match = code.wholeMatch(of: /Duration\(secondsComponent: (\d+), attosecondsComponent: (\d+)\)/) {
            return Duration(
                secondsComponent: try #require(Int64(match.1)), attosecondsComponent: try #require(Int64(match.2)))
        }
        return try code.split(separator: " + ").map { part -> Duration in
            let match = try #require(part.wholeMatch(of: /\.(\w+)\(([0-9.]+)\)/))
            let (unit, number) = (match.1, String(match.2))
            if let whole = Int64(number) {
                return switch unit {
                case "seconds": .seconds(whole)
                case "milliseconds": .milliseconds(whole)
                case "microseconds": .microseconds(whole)
                default: .nanoseconds(whole)
                }
            }
            return .seconds(try #require(unit == "seconds" ? Double(number) : nil))
        }.reduce(.zero, +)
    }

    @Test(arguments: [
        (Duration.seconds(1), ".seconds(1)"),
        (.milliseconds(700), ".seconds(0.7)"),
        (.milliseconds(86_400_100), ".seconds(86400) + .milliseconds(100)"),
        (.milliseconds(86_400_500), ".seconds(86400.5)"),
        (.milliseconds(1_234_567_890), ".seconds(1234567) + .milliseconds(890)"),
        (.microseconds(1), ".microseconds(1)"),
        (.nanoseconds(3_000_000_007), ".seconds(3) + .nanoseconds(7)"),
        (
            Duration(secondsComponent: 1, attosecondsComponent: 5),
            "Duration(secondsComponent: 1, attosecondsComponent: 5)"
        ),
    ])
    func `a remedy has exactly the duration that is missing`(duration: Duration, code: String) throws {
        let (test, sent) = component(.sleep(for: duration, clock: time.clock))
        let issues = reported { test.finish() }
        #expect(issues.count == 1)
        #expect(issues.first?.text.contains("To fix, advance(by: \(code)), cancel it") == true)
        test.advance(by: try self.duration(code))
        test.expectWork(sent)
        test.finish()
    }

    @Test func `the code of a sum of durations is an argument`() {
        let (test, sent) = component(.sleep(for: .milliseconds(1_234_567_890), clock: time.clock))
        test.expectWork(sent, .sleeping(until: .seconds(1_234_567) + .milliseconds(890)))
        test.advance(by: .seconds(1_234_567) + .milliseconds(890))
        test.finish()
    }

    @Test func `the remedy of each duration reaches the deadline exactly`() async {
        let attoseconds = Gen<Int64>.integer(in: 0...999_999_999_999_999_999)
        let rounded = Gen<(Int64, Int64)>.frequency(
            (1, attoseconds.map { ($0, 1) }),
            (1, attoseconds.map { ($0, 1_000_000_000) }),
            (1, attoseconds.map { ($0, 1_000_000_000_000) }),
            (2, attoseconds.map { ($0, 1_000_000_000_000_000) }))
        await forAll(Gen<Int64>.integer(in: 0...3_000_000_000), rounded) { seconds, fraction in
            let wait = Duration(
                secondsComponent: seconds, attosecondsComponent: fraction.0 / fraction.1 * fraction.1)
            guard wait > .zero else { return }
            let time = VirtualScheduler()
            let test = TestDriver(
                StateDispatcher<Void, Int, Int>.effectful { _ in
                    EnvIO { _ in }.delay(for: wait, clock: time.clock).map { .update { _ in } }
                }, state: 0, environment: (), time: time)
            test.send(1)
            let text = try #require(reported { test.finish() }.first?.text)
            let code = try #require(text.firstMatch(of: /advance\(by: (.*)\), cancel it/)).1
            try test.advance(by: duration(String(code)))
            #expect(time.clock.now.offset == wait)
            test.finish()
        }
    }

    @Test func `an advance of more than a hundred years is one of a hundred years`() {
        let test = TestDriver(
            StateDispatcher<Void, Int, Int>.pure { .set($0) }, state: 0, environment: (), time: time)
        for _ in 0..<20 { test.advance(by: .seconds(Int64.max)) }
        #expect(time.clock.now.offset == .seconds(20 * 100 * 365 * 24 * 60 * 60))
        test.finish()
    }

    @Test(arguments: [(Duration.seconds(-1), ".seconds(-1)"), (.milliseconds(-1_500), ".seconds(-1.5)")])
    func `a negative advance is reported, and has no effect`(duration: Duration, code: String) {
        let (test, sent) = component(.sleep(for: .seconds(1), clock: time.clock))
        test.advance(by: .milliseconds(500))
        on { test.advance(by: duration) }.are(
            """
            advance(by: \(code)) has no effect, because time does not go back. To fix, pass a duration that is not \
            negative.
            """)
        test.advance(by: .zero)
        test.expectWork(sent, .sleeping(until: .seconds(1)))
        test.advance(by: .milliseconds(500))
        test.finish()
    }
}

extension DriverClockTests.Use {
    fileprivate var isOfStore: Bool {
        switch self {
        case .streamDebounce, .streamThrottle, .streamDelay, .streamTimeout, .streamInterval: true
        default: false
        }
    }
}
