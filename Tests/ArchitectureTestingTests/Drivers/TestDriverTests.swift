import ArchitectureTesting
import Dispatcher
import Foundation
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// What only a driver of a component does: it states the changes that work makes, and cancels inputs.
@Suite(.timeLimit(.minutes(10))) struct TestDriverTests {
    private let orders = Orders()
    private var time: VirtualScheduler { orders.time }

    private typealias Adding = StateDispatcher<Void, Int, Int>

    private func driver(_ dispatcher: Adding) -> TestDriver<Int, Int> {
        TestDriver(dispatcher, state: 0, environment: (), time: time)
    }

    /// Adds each number one second and two seconds later.
    private var slowly: Adding {
        .workflow { [clock = time.clock] number in
            let later: Adding.Action = EnvIO { _ in
                try await clock.sleep(for: .seconds(1))
                return .update { $0 += number }
            }
            return [later, later]
        }
    }

    // MARK: - Changes

    @Test func `NaN in a state is equal to NaN, and a wrong number beside it is a failure`() {
        struct Ratios: Equatable, Sendable {
            var all = [Double.nan]
            var count = 0
        }
        let test = TestDriver(
            StateDispatcher<Void, Ratios, Int>.pure { number in
                .update {
                    $0.all = [.nan]
                    $0.count = number
                }
            }, state: Ratios(), environment: (), time: time)
        test.send(1) { $0.count = 1 }
        test.send(1)
        withKnownIssue { test.send(2) { $0.count = 3 } }
        test.finish()
    }

    @Test func `all changes that do not wait are stated with the send, and later ones in their order`() {
        let test = driver(
            Adding.workflow { _ in [.pure(.update { $0 += 1 }), .pure(.update { $0 *= 2 })] }.combine(slowly))
        let first = test.send(10) { $0 = 2 }
        test.advance(by: .milliseconds(500))
        let second = test.send(100) { $0 = 6 }
        test.expectWork(first, .sleeping(until: .seconds(1)))
        test.expectWork(second, .sleeping(until: .seconds(1.5)))
        test.advance(by: .seconds(2))
        test.change(from: first) { $0 = 16 }
        test.change(from: second) { $0 = 116 }
        test.change(from: first) { $0 = 126 }
        test.change(from: second) { $0 = 226 }
        test.finish()
    }

    @Test func `the changes of a stream, and of a call that returns at once, are later ones`() {
        let next: @Sendable (Int) async -> Int = { $0 + 1 }
        let calling = Adding.effectful { number in
            EnvIO { _ in
                let next = await next(number)
                return .update { $0 = next }
            }
        }
        let streaming = Adding.stream { _, _ in
            AsyncStream<State<Int, Void>> { continuation in
                for _ in 0..<3 { continuation.yield(.update { $0 *= 2 }) }
                continuation.finish()
            }
        }
        for (dispatcher, states) in [(calling, [2]), (calling.combine(streaming), [2, 4, 8, 16])] {
            let test = driver(dispatcher)
            let sent = test.send(1)
            for state in states { test.change(from: sent) { $0 = state } }
            test.expectWork(sent)
            test.finish()
        }
    }

    @Test func `a commit that changes nothing needs no statement`() {
        let test = driver(slowly)
        let sent = test.send(0)
        test.advance(by: .seconds(2))
        test.expectWork(sent)
        test.finish()
    }

    @Test func `a change of work that is not stated is reported before the next input, and at the end`() {
        let test = orders.component()
        test.send(.load(1))
        test.expectCall("load", 1)
        test.advance(by: .seconds(1))
        let problem = "The work of load(1) has changed the state, which was not stated"
        let remedy = "To fix, state it with change(from:), or relax .state."
        on { test.send(.add(1)) { $0 = 2 } }.are(
            "\(problem) before add(1) was sent (− expected, + got)\n− - 0\n+ - 1\n\(remedy)")
        let later = #line + 1
        test.send(.load(1))
        test.expectCall("load", 1)
        test.advance(by: .seconds(1))
        on { test.finish() }.are(
            "\(problem) before the end of the test (− expected, + got)\n− - 2\n+ - 3\n\(remedy)", at: later)
    }

    @Test func `many changes of work that are not stated are reported in short`() {
        let test = driver(slowly)
        for _ in 0..<11 { test.send(1) }
        test.advance(by: .seconds(2))
        on { test.send(0) }.are(
            """
            22 changes of the state were not stated before 0 was sent, made by the work of 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, and \
            12 more (− expected, + got)
            − - 0
            + - 22
            To fix, state them with change(from:) in this order, or relax .state.
            """)
        test.advance(by: .seconds(2))
        test.finish()
    }

    @Test func `no further change is reported with what the work waits for`() {
        let test = driver(slowly)
        let sent = test.send(1)
        on { test.change(from: sent) { $0 = 1 } }.are(
            """
            1 has made no further change.
            1 sleeps until 1.0 s, now 0.0 s.
            To fix, advance(by: .seconds(1)) before.
            """)
        test.cancel(sent)
        on { test.change(from: sent) { $0 = 1 } }.are(
            """
            1 has made no further change.
            No work of it is under way.
            To fix, let the work change the state before, or remove the expectation.
            """)
    }

    @Test func `a change of another input's work, and of another driver, is reported`() {
        let test = driver(slowly)
        let (first, second) = (test.send(1), test.send(2))
        test.advance(by: .seconds(1))
        on { test.change(from: second) { $0 = 3 } }.are(
            "Expected a change from 2, but first came: a change from 1. To fix, state first what came first, in this order."
        )
        test.change(from: first) { $0 = 1 }
        on { driver(slowly).change(from: first) { $0 = 1 } }.are(
            "1 was sent with another driver. To fix, call this method of that driver.")
        for sent in [first, second] { test.cancel(sent) }
        test.finish()
    }

    @Test func `a change instead of an input, and an input instead of a change, are reported`() {
        let test = orders.component()
        let sent = test.send(.load(1))
        test.expectCall("load", 1)
        test.advance(by: .seconds(1))
        on { test.receive(.touch) }.are(
            """
            Expected the input touch, but first came: a change from load(1). To fix, state first what came first, in this \
            order.
            """)
        test.change(from: sent) { $0 = 1 }
        test.dispatch(.touch)
        on { test.change(from: sent) { $0 = 1 } }.are(
            """
            Expected a change from load(1), but first came: the input touch. To fix, state first what came first, in this \
            order.
            """)
        test.receive(.touch)
        test.finish()
    }

    @Test func `a change of work is a warning if the state is relaxed`() {
        let test = orders.driver(.component, relaxing: .state)
        test.send(.load(1))
        test.expectCall("load", 1)
        test.advance(by: .seconds(1))
        let begin = "Skipped, because .state is relaxed. The work of"
        on { test.send(.touch) }.areWarnings(
            "\(begin) load(1) has changed the state, which was not stated before touch was sent.")
        let line = #line + 1
        test.send(.load(2))
        test.expectCall("load", 2)
        test.advance(by: .seconds(1))
        on { test.finish() }.areWarnings(
            "\(begin) load(2) has changed the state, which was not stated before the end of the test.", at: line)
    }

    // MARK: - Subscriptions

    @Test func `a subscription is no work, and its inputs are received`() {
        let test = orders.counting()
        let sent = test.send(.add(1)) { $0 = 1 }
        test.expectWork(sent)
        on { test.receive(.add(1)) }.are(
            """
            No input came. Expected: add(1)
            counter sleeps until 1.0 s, now 0.0 s.
            To fix, advance(by: .seconds(1)) before.
            """)
        test.advance(by: .seconds(2))
        for count in 2...3 { test.receive(.add(1)) { $0 = count } }
        // The subscription goes on.
        test.finish()
    }

    // MARK: - Cancelling

    @Test func `cancelled work ends, and commits nothing`() {
        let test = driver(slowly)
        let sent = test.send(1)
        test.cancel(sent)
        test.expectWork(sent)
        test.advance(by: .seconds(2))
        test.finish()
    }

    @Test func `cancelled work that does not end at once is under way until it ends`() {
        let clock = time.clock
        let test = driver(
            .effectful { number in
                EnvIO { _ in
                    try await clock.sleep(for: .seconds(1))
                    return .set(number)
                }.uncancellable()
            })
        let sent = test.send(1)
        test.cancel(sent)
        test.expectWork(sent, .sleeping(until: .seconds(1)))
        test.advance(by: .seconds(1))
        test.expectWork(sent)
        test.finish()
    }

    @Test func `a received input cannot be cancelled`() {
        let test = orders.component()
        test.dispatch(.touch)
        let received = test.receive(.touch)
        on { test.cancel(received) }.are(
            "touch was not sent by the test, so there is no handle to cancel it. To fix, cancel a sent input.")
        test.finish()
    }

    // MARK: - Work

    @Test func `works of one input that several policies delay or start are told apart`() {
        let clock = time.clock
        func adding(_ count: Int, _ policy: Policy) -> Adding {
            .effectful { _ in
                EnvIO { _ in
                    try await clock.sleep(for: .seconds(1))
                    return .update { $0 += count }
                }
            }
            .policy(policy)
        }
        let test = driver(
            .combine {
                adding(1, .debounce(for: .seconds(5), clock: clock))
                adding(10, .debounce(for: .seconds(3), clock: clock))
                adding(100, .latest)
            })
        let sent = test.send(0)
        test.expectWork(
            sent, .sleeping(until: .seconds(1)), .sleeping(until: .seconds(3)), .sleeping(until: .seconds(5)))
        test.advance(by: .seconds(3))
        test.change(from: sent) { $0 = 100 }
        test.expectWork(sent, .sleeping(until: .seconds(4)), .sleeping(until: .seconds(5)))
        test.advance(by: .seconds(3))
        test.change(from: sent) { $0 = 110 }
        test.change(from: sent) { $0 = 111 }
        test.finish()
    }

    @Test @MainActor func `work on the main actor is under way until the main actor has run it`() async {
        let (ran, continuation) = AsyncStream.makeStream(of: Void.self)
        let test = driver(
            .effectful { number in
                EnvIO { _ in
                    await MainActor.run { _ = continuation.yield() }
                    return .set(number)
                }
            })
        let sent = test.send(1)
        // The test occupies the main actor until it awaits.
        test.expectWork(sent, .waiting)
        for await _ in ran { break }
        test.change(from: sent) { $0 = 1 }
        test.finish()
    }

    @Test func `work without end is reported once`() {
        let test = driver(
            .effectful { number in
                EnvIO { _ in
                    while number == 1, !Task.isCancelled { await Task.yield() }
                    return .update { _ in }
                }
            })
        var sent: Sent?
        on { sent = test.send(1) }.are(
            """
            100000 jobs have run, and more are ready: some work goes on without end and without sleeping. To fix, let it \
            sleep on the clock of the driver, or send only when something has changed.
            """)
        test.send(0)
        if let sent { test.cancel(sent) }
        test.finish()
    }

    @Test func `work that sleeps may go on without a limit, and long lists of issues are shortened`() {
        let test = orders.counting(relaxing: .messages)
        test.send(.add(1)) { $0 = 1 }
        let issues = reported {
            // More than 100,000 inputs and jobs.
            test.advance(by: .seconds(101_000))
            test.finish()
        }
        #expect(
            issues.map(\.text) == [
                """
                Skipped, because .messages is relaxed. 101000 inputs came, and were not received before the end of the \
                test: \(Array(repeating: "add(1)", count: 10).joined(separator: ", ")), and 100990 more (− expected, + got)
                − - 1
                + - 101001
                """
            ])
        #expect(test.state == 101_001)
    }

    @Test func `a failure whose text is a sentence has one period`() {
        struct Sentence: Error, CustomStringConvertible { let description = "The server is down." }
        let test = driver(.effectful { _ in EnvIO { _ in throw Sentence() } })
        let line = #line + 1
        test.send(1)
        on { test.finish() }.are(
            "Work has failed: The server is down. To fix, state it with expectFailure, or relax .work.", at: line)
    }

    // MARK: - The component

    @Test func `a state may be optional`() {
        let dispatcher = StateDispatcher<Void, Int?, Int?>.pure { number in .update { $0 = number } }
        let test = TestDriver(dispatcher, state: nil, environment: ())
        test.send(1) { $0 = 1 }
        test.send(nil) { $0 = nil }
        test.send(nil)
        test.finish()
    }

    @Test func `an input that is sent while another thread uses the component is reported`() {
        let test = orders.component()
        let (started, released, ended) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        test.component.observe { count in
            guard count == 1 else { return }
            started.signal()
            released.wait()
        }
        Thread { [component = test.component] in
            component.send(.add(1))
            ended.signal()
        }.start()
        started.wait()
        on { test.send(.add(2)) }.are(
            """
            add(2) was sent, and the component has not processed it: the component has ended, or another thread uses it. \
            To fix, send before the end, and from one thread.
            """)
        released.signal()
        ended.wait()
        test.receive(.add(1)) { $0 = 1 }
        test.receive(.add(2)) { $0 = 3 }
        test.finish()
    }

    @Test func `a component of something else is reported where the driver is created`() {
        let dispatcher = slowly
        let line = #line + 2
        let issues = on {
            _ = TestDriver(state: 0) { _ in Component(initialState: 1, environment: (), dispatcher: dispatcher) }
            let test = TestDriver(state: 0) { setup in
                Component(
                    initialState: 1, environment: (), executor: setup.executor, trace: setup.trace,
                    dispatcher: Adding.pure { number in .update { $0 += number } })
            }
            // The test goes on from the state of the component.
            test.send(1) { $0 += 1 }
        }
        issues.are(
            at: (
                line, "The component does not have the trace of the driver. To fix, create it with trace: setup.trace."
            ),
            (
                line,
                "The component does not have the executor of the driver. To fix, create it with executor: setup.executor."
            ),
            (
                line + 1,
                """
                The component was created with another state than the driver (− expected, + got)
                − - 0
                + - 1
                To fix, create both with the same state.
                """
            ))
    }

    @Test func `a driver follows the component that it drives, if others have its trace`() {
        let clock = time.clock
        let dispatcher = Adding.effectful { number in
            EnvIO { _ in
                if number > 0 { try await clock.sleep(for: .seconds(1)) }
                return .update { $0 += number }
            }
        }
        let test = TestDriver(state: 0, time: time) { setup in
            func make() -> Component<Int, Int> {
                Component(
                    initialState: 0, environment: (), executor: setup.executor, trace: setup.trace,
                    dispatcher: dispatcher)
            }
            let (other, component) = (make(), make())
            component.observe { count in if count == -1 { other.send(1) } }
            other.observe { [weak component] count in if count == 1 { component?.send(-1) } }
            return component
        }
        let sent = test.send(-1)
        test.change(from: sent) { $0 = -1 }
        // Work of the other component is work that the input has caused. Its changes are not.
        test.expectWork(sent, .sleeping(until: .seconds(1)))
        test.advance(by: .seconds(1))
        let received = test.receive(-1)
        test.change(from: received) { $0 = -2 }
        test.finish()
    }
}
