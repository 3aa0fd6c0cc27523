import ArchitectureTesting
import Dispatcher
import TestSupport
import Testing
import VirtualTime

/// The calls and works that count for a driver, and the lines of its issues.
@Suite(.timeLimit(.minutes(10))) struct DriverScopeTests {
    private let desk = DeskTest()

    @Test func `a subscription that a message has started is no work of the message`() {
        let test = desk.counting()
        let sent = test.send(.name("counting")) { $0.title = "counting" }
        test.expectWork(sent)
        test.finish()
    }

    @Test func `a call without a cause is reported at the end, where the driver was created`() {
        let line = #line + 2
        let (texts, lines) = issues {
            let test = desk.driver()
            desk.calls.record("audit", 1)
            test.finish()
        }
        #expect(texts.count == 1)
        #expect(texts.first?.contains("audit(1)") == true)
        #expect(lines == [line])
    }

    @Test func `what follows from a received input is reported where the test has sent its cause`() {
        let line = #line + 6
        let (texts, lines) = issues {
            let test = desk.driver()
            test.component.observe { [weak component = test.component] desk in
                if desk.title == "go", desk.count == 0 { component?.send(.slowly) }
            }
            test.send(.name("go")) { $0.title = "go" }
            test.receive(.slowly)
            test.finish()
        }
        #expect(texts.count == 1)
        #expect(texts.first?.contains("slowly") == true)
        #expect(lines == [line])
    }

    @Test func `another initial state is reported once, and the test goes on from it`() {
        let (texts, _) = issues {
            let test = TestDriver(state: Desk(), time: desk.time) { setup in
                Component(
                    initialState: Desk(count: 1), environment: desk.api, executor: setup.executor,
                    trace: setup.trace, dispatcher: ArchitectureTestingTests.desk(desk.time.clock))
            }
            test.send(.count) { $0.count += 1 }
            test.finish()
        }
        #expect(texts.count == 1)
        #expect(texts.first?.contains("was created with another state than the driver") == true)
    }
}
