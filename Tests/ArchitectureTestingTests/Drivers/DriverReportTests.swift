import ArchitectureTesting
import Dispatcher
import FunctionalCore
import Optics
import TestSupport
import Testing
import VirtualTime

/// What each of the three drivers reports: the whole text of each issue, its line, and whether it is a warning.
@Suite(.timeLimit(.minutes(10))) struct DriverReportTests {
    private let orders = Orders()

    // MARK: - States

    @Test("72. A state that is not the stated one is reported with the difference", arguments: Front.allCases)
    func states(front: Front) {
        let test = orders.driver(front)
        on { test.send(.add(1)) { $0 = 2 } }.are(
            """
            The state after add(1) differs (− expected, + got)
            − - 2
            + - 1
            To fix, correct the closure, or the code that changes the state.
            """)
        on { test.send(.add(1)) }.are(
            """
            The state after add(1) differs (− expected, + got)
            − - 1
            + - 2
            To fix, state the change in a closure, or relax .state.
            """)
        on { test.send(.touch) { $0 = 2 } }.are(
            "The closure for touch states no change, and the state has not changed. To fix, remove the closure.")
        #expect(test.state == 2)
        test.finish()
    }

    // MARK: - Messages

    @Test("72. If no message comes, the report says what is under way", arguments: Front.allCases)
    func noMessage(front: Front) {
        let test = orders.driver(front)
        on { test.receive(.touch) }.are(
            """
            No \(front.message) came. Expected: touch
            No work is under way.
            To fix, let the code under test send it before, or remove the expectation.
            """)
        let sent = test.send(.load(5))
        test.expectCall("load", 5)
        let waiting = test.send(.wait)
        test.advance(by: .seconds(0.3))
        on { test.receive(.touch) }.are(
            """
            No \(front.message) came. Expected: touch
            \(front.work(.load(5))) sleeps until 1.0 s, now 0.3 s.
            \(front.work(.wait)) \(never).
            To fix, advance(by: .seconds(0.7)) before.
            """)
        orders.open()
        test.result(1, of: waiting)
        test.advance(by: .seconds(0.7))
        test.result(5, of: sent)
        test.finish()
    }

    @Test(
        "72. Each message that is received out of order is reported, and counts as received", arguments: Front.allCases)
    func otherMessages(front: Front) {
        let test = orders.driver(front)
        func text(_ lines: String) -> String {
            """
            Received a different \(front.message) (− expected, + got)
            \(lines)
            To fix, receive the \(front.message) that came, or correct the code that sends it.
            """
        }
        for number in 1...3 { test.dispatch(.add(number)) }
        // The change of another message is not compared.
        on { test.receive(.add(4)) { $0 = 4 } }.are(
            text(
                """
                  ▿ ArchitectureTestingTests.Order.add
                −   - add: 4
                +   - add: 1
                """))
        on { test.receive(Order.prism(for: Order.load)) { $0 = 3 } }.are(
            text(
                """
                − one that the prism matches
                + ▿ ArchitectureTestingTests.Order.add
                +   - add: 2
                """))
        let isTouch = { (order: Order) in order == .touch }
        on { test.receive(where: isTouch) { $0 = 6 } }.are(
            text(
                """
                − one that satisfies the predicate
                + ▿ ArchitectureTestingTests.Order.add
                +   - add: 3
                """))
        test.finish()
    }

    @Test(
        "72. A message that is not received is reported before the next send, and at the end", arguments: Front.allCases
    )
    func notReceived(front: Front) {
        let line = #line + 1
        let test = orders.driver(front)
        test.dispatch(.add(1))
        on { test.send(.touch) }.are(
            """
            The \(front.message) add(1) came, and was not received before touch was sent (− expected, + got)
            − - 0
            + - 1
            To fix, receive it, or relax .messages.
            """)
        test.dispatch(.touch)
        let end = on { test.finish() }
        end.are(
            """
            The \(front.message) touch came, and was not received before the end of the test. To fix, receive it, or \
            relax .messages.
            """, at: line)
        for number in 1...22 { test.dispatch(.add(number)) }
        on { test.send(.touch) }.are(
            """
            22 \(front.message)s came, and were not received before touch was sent: \
            \((1...10).map { "add(\($0))" }.joined(separator: ", ")), and 12 more (− expected, + got)
            − - 1
            + - 254
            To fix, receive them in this order, or relax .messages.
            """)
        test.finish()
    }

    @Test(arguments: Front.allCases)
    func `a message that follows from a received one is reported where the test has sent the cause`(front: Front) {
        let test = orders.driver(front)
        test.answer(1, with: .load(1))
        test.answer(2, with: .touch)
        let line = #line + 1
        test.send(.add(1)) { $0 = 1 }
        test.receive(.load(1))
        test.expectCall("load", 1)
        on { test.finish() }.are(
            """
            \(front.left(.load(1))) sleeps until 1.0 s, now 0.0 s. To fix, \
            advance(by: .seconds(1)), cancel it, or relax .work.
            """, at: line)
    }

    @Test(arguments: Front.allCases, [true, false])
    func `a message that is not received is reported where the test has sent its cause`(
        front: Front, isFinished: Bool
    ) {
        let line = #line + 4
        let issues = on {
            let test = orders.driver(front)
            test.answer(1, with: .add(1))
            test.send(.add(1)) { $0 = 1 }
            if isFinished { test.finish() }
        }
        issues.are(
            """
            The \(front.message) add(1) came, and was not received before the end of the test (− expected, + got)
            − - 1
            + - 2
            To fix, receive it, or relax .messages.
            """, at: line)
    }

    @Test(arguments: Front.allCases)
    func `a message of another driver is reported`(front: Front) {
        let (test, other) = (orders.driver(front), orders.driver(front))
        let sent = other.send(.touch)
        on { test.expectWork(sent) }.are(
            "touch was sent with another driver. To fix, call this method of that driver.")
    }

    // MARK: - Work

    @Test(arguments: Front.allCases)
    func `work that differs from the stated one is reported`(front: Front) {
        let test = orders.driver(front)
        let sent = test.send(.load(1))
        test.expectCall("load", 1)
        func text(_ expected: String, _ got: String, now: String = "0.0", _ remedy: String) -> String {
            """
            The work of load(1) differs, now \(now) s (− expected, + got)
            − \(expected)
            + \(got)
            To fix, expect \(remedy), or correct the code that starts the work.
            """
        }
        let sleeping = ".sleeping(until: .seconds(1))"
        on { test.expectWork(sent, .sleeping(until: .seconds(2))) }.are(
            text(".sleeping(until: .seconds(2))", sleeping, sleeping))
        on { test.expectWork(sent) }.are(text("none", sleeping, sleeping))
        test.advance(by: .seconds(1))
        test.result(1, of: sent)
        on { test.expectWork(sent, .waiting) }.are(text(".waiting", "none", now: "1.0", "no work"))
        test.finish()
    }

    @Test("72. Work that is under way at the end is reported at the line of the send", arguments: Front.allCases)
    func workLeft(front: Front) {
        let test = orders.driver(front)
        let line = #line + 1
        test.send(.load(1))
        test.send(.wait)
        test.advance(by: .milliseconds(300))
        test.send(.paused(1))
        test.expectCall("load", 1)
        let end = on { test.finish() }
        end.are(
            at: (
                line,
                """
                \(front.left(.load(1))) sleeps until 1.0 s, now 0.3 s. To fix, advance(by: .seconds(0.7)), cancel it, or \
                relax .work.
                """
            ),
            (line + 1, "\(front.left(.wait)) \(never). To fix, let it end, cancel it, or relax .work."),
            (
                line + 3,
                """
                \(front.left(.paused(1))) sleeps until 1.3 s, now 0.3 s. To fix, advance(by: .seconds(1)), cancel it, or \
                relax .work.
                """
            ))
    }

    @Test(arguments: Front.allCases)
    func `a message that is left in the queue of a policy is work that is under way`(front: Front) {
        let test = orders.driver(front)
        test.send(.queued(1))
        let line = #line + 1
        test.send(.queued(2))
        test.expectCall("load", 1)
        let issues = on { test.finish() }.issues
        #expect(issues.count == 2)
        let work = front == .store ? "queued(2)" : front.work(.queued(2)).afterColon
        #expect(
            issues.last?.text == """
                Work is under way at the end of the test: \(work) waits until earlier work of its policy \
                has ended. To fix, let it end, cancel it, or relax .work.
                """)
        #expect(issues.last?.line == line)
    }

    // MARK: - Failures

    @Test(
        "72. A failure is reported once, at the line of the send", arguments: Front.allCases, [Order.fail, .failLater])
    func failures(front: Front, order: Order) {
        let test = orders.driver(front)
        let line = #line + 1
        test.send(order)
        test.advance(by: .seconds(1))
        on { test.finish() }.are(
            "\(front.failed): Offline(). To fix, state it with expectFailure, or relax .work.", at: line)
        test.finish()
    }

    @Test(arguments: Front.allCases)
    func `a failure is stated by its type, and if there is none, the others are reported`(front: Front) {
        let test = orders.driver(front)
        on { test.expectFailure(CancellationError.self) }.are(
            """
            No work has failed with an error of the type CancellationError.
            No work is under way.
            To fix, let the work fail before, or remove the expectation.
            """)
        test.send(.fail)
        on { test.expectFailure(CancellationError.self) }.are(
            """
            No work has failed with an error of the type CancellationError.
            Another failure: Offline()
            No work is under way.
            To fix, expect its type, let the work fail before, or remove the expectation.
            """)
        #expect(test.expectFailure(Offline.self) == Offline())
        test.send(.failLater)
        on { test.expectFailure(Offline.self) }.are(
            """
            No work has failed with an error of the type Offline.
            \(front.work(.failLater)) sleeps until 1.0 s, now 0.0 s.
            To fix, advance(by: .seconds(1)) before.
            """)
        test.advance(by: .seconds(1))
        let failure: Offline? = test.expectFailure()
        #expect(failure == Offline())
        test.finish()
    }

    @Test func `failures of one type are stated in the order in which they happened`() {
        struct Rejected: Error { let number: Int }
        let dispatcher = StateDispatcher<Void, Int, Int>.effectful { number in
            EnvIO { _ in throw Rejected(number: number) }
        }
        let test = TestDriver(dispatcher, state: 0, environment: ())
        for number in 1...3 { test.send(number) }
        #expect((1...3).map { _ in test.expectFailure(Rejected.self)?.number } == [1, 2, 3])
        test.finish()
    }

    @Test(arguments: Front.allCases)
    func `the remedy advances to the first of several deadlines`(front: Front) {
        let test = orders.driver(front, relaxing: .all)
        test.send(.load(1))
        test.advance(by: .seconds(0.3))
        test.send(.load(2))
        let remedy = reported { test.receive(.touch) }.first?.text.split(separator: "\n").last
        #expect(remedy == "To fix, advance(by: .seconds(0.7)) before.")
        test.advance(by: .seconds(1))
        test.skip()
    }

    // MARK: - Calls

    @Test(arguments: Front.allCases)
    func `calls that differ, that are not expected or that have no stub are reported`(front: Front) {
        let test = orders.driver(front)
        let sent = test.send(.load(1))
        on { test.expectCall("load", 2) }.are(
            """
            load was called with other arguments (− expected, + got)
            − load(2)
            + load(1)
            To fix, expectCall("load", 1), or correct the call.
            """)
        test.advance(by: .seconds(1))
        test.result(1, of: sent)
        let line = #line + 1
        let other = test.send(.load(3))
        test.advance(by: .seconds(1))
        test.result(3, of: other)
        on { test.finish() }.are(
            """
            The call load(3) was not expected. To fix, expectCall("load", 3), or relax .calls.
            """, at: line)
        // The error of the call is no failure of its own.
        on { test.send(.delete(3)) }.are(
            """
            delete(3) was called, but delete is unstubbed.
            To fix, create the function with stub("delete") { … }, or do not call it.
            """)
        test.finish()
        // It may be stated, too.
        on { test.send(.delete(4)) }.are(
            """
            delete(4) was called, but delete is unstubbed.
            To fix, create the function with stub("delete") { … }, or do not call it.
            """)
        #expect(test.expectFailure(Unstubbed.self)?.call.arguments.first as? Int == 4)
        test.finish()
    }

    @Test(arguments: Front.allCases)
    func `a call that is expected of a driver without a recorder is reported`(front: Front) {
        let test = orders.driver(front, hasRecorder: false)
        on { test.expectCall("load", 1) }.are("The driver has no recorder. To fix, create it with calls: recorder.")
    }

    @Test(arguments: Front.allCases)
    func `a call without a cause is reported where the driver was created`(front: Front) {
        let line = #line + 1
        let test = orders.driver(front)
        orders.calls.record("audit", 1)
        on { test.finish() }.are(
            """
            The call audit(1) was not expected. To fix, expectCall("audit", 1), or relax .calls.
            """, at: line)
    }

    @Test(arguments: Front.allCases)
    func `a driver does not take the calls of another one that shares its recorder`(front: Front) {
        let (first, second) = (orders.driver(front), orders.driver(front))
        first.send(.load(1))
        on { second.expectCall("load", 1) }.are(
            """
            load(1) was expected, but the call was made in another test driver.
            To fix, expect it with that driver.
            """)
        second.send(.load(2))
        // The next call of this driver, though not of the recorder.
        second.expectCall("load", 2)
        first.expectCall("load", 1)
        for test in [first, second] {
            test.advance(by: .seconds(1))
            test.skip()
            test.finish()
        }
    }

    // MARK: - Misuse

    @Test(arguments: Front.allCases)
    func `a driver that code calls which it runs reports that, and the test goes on`(front: Front) {
        // Unchecked: the driver runs the observer and the task on the thread of the test.
        nonisolated(unsafe) let test = orders.driver(front)
        let text = """
            The driver was called by code that it runs, such as an observer or an effect. To fix, call it in the test \
            itself, and let such code call the \(front).
            """
        let line = #line + 1
        test.when(1) { test.send(.touch) }
        on { test.send(.add(1)) { $0 = 1 } }.are(text, at: line)
        let issues = on {
            orders.time.start {
                test.send(.touch)
                test.advance(by: .seconds(1))
                test.finish()
            }
            test.send(.touch)
        }
        issues.are(at: (line + 4, text), (line + 5, text), (line + 6, text))
        #expect(test.time.clock.now.offset == .zero)
        test.send(.add(1)) { $0 = 2 }
        test.finish()
    }

    // MARK: - The end

    @Test("72. Without finish, the checks are made when the driver is released", arguments: Front.allCases)
    func released(front: Front) {
        let line = #line + 2
        let issues = on {
            let test = orders.driver(front)
            test.send(.load(1))
            test.expectCall("load", 1)
            test.dispatch(.add(2))
        }
        issues.are(
            at: (
                line,
                """
                The \(front.message) add(2) came, and was not received before the end of the test (− expected, + got)
                − - 0
                + - 2
                To fix, receive it, or relax .messages.
                """
            ),
            (
                line + 1,
                """
                \(front.left(.load(1))) sleeps until 1.0 s, now 0.0 s. To fix, \
                advance(by: .seconds(1)), cancel it, or relax .work.
                """
            ))
    }

    @Test(arguments: Front.allCases)
    func `what happens after finish is reported when the driver is released`(front: Front) {
        let line = #line + 2
        let issues = on {
            let test = orders.driver(front)
            test.send(.load(1))
            test.expectCall("load", 1)
            test.finish()
            test.dispatch(.add(2))
            test.dispatch(.paused(1))
        }
        func left(_ order: Order) -> String {
            """
            \(front.left(order)) sleeps until 1.0 s, now 0.0 s. To fix, \
            advance(by: .seconds(1)), cancel it, or relax .work.
            """
        }
        issues.are(
            // By `finish`, once.
            at: (line + 1, left(.load(1))),
            (
                line,
                """
                2 \(front.message)s came, and were not received between finish() and the end of the test: add(2), paused(1) \
                (− expected, + got)
                − - 0
                + - 2
                To fix, receive them in this order, or relax .messages.
                """
            ),
            (line, left(.paused(1))))
    }

    // MARK: - Relaxed axes

    @Test(arguments: Front.allCases)
    func `a relaxed state is a warning, and a wrong statement is a failure`(front: Front) {
        let test = orders.driver(front, relaxing: .state)
        on { test.send(.add(1)) }.areWarnings(
            "Skipped, because .state is relaxed. The state after add(1) was not stated in full.")
        // A closure that states everything needs not be repeatable.
        test.send(.add(1)) { $0 += 1 }
        on { test.send(.add(1)) { $0 = 7 } }.are(
            """
            The state after add(1) differs: because .state is relaxed, the closure was applied to the actual state \
            after add(1), and has changed it (− expected, + got)
            − - 7
            + - 3
            To fix, assign the values that the state has then, or state the whole change.
            """)
        test.finish()
    }

    @Test(arguments: Front.allCases)
    func `a relaxed message is a warning`(front: Front) {
        let test = orders.driver(front, relaxing: .messages)
        test.dispatch(.touch)
        for number in 1...2 { test.dispatch(.add(number)) }
        let begin = "Skipped, because .messages is relaxed."
        on { test.receive(.add(2)) { $0 = 3 } }.areWarnings(
            """
            \(begin) 2 \(front.message)s came, and were not received: touch, add(1) (− expected, + got)
            − - 0
            + - 1
            """)
        test.dispatch(.touch)
        on { test.send(.touch) }.areWarnings(
            "\(begin) The \(front.message) touch came, and was not received before touch was sent.")
        test.finish()
    }

    @Test(arguments: Front.allCases)
    func `relaxed work and calls are warnings`(front: Front) {
        let test = orders.driver(front, relaxing: [.work, .calls])
        let line = #line + 1
        for order in [Order.load(1), .newest(2)] { test.send(order) }
        test.expectCall("load", 2)
        on { test.finish() }.areWarnings(
            """
            Skipped, because .work is relaxed. \(front.left(.load(1))) sleeps \
            until 1.0 s, now 0.0 s.
            """,
            """
            Skipped, because .work is relaxed. \(front.left(.newest(2))) sleeps \
            until 1.0 s, now 0.0 s.
            """,
            "Skipped, because .calls is relaxed. The call load(1) was not expected.", at: line)
        let other = #line + 1
        test.send(.fail)
        let failed = on { test.finish() }.issues.first
        #expect(failed?.text == "Skipped, because .work is relaxed. \(front.failed): Offline().")
        #expect(failed?.line == other)
    }

    @Test(arguments: Front.allCases)
    func `if everything is relaxed, a test that states nothing does not fail`(front: Front) {
        let issues = reported {
            let test = orders.driver(front, relaxing: .all)
            for order in [Order.add(1), .newest(1), .fail] { test.send(order) }
            test.dispatch(.add(1))
            test.advance(by: .seconds(1))
        }
        #expect(issues.count == 5)
        #expect(issues.allSatisfy { $0.isWarning })
    }
}
