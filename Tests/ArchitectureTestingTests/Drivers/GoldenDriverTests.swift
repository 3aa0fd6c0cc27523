import ArchitectureTesting
import Dispatcher
import Foundation
import FunctionalCore
import Optics
import TestSupport
import Testing
import VirtualTime

/// The whole text of each issue that a driver records, its line, and whether it is a warning.
@Suite(.timeLimit(.minutes(10))) struct GoldenDriverTests {
    private let desk = DeskTest()

    /// The issues that are recorded by a closure on a line.
    private struct Reported {
        let issues: [ReportedIssue]
        let line: Int
    }

    /// An issue that is expected; without a line, at that of the closure.
    private struct Expected: ExpressibleByStringLiteral {
        var text: String
        var line: Int?

        init(stringLiteral text: String) { self.text = text }
        init(at line: Int, _ text: String) { (self.text, self.line) = (text, line) }
    }

    private func on(line: Int = #line, _ body: () -> Void) -> Reported {
        Reported(issues: reported(body), line: line)
    }

    private func expect(_ reported: Reported, _ expected: Expected...) {
        #expect(
            reported.issues == expected.map { ReportedIssue(text: $0.text, line: $0.line ?? reported.line) })
    }

    private func expectWarnings(_ reported: Reported, _ expected: Expected...) {
        #if compiler(>=6.3)
            #expect(
                reported.issues
                    == expected.map { ReportedIssue(text: $0.text, line: $0.line ?? reported.line, isWarning: true) })
        #endif
    }

    // MARK: - States

    @Test func `another state`() {
        let test = desk.driver()
        expect(
            on { test.send(.count) { $0.count = 2 } },
            """
            The state after count differs (− expected, + got)
              ▿ ArchitectureTestingTests.Desk
                - title: "empty"
            −   - count: 2
            +   - count: 1
            To fix, correct the closure, or the code that changes the state.
            """)
        #expect(test.state == Desk(count: 1))
    }

    @Test func `a change that the test does not state`() {
        let test = desk.driver()
        expect(
            on { test.send(.count) },
            """
            The state after count differs (− expected, + got)
              ▿ ArchitectureTestingTests.Desk
                - title: "empty"
            −   - count: 0
            +   - count: 1
            To fix, state the change in a closure, or relax .state.
            """)
    }

    @Test func `a closure that states nothing`() {
        let test = desk.driver()
        expect(
            on { test.send(.touch) { $0.count = 0 } },
            """
            The closure for touch states no change, and the state has not changed. To fix, remove the closure.
            """)
    }

    @Test func `a change of work that is not stated before the next input, and at the end`() {
        let test = desk.driver()
        let line = #line + 1
        test.send(.slowly)
        test.advance(by: .seconds(1))
        expect(
            on { test.send(.count) { $0.count = 2 } },
            """
            The work of slowly has changed the state, which was not stated before count was sent (− expected, + \
            got)
              ▿ ArchitectureTestingTests.Desk
                - title: "empty"
            −   - count: 0
            +   - count: 1
            To fix, state it with change(from:), or relax .state.
            """)
        test.advance(by: .seconds(1))
        expect(
            on { test.finish() },
            .init(
                at: line,
                """
                The work of slowly has changed the state, which was not stated before the end of the test (− \
                expected, + got)
                  ▿ ArchitectureTestingTests.Desk
                    - title: "empty"
                −   - count: 2
                +   - count: 3
                To fix, state it with change(from:), or relax .state.
                """))
    }

    @Test func `many changes of work that are not stated`() {
        let test = desk.driver()
        for _ in 0..<11 { test.send(.slowly) }
        test.advance(by: .seconds(2))
        let issues = on { test.send(.touch) }
        #expect(issues.issues.count == 21)
        expect(
            Reported(issues: Array(issues.issues.suffix(1)), line: issues.line),
            """
            2 more changes of the state were not stated before touch was sent. To fix, state them with change(from:), \
            or relax .state.
            """)
        test.finish()
    }

    @Test func `no further change`() {
        let test = desk.driver()
        let sent = test.send(.slowly)
        expect(
            on { test.change(from: sent) { $0.count = 1 } },
            """
            slowly has made no further change.
            slowly sleeps until 1.0 s, now 0.0 s.
            To fix, advance(by: .seconds(1)) before.
            """)
        test.cancel(sent)
        expect(
            on { test.change(from: sent) { $0.count = 1 } },
            """
            slowly has made no further change.
            No work of it is under way.
            To fix, let the work change the state before, or remove the expectation.
            """)
    }

    @Test func `a change of another input's work`() {
        let test = desk.driver()
        let first = test.send(.slowly)
        let second = test.send(.load(1)) { $0.title = "loading" }
        test.expectCall("load", 1)
        test.advance(by: .seconds(1))
        expect(
            on { test.change(from: second) { $0.count = 1 } },
            """
            Expected a change from load(1), but the next change is one from slowly. To fix, state the changes \
            in the order in which they were made.
            """)
        test.change(from: second) { $0.title = "post 1" }
        test.advance(by: .seconds(1))
        test.change(from: first) { $0.count = 2 }
        test.finish()
    }

    @Test func `a message of another driver`() {
        let (test, other) = (desk.driver(), desk.driver())
        let sent = other.send(.slowly)
        expect(
            on { test.change(from: sent) { $0.count = 1 } },
            """
            slowly was sent with another driver. To fix, call this method of that driver.
            """)
        expect(
            on { test.expectWork(sent) },
            """
            slowly was sent with another driver. To fix, call this method of that driver.
            """)
        other.cancel(sent)
    }

    // MARK: - Inputs

    @Test func `no input`() {
        let test = desk.counting()
        expect(
            on { test.receive(.count) },
            """
            No input came. Expected: count
            No work is under way.
            To fix, let the code under test send it before, or remove the expectation.
            """)
        test.send(.name("counting")) { $0.title = "counting" }
        expect(
            on { test.receive(.count) },
            """
            No input came. Expected: count
            counter sleeps until 1.0 s, now 0.0 s.
            To fix, advance(by: .seconds(1)) before.
            """)
        test.axes = []
    }

    @Test func `a different input`() {
        let test = desk.driver()
        test.component.send(.load(1))
        expect(
            on { test.receive(.load(2)) { $0.title = "loading" } },
            """
            Received a different input (− expected, + got)
              ▿ ArchitectureTestingTests.DeskInput.load
            −   - load: 2
            +   - load: 1
            To fix, receive the input that came, or correct the code that sends it.
            """)
        test.component.send(.name("a"))
        expect(
            on { test.receive(DeskInput.prism(for: DeskInput.load)) { $0.title = "a" } },
            """
            Received a different input (− expected, + got)
            − one that the prism matches
            + ▿ ArchitectureTestingTests.DeskInput.name
            +   - name: "a"
            To fix, receive the input that came, or correct the code that sends it.
            """)
        test.component.send(.name("b"))
        expect(
            on { test.receive(where: { $0 == .count }) { $0.title = "b" } },
            """
            Received a different input (− expected, + got)
            − one that satisfies the predicate
            + ▿ ArchitectureTestingTests.DeskInput.name
            +   - name: "b"
            To fix, receive the input that came, or correct the code that sends it.
            """)
        test.axes = []
    }

    @Test func `an input that was not received`() {
        let line = #line + 1
        let test = desk.driver()
        test.component.send(.count)
        expect(
            on { test.send(.touch) },
            """
            The input count came, and was not received before touch was sent (− expected, + got)
              ▿ ArchitectureTestingTests.Desk
                - title: "empty"
            −   - count: 0
            +   - count: 1
            To fix, receive it, or relax .messages.
            """)
        test.component.send(.touch)
        expect(
            on { test.finish() },
            .init(
                at: line,
                """
                The input touch came, and was not received before the end of the test. To fix, receive it, or relax \
                .messages.
                """))
    }

    @Test func `a change instead of an input, and an input instead of a change`() {
        let test = desk.driver()
        let sent = test.send(.slowly)
        test.advance(by: .seconds(1))
        expect(
            on { test.receive(.count) },
            """
            Expected the input count, but the work of slowly has changed the state before. To fix, state the \
            change with change(from:).
            """)
        test.change(from: sent) { $0.count = 1 }
        test.component.send(.count)
        test.advance(by: .seconds(1))
        expect(
            on { test.change(from: sent) { $0.count = 1 } },
            """
            Expected a change from slowly, but the input count came first. To fix, receive it.
            """)
        test.receive(.count) { $0.count = 2 }
        test.change(from: sent) { $0.count = 3 }
        test.finish()
    }

    @Test func `an input that is sent while another thread uses the component`() {
        let test = desk.driver()
        let (started, released, ended) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        test.component.observe { desk in
            guard desk.title == "busy", desk.count == 0 else { return }
            started.signal()
            released.wait()
        }
        Thread { [component = test.component] in
            component.send(.name("busy"))
            ended.signal()
        }.start()
        started.wait()
        expect(
            on { test.send(.count) },
            """
            count was sent, and the component has not processed it: the component has ended, or another thread \
            uses it. To fix, send before the end, and from one thread.
            """)
        released.signal()
        ended.wait()
        test.receive(.name("busy")) { $0.title = "busy" }
        test.receive(.count) { $0.count = 1 }
        test.finish()
    }

    // MARK: - Work

    @Test func `different work`() {
        let test = desk.driver()
        let sent = test.send(.slowly)
        expect(
            on { test.expectWork(sent, .sleeping(until: .seconds(2))) },
            """
            The work of slowly differs, now 0.0 s (− expected, + got)
            − .sleeping(until: .seconds(2))
            + .sleeping(until: .seconds(1))
            To fix, expect .sleeping(until: .seconds(1)), or correct the code that starts the work.
            """)
        expect(
            on { test.expectWork(sent) },
            """
            The work of slowly differs, now 0.0 s (− expected, + got)
            − none
            + .sleeping(until: .seconds(1))
            To fix, expect .sleeping(until: .seconds(1)), or correct the code that starts the work.
            """)
        test.cancel(sent)
        expect(
            on { test.expectWork(sent, .waiting) },
            """
            The work of slowly differs, now 0.0 s (− expected, + got)
            − .waiting
            + none
            To fix, expect no work, or correct the code that starts the work.
            """)
        test.finish()
    }

    @Test func `work that is left`() {
        let test = desk.driver()
        let line = #line + 1
        test.send(.slowly)
        let later = DeskLater()
        test.send(.later(later))
        test.advance(by: .milliseconds(300))
        test.send(.search("a"))
        expect(
            on { test.finish() },
            .init(
                at: line,
                """
                Work is under way at the end of the test: slowly sleeps until 1.0 s, now 0.3 s. To fix, advance(by: \
                .seconds(0.7)), cancel it, or relax .work.
                """),
            .init(
                at: line + 2,
                """
                Work is under way at the end of the test: later(ArchitectureTestingTests.DeskLater) waits for \
                something that no advance of the clock ends, such as a continuation, a sequence, the main actor, or \
                a detached task. To fix, let it end, cancel it, or relax .work.
                """),
            .init(
                at: line + 4,
                """
                Work is under way at the end of the test: search("a") sleeps until 1.3 s, now 0.3 s. To fix, \
                advance(by: .seconds(1)), cancel it, or relax .work.
                """))
        test.axes = []
        _ = reported { test.finish() }
    }

    @Test func `an input that is left in the queue of a policy`() {
        let test = desk.driver(relaxing: .calls)
        let line = #line + 1
        let first = test.send(.queue(1))
        test.send(.queue(2))
        let issues = on { test.finish() }
        #expect(issues.issues.count == 3)
        expect(
            Reported(issues: Array(issues.issues[1...1]), line: issues.line),
            .init(
                at: line + 1,
                """
                Work is under way at the end of the test: queue(2) waits until earlier work of its policy has ended. \
                To fix, let it end, cancel it, or relax .work.
                """))
        test.cancel(first)
        test.axes = []
    }

    @Test func `a received input that is cancelled`() {
        let test = desk.driver()
        test.component.send(.touch)
        let received = test.receive(.touch)
        expect(
            on { test.cancel(received) },
            """
            touch was not sent by the test, so there is no handle to cancel it. To fix, cancel a sent input.
            """)
        test.finish()
    }

    @Test func `a failure that is not stated`() {
        let test = desk.driver()
        let line = #line + 1
        test.send(.fail)
        expect(
            on { test.finish() },
            .init(
                at: line,
                """
                Work has failed: Offline(). To fix, state it with expectFailure, or relax .work.
                """))
    }

    @Test func `a failure whose text is a sentence has one period`() {
        let dispatcher = StateDispatcher<Void, Int, Int>.effectful { _ in
            EnvIO { _ in throw Sentence() }
        }
        let test = TestDriver(dispatcher, state: 0, environment: ())
        let line = #line + 1
        test.send(1)
        expect(
            on { test.finish() },
            .init(
                at: line,
                """
                Work has failed: The server is down. To fix, state it with expectFailure, or relax .work.
                """))
    }

    private struct Sentence: Error, CustomStringConvertible {
        let description = "The server is down."
    }

    @Test func `a failure of another type`() {
        let test = desk.driver()
        expect(
            on { test.expectFailure(CancellationError.self) },
            """
            No work has failed with an error of the type CancellationError.
            No work is under way.
            To fix, let the work fail before, or remove the expectation.
            """)
        test.send(.fail)
        expect(
            on { test.expectFailure(CancellationError.self) },
            """
            No work has failed with an error of the type CancellationError.
            Another failure: Offline()
            No work is under way.
            To fix, expect its type, let the work fail before, or remove the expectation.
            """)
        test.expectFailure(Offline.self)
        let sent = test.send(.failLater)
        expect(
            on { test.expectFailure(Offline.self) },
            """
            No work has failed with an error of the type Offline.
            failLater sleeps until 1.0 s, now 0.0 s.
            To fix, advance(by: .seconds(1)) before.
            """)
        test.cancel(sent)
    }

    @Test func `work without end`() {
        let test = desk.driver()
        var sent: Sent?
        expect(
            on { sent = test.send(.spin) },
            """
            100000 jobs have run, and more are ready: some work goes on without end and without sleeping. To \
            fix, let it sleep on the clock of the driver, or send only when something has changed.
            """)
        // Reported once.
        test.send(.touch)
        if let sent { test.cancel(sent) }
        test.finish()
    }

    @Test func `work that sleeps may go on without a limit, and long lists of issues are shortened`() {
        let test = desk.counting(relaxing: .messages)
        test.send(.name("counting")) { $0.title = "counting" }
        let issues = reported {
            // More than 100,000 inputs and jobs.
            test.advance(by: .seconds(101_000))
            test.finish()
        }
        #expect(issues.count == 21)
        #expect(
            issues.last?.text == """
                Skipped, because .messages is relaxed. 100980 more inputs came, and were not received before the end of \
                the test.
                """)
        #expect(test.state.count == 101_000)
    }

    // MARK: - Calls

    @Test func `calls that are not expected, and other calls`() {
        let test = desk.driver()
        let sent = test.send(.load(1)) { $0.title = "loading" }
        expect(
            on { test.expectCall("load", 2) },
            """
            load was called with other arguments (− expected, + got)
            − load(2)
            + load(1)
            To fix, expectCall("load", 1), or correct the call.
            """)
        test.cancel(sent)
        let line = #line + 1
        let newest = test.send(.newest(3))
        test.advance(by: .seconds(1))
        test.change(from: newest) { $0.title = "post 3" }
        expect(
            on { test.finish() },
            .init(
                at: line,
                """
                The call load(3) was not expected. To fix, expectCall("load", 3), or relax .calls.
                """))
    }

    @Test func `a call of an unstubbed function`() {
        let test = desk.driver()
        expect(
            on { test.send(.delete(3)) },
            """
            delete(3) was called, but delete is unstubbed.
            To fix, create the function with stub("delete") { … }, or do not call it.
            """)
        test.expectFailure(Unstubbed.self)
        test.finish()
    }

    @Test func `a driver without a recorder`() {
        let test = TestDriver(state: Desk()) { setup in
            Component(
                initialState: Desk(), environment: desk.api, executor: setup.executor, trace: setup.trace,
                dispatcher: ArchitectureTestingTests.desk(desk.time.clock))
        }
        expect(
            on { test.expectCall("load", 1) },
            """
            The driver has no recorder. To fix, create it with calls: recorder.
            """)
    }

    // MARK: - The driver

    @Test func `a component of something else`() {
        let line = #line + 2
        let issues = on {
            _ = TestDriver(state: Desk()) { _ in
                Component(
                    initialState: Desk(count: 1), environment: desk.api,
                    dispatcher: ArchitectureTestingTests.desk(desk.time.clock))
            }
            _ = TestDriver(state: Desk()) { setup in
                Component(
                    initialState: Desk(count: 1), environment: desk.api, executor: setup.executor, trace: setup.trace,
                    dispatcher: ArchitectureTestingTests.desk(desk.time.clock))
            }
        }
        expect(
            issues,
            .init(
                at: line,
                """
                The component does not have the trace of the driver. To fix, create it with trace: setup.trace.
                """),
            .init(
                at: line,
                """
                The component does not have the executor of the driver. To fix, create it with executor: \
                setup.executor.
                """),
            .init(
                at: line + 5,
                """
                The component was created with another state than the driver (− expected, + got)
                  ▿ ArchitectureTestingTests.Desk
                    - title: "empty"
                −   - count: 0
                +   - count: 1
                To fix, create both with the same state.
                """))
    }

    @Test func `without finish, the checks are made when the driver is released`() {
        let line = #line + 3
        let issues = on {
            let test = desk.driver()
            test.send(.slowly)
            test.component.send(.count)
            _ = test
        }
        expect(
            issues,
            .init(
                at: line - 1,
                """
                The input count came, and was not received before the end of the test (− expected, + got)
                  ▿ ArchitectureTestingTests.Desk
                    - title: "empty"
                −   - count: 0
                +   - count: 1
                To fix, receive it, or relax .messages.
                """),
            .init(
                at: line,
                """
                Work is under way at the end of the test: slowly sleeps until 1.0 s, now 0.0 s. To fix, advance(by: \
                .seconds(1)), cancel it, or relax .work.
                """))
    }

    // MARK: - Relaxed axes

    @Test func `a relaxed state is a warning, and a wrong statement is a failure`() {
        let test = desk.driver(relaxing: .state)
        expectWarnings(
            on { test.send(.twice) { $0.count = 1 } },
            """
            Skipped, because .state is relaxed. The state after twice was not stated in full.
            """)
        // A closure that states everything needs not be repeatable.
        test.send(.count) { $0.count += 1 }
        expect(
            on { test.send(.count) { $0.count = 7 } },
            """
            The state after count differs: because .state is relaxed, the closure was applied to the actual state, and \
            has changed it (− expected, + got)
              ▿ ArchitectureTestingTests.Desk
                - title: "twice"
            −   - count: 7
            +   - count: 3
            To fix, assign the values that the state has then, or state the whole change.
            """)
        let line = #line + 1
        test.send(.slowly)
        test.advance(by: .seconds(1))
        expectWarnings(
            on { test.send(.touch) },
            """
            Skipped, because .state is relaxed. The work of slowly has changed the state, which was not stated \
            before touch was sent.
            """)
        test.advance(by: .seconds(1))
        expectWarnings(
            on { test.finish() },
            .init(
                at: line,
                """
                Skipped, because .state is relaxed. The work of slowly has changed the state, which was not stated \
                before the end of the test.
                """))
    }

    @Test func `a relaxed input is a warning`() {
        let test = desk.driver(relaxing: .messages)
        test.component.send(.touch)
        test.component.send(.count)
        test.component.send(.name("a"))
        expectWarnings(
            on { test.receive(.name("a")) { $0.title = "a" } },
            """
            Skipped, because .messages is relaxed. The input touch came, and was not received.
            """,
            """
            Skipped, because .messages is relaxed. The input count came, and was not received (− expected, + \
            got)
              ▿ ArchitectureTestingTests.Desk
                - title: "empty"
            −   - count: 0
            +   - count: 1
            """)
        test.component.send(.touch)
        expectWarnings(
            on { test.send(.touch) },
            """
            Skipped, because .messages is relaxed. The input touch came, and was not received before touch was \
            sent.
            """)
        test.finish()
    }

    @Test func `relaxed work is a warning`() {
        let test = desk.driver(relaxing: .work)
        let line = #line + 1
        test.send(.slowly)
        test.send(.fail)
        expectWarnings(
            on { test.finish() },
            .init(
                at: line + 1,
                """
                Skipped, because .work is relaxed. Work has failed: Offline().
                """),
            .init(
                at: line,
                """
                Skipped, because .work is relaxed. Work is under way at the end of the test: slowly sleeps until \
                1.0 s, now 0.0 s.
                """))
        test.axes = []
        _ = reported { test.finish() }
    }

    @Test func `relaxed calls are a warning`() {
        let test = desk.driver(relaxing: .calls)
        let line = #line + 1
        let sent = test.send(.load(1)) { $0.title = "loading" }
        let newest = test.send(.newest(2))
        test.expectCall("load", 2)
        test.advance(by: .seconds(1))
        test.change(from: sent) { $0.title = "post 1" }
        test.change(from: newest) { $0.title = "post 2" }
        expectWarnings(
            on { test.finish() },
            .init(at: line, "Skipped, because .calls is relaxed. The call load(1) was not expected."))
    }

    @Test func `if everything is relaxed, a test that states nothing does not fail`() {
        let issues = reported {
            let test = desk.driver(relaxing: .all)
            test.send(.load(1))
            test.send(.slowly)
            test.component.send(.count)
            test.send(.fail)
            test.advance(by: .seconds(1))
        }
        #expect(issues.count == 7)
        #expect(issues.allSatisfy { $0.isWarning })
    }
}
