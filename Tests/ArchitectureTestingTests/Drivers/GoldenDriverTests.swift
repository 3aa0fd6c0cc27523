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

    private func expect(_ issues: [ReportedIssue], _ expected: (line: Int, text: String)...) {
        #expect(issues == expected.map { ReportedIssue(text: $0.text, line: $0.line) })
    }

    private func expectWarnings(_ issues: [ReportedIssue], _ expected: (line: Int, text: String)...) {
        #if compiler(>=6.3)
            #expect(issues == expected.map { ReportedIssue(text: $0.text, line: $0.line, isWarning: true) })
        #endif
    }

    // MARK: - States

    @Test func `another state`() {
        let test = desk.driver()
        let line = #line + 1
        expect(reported { test.send(.count) { $0.count = 2 } }, (line, "?"))
        #expect(test.state == Desk(count: 1))
    }

    @Test func `a change that the test does not state`() {
        let test = desk.driver()
        let line = #line + 1
        expect(reported { test.send(.count) }, (line, "?"))
    }

    @Test func `a closure that states nothing`() {
        let test = desk.driver()
        let line = #line + 1
        expect(reported { test.send(.touch) { $0.count = 0 } }, (line, "?"))
    }

    @Test func `a change of work that is not stated before the next input, and at the end`() {
        let test = desk.driver()
        test.send(.slowly)
        test.advance(by: .seconds(1))
        let line = #line + 1
        expect(reported { test.send(.count) { $0.count = 2 } }, (line, "?"))
        test.advance(by: .seconds(1))
        expect(reported { test.finish() }, (line - 2, "?"))
    }

    @Test func `no further change`() {
        let test = desk.driver()
        let sent = test.send(.slowly)
        let line = #line + 1
        expect(reported { test.change(from: sent) { $0.count = 1 } }, (line, "?"))
        test.cancel(sent)
        expect(reported { test.change(from: sent) { $0.count = 1 } }, (line + 2, "?"))
    }

    @Test func `a change of another input's work`() {
        let test = desk.driver()
        let first = test.send(.slowly)
        let second = test.send(.load(1)) { $0.title = "loading" }
        test.expectCall("load", 1)
        test.advance(by: .seconds(1))
        let line = #line + 1
        expect(reported { test.change(from: second) { $0.count = 1 } }, (line, "?"))
        test.change(from: second) { $0.title = "post 1" }
        test.advance(by: .seconds(1))
        test.change(from: first) { $0.count = 2 }
        test.finish()
    }

    @Test func `a message of another driver`() {
        let (test, other) = (desk.driver(), desk.driver())
        let sent = other.send(.slowly)
        let line = #line + 1
        expect(reported { test.change(from: sent) { $0.count = 1 } }, (line, "?"))
        expect(reported { test.expectWork(sent) }, (line + 1, "?"))
        other.cancel(sent)
    }

    // MARK: - Inputs

    @Test func `no input`() {
        let test = desk.counting()
        let line = #line + 1
        expect(reported { test.receive(.count) }, (line, "?"))
        test.send(.name("counting")) { $0.title = "counting" }
        expect(reported { test.receive(.count) }, (line + 2, "?"))
        test.axes = []
    }

    @Test func `a different input`() {
        let test = desk.driver()
        test.component.send(.load(1))
        let line = #line + 1
        expect(reported { test.receive(.load(2)) { $0.title = "loading" } }, (line, "?"))
        test.component.send(.name("a"))
        expect(reported { test.receive(DeskInput.prism(for: DeskInput.load)) { $0.title = "a" } }, (line + 2, "?"))
        test.component.send(.name("b"))
        expect(reported { test.receive(where: { $0 == .count }) { $0.title = "b" } }, (line + 4, "?"))
        test.axes = []
    }

    @Test func `an input that was not received`() {
        let test = desk.driver()
        test.component.send(.count)
        let line = #line + 1
        expect(reported { test.send(.touch) }, (line, "?"))
        test.component.send(.touch)
        expect(reported { test.finish() }, (1, "?"))
    }

    @Test func `a change instead of an input, and an input instead of a change`() {
        let test = desk.driver()
        let sent = test.send(.slowly)
        test.advance(by: .seconds(1))
        let line = #line + 1
        expect(reported { test.receive(.count) }, (line, "?"))
        test.change(from: sent) { $0.count = 1 }
        test.component.send(.count)
        test.advance(by: .seconds(1))
        expect(reported { test.change(from: sent) { $0.count = 1 } }, (line + 4, "?"))
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
        let line = #line + 1
        expect(reported { test.send(.count) }, (line, "?"))
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
        let line = #line + 1
        expect(reported { test.expectWork(sent, .sleeping(until: .seconds(2))) }, (line, "?"))
        expect(reported { test.expectWork(sent) }, (line + 1, "?"))
        test.cancel(sent)
        expect(reported { test.expectWork(sent, .waiting) }, (line + 3, "?"))
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
        expect(reported { test.finish() }, (line, "?"), (line + 2, "?"), (line + 4, "?"))
        test.axes = []
        _ = reported { test.finish() }
    }

    @Test func `a failure that is not stated`() {
        let test = desk.driver()
        let line = #line + 1
        test.send(.fail)
        expect(reported { test.finish() }, (line, "?"))
    }

    @Test func `a failure of another type`() {
        let test = desk.driver()
        let line = #line + 1
        expect(reported { test.expectFailure(CancellationError.self) }, (line, "?"))
        test.send(.fail)
        expect(reported { test.expectFailure(CancellationError.self) }, (line + 2, "?"))
        test.expectFailure(Offline.self)
    }

    @Test func `work without end`() {
        let test = desk.driver()
        let line = #line + 2
        var sent: Sent?
        expect(reported { sent = test.send(.spin) }, (line, "?"))
        // Reported once.
        test.send(.touch)
        if let sent { test.cancel(sent) }
        test.finish()
    }

    @Test func `work that sleeps without end has no limit`() {
        let test = desk.counting(relaxing: .all)
        let issues = reported {
            test.send(.name("counting"))
            test.advance(by: .seconds(60_000))
        }
        #expect(!issues.contains { !$0.isWarning })
        #expect(test.component.state.count == 60_000)
        _ = reported { test.finish() }
    }

    // MARK: - Calls

    @Test func `calls that are not expected, and other calls`() {
        let test = desk.driver()
        let line = #line + 1
        let sent = test.send(.load(1)) { $0.title = "loading" }
        expect(reported { test.expectCall("load", 2) }, (line + 1, "?"))
        test.cancel(sent)
        test.send(.newest(3))
        test.advance(by: .seconds(1))
        expect(reported { test.finish() }, (line + 3, "?"), (line + 3, "?"))
    }

    @Test func `a call of an unstubbed function`() {
        let test = desk.driver()
        let line = #line + 1
        expect(reported { test.send(.delete(3)) }, (line, "?"))
        test.expectFailure(Unstubbed.self)
        test.finish()
    }

    @Test func `a driver without a recorder`() {
        let test = TestDriver(state: Desk()) { setup in
            Component(
                initialState: Desk(), environment: desk.api, executor: setup.executor, trace: setup.trace,
                dispatcher: ArchitectureTestingTests.desk(desk.time.clock))
        }
        let line = #line + 1
        expect(reported { test.expectCall("load", 1) }, (line, "?"))
    }

    // MARK: - The driver

    @Test func `a component of something else`() {
        let line = #line + 2
        let issues = reported {
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
        expect(issues, (line, "?"), (line, "?"), (line + 5, "?"))
    }

    @Test func `without finish, the checks are made when the driver is released`() {
        let line = #line + 3
        let issues = reported {
            let test = desk.driver()
            test.send(.slowly)
            test.component.send(.count)
            _ = test
        }
        expect(issues, (line, "?"), (line - 1, "?"))
    }

    // MARK: - Relaxed axes

    @Test func `a relaxed state is a warning, and a wrong statement is a failure`() {
        let test = desk.driver(relaxing: .state)
        let line = #line + 1
        expectWarnings(reported { test.send(.twice) { $0.count = 1 } }, (line, "?"))
        // A closure that states everything needs not be repeatable.
        test.send(.count) { $0.count += 1 }
        expect(reported { test.send(.count) { $0.count = 7 } }, (line + 3, "?"))
        test.send(.slowly)
        test.advance(by: .seconds(1))
        expectWarnings(reported { test.send(.touch) }, (line + 6, "?"))
        test.advance(by: .seconds(1))
        expectWarnings(reported { test.finish() }, (line + 4, "?"))
    }

    @Test func `a relaxed input is a warning`() {
        let test = desk.driver(relaxing: .messages)
        test.component.send(.touch)
        test.component.send(.count)
        test.component.send(.name("a"))
        let line = #line + 1
        expectWarnings(reported { test.receive(.name("a")) { $0.title = "a" } }, (line, "?"), (line, "?"))
        test.component.send(.touch)
        expectWarnings(reported { test.send(.touch) }, (line + 2, "?"))
        test.finish()
    }

    @Test func `relaxed work is a warning`() {
        let test = desk.driver(relaxing: .work)
        let line = #line + 1
        test.send(.slowly)
        test.send(.fail)
        expectWarnings(reported { test.finish() }, (line + 1, "?"), (line, "?"))
        test.axes = []
        _ = reported { test.finish() }
    }

    @Test func `relaxed calls are a warning`() {
        let test = desk.driver(relaxing: .calls)
        let line = #line + 1
        let sent = test.send(.load(1)) { $0.title = "loading" }
        test.send(.newest(2))
        test.expectCall("load", 2)
        test.advance(by: .seconds(1))
        test.change(from: sent) { $0.title = "post 1" }
        _ = line
        expectWarnings(reported { test.finish() }, (line, "?"))
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
        #expect(issues.count == 8)
        #expect(issues.allSatisfy { $0.isWarning })
    }
}
