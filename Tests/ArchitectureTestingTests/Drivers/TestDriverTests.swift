import ArchitectureTesting
import Dispatcher
import FunctionalCore
import Optics
import TestSupport
import Testing
import VirtualTime

/// What a test states, and is right: no issue may be recorded.
@Suite(.timeLimit(.minutes(10))) struct TestDriverTests {
    private let desk = DeskTest()

    @Test func `a test that states everything records no issue`() {
        let test = desk.driver()
        let sent = test.send(.load(5)) { $0.title = "loading" }
        test.expectCall("load", 5)
        test.expectWork(sent, .sleeping(until: .seconds(1)))
        test.advance(by: .seconds(1))
        test.change(from: sent) { $0.title = "post 5" }
        test.expectWork(sent)
        test.finish()
        #expect(test.state == Desk(title: "post 5"))
    }

    @Test func `all changes that do not wait are stated with the send`() {
        let test = desk.driver()
        test.send(.twice) { $0 = Desk(title: "twice", count: 1) }
        test.finish()
    }

    @Test func `each later commit is stated, in order`() {
        let test = desk.driver()
        let sent = test.send(.slowly)
        test.advance(by: .seconds(2))
        test.change(from: sent) { $0.count = 1 }
        test.change(from: sent) { $0.count = 2 }
        test.finish()
    }

    @Test func `the work of two inputs may commit in turn`() {
        let test = desk.driver()
        let first = test.send(.slowly)
        test.advance(by: .milliseconds(500))
        let second = test.send(.slowly)
        test.expectWork(first, .sleeping(until: .seconds(1)))
        test.expectWork(second, .sleeping(until: .seconds(1.5)))
        test.advance(by: .seconds(2))
        test.change(from: first) { $0.count = 1 }
        test.change(from: second) { $0.count = 2 }
        test.change(from: first) { $0.count = 3 }
        test.expectWork(first)
        test.expectWork(second)
        test.change(from: second) { $0.count = 4 }
        test.finish()
    }

    @Test func `a stream is work, and its changes are stated one by one`() {
        let test = desk.driver()
        let sent = test.send(.stream)
        for count in 1...3 { test.change(from: sent) { $0.count = count } }
        test.expectWork(sent)
        test.finish()
    }

    @Test func `a commit that changes nothing needs no statement`() {
        let test = desk.driver()
        test.send(.name("empty"))
        let later = DeskLater()
        let sent = test.send(.later(later))
        test.send(.name("later")) { $0.title = "later" }
        later.gate.continuation.yield()
        test.expectWork(sent)
        test.finish()
    }

    @Test func `the inputs of an observer are received after the one that caused them, in order`() {
        let test = desk.driver()
        test.component.observe { [weak component = test.component] desk in
            if desk.title == "count", desk.count < 2 { component?.send(.count) }
        }
        test.send(.name("count")) { $0.title = "count" }
        test.receive(.count) { $0.count = 1 }
        test.receive(.count) { $0.count = 2 }
        test.finish()
    }

    @Test func `inputs of a subscription are received`() {
        let test = desk.counting()
        test.send(.name("counting")) { $0.title = "counting" }
        test.advance(by: .seconds(2))
        test.receive(.count) { $0.count = 1 }
        let isCount: (DeskInput) -> Bool = { $0 == .count }
        #expect(test.receive(where: isCount) { $0.count = 2 } == .count)
        test.advance(by: .seconds(1))
        #expect(test.receive(DeskInput.prism(for: DeskInput.count)) { $0.count = 3 } != nil)
        // The subscription goes on: it is no work.
        test.finish()
    }

    @Test func `the work of a received input is stated by the result of receive`() {
        let test = desk.driver()
        test.component.send(.load(1))
        let received = test.receive(.load(1)) { $0.title = "loading" }
        test.expectCall("load", 1)
        test.expectWork(received, .sleeping(until: .seconds(1)))
        test.advance(by: .seconds(1))
        test.change(from: received) { $0.title = "post 1" }
        test.finish()
    }

    @Test func `cancelled work ends, and commits nothing`() {
        let test = desk.driver()
        let sent = test.send(.slowly)
        test.cancel(sent)
        test.expectWork(sent)
        test.advance(by: .seconds(2))
        test.finish()
    }

    @Test func `cancelled work that does not end at once is under way until it ends`() {
        let test = desk.driver()
        let sent = test.send(.careful(1))
        test.expectCall("load", 1)
        test.cancel(sent)
        test.expectWork(sent, .sleeping(until: .seconds(1)))
        test.advance(by: .seconds(1))
        test.expectWork(sent)
        test.finish()
    }

    @Test func `a failure is stated by its type, at once or later`() {
        let test = desk.driver()
        test.send(.fail)
        #expect(test.expectFailure(Offline.self) == Offline())
        test.send(.failLater)
        test.advance(by: .seconds(1))
        test.expectFailure(Offline.self)
        test.finish()
    }

    @Test(.promptly) func `a failure is not written to standard error`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let test = DeskTest().driver()
            test.send(.fail)
            test.expectFailure(Offline.self)
            test.finish()
        }
        #expect(result?.standardErrorText.contains("Offline") == false)
    }

    @Test func `a policy that lets the newest work win cancels the earlier work`() {
        let test = desk.driver()
        let first = test.send(.newest(1))
        let second = test.send(.newest(2))
        test.expectCall("load", 1)
        test.expectCall("load", 2)
        test.expectWork(first)
        test.expectWork(second, .sleeping(until: .seconds(1)))
        test.advance(by: .seconds(1))
        test.change(from: second) { $0.title = "post 2" }
        test.finish()
    }

    @Test func `an input that a policy delays is work under way`() {
        let test = desk.driver()
        let sent = test.send(.search("a"))
        test.expectWork(sent, .sleeping(until: .seconds(1)))
        test.advance(by: .seconds(1))
        test.change(from: sent) { $0.title = "a" }
        test.expectWork(sent)
        test.finish()
    }

    @Test func `an input that a newer one replaces is no work any more`() {
        let test = desk.driver()
        let first = test.send(.search("a"))
        test.advance(by: .milliseconds(500))
        let second = test.send(.search("ab"))
        test.expectWork(first)
        test.expectWork(second, .sleeping(until: .seconds(1.5)))
        test.advance(by: .seconds(1))
        test.change(from: second) { $0.title = "ab" }
        test.finish()
    }

    @Test func `works of one input that several policies delay or start are told apart`() {
        let clock = desk.time.clock
        func adding(_ count: Int, _ policy: Policy) -> DeskDispatcher {
            .workflow(policy: policy) { _ in
                [
                    EnvIO { _ in
                        try await clock.sleep(for: .seconds(1))
                        return .update { $0.count += count }
                    }
                ]
            }
        }
        let dispatcher = DeskDispatcher.combine {
            adding(1, .debounce(for: .seconds(5), clock: clock))
            adding(10, .debounce(for: .seconds(3), clock: clock))
            adding(100, .latest)
        }
        let test = TestDriver(dispatcher, state: Desk(), environment: desk.api, time: desk.time)
        let sent = test.send(.count)
        test.expectWork(
            sent, .sleeping(until: .seconds(1)), .sleeping(until: .seconds(3)), .sleeping(until: .seconds(5)))
        test.advance(by: .seconds(3))
        test.change(from: sent) { $0.count = 100 }
        test.expectWork(sent, .sleeping(until: .seconds(4)), .sleeping(until: .seconds(5)))
        test.advance(by: .seconds(3))
        test.change(from: sent) { $0.count = 110 }
        test.change(from: sent) { $0.count = 111 }
        test.finish()
    }

    @Test func `a change after an asynchronous call that returns at once is a later change`() {
        let next: @Sendable (Int) async -> Int = { $0 + 1 }
        let dispatcher = StateDispatcher<Void, Int, Int>.effectful { number in
            EnvIO { _ in
                let next = await next(number)
                return .update { $0 = next }
            }
        }
        let test = TestDriver(dispatcher, state: 0, environment: ())
        let sent = test.send(1)
        test.change(from: sent) { $0 = 2 }
        test.finish()
    }

    @Test func `a call may be expected by its name alone`() {
        let test = desk.driver()
        let sent = test.send(.load(5)) { $0.title = "loading" }
        #expect(test.expectCall(named: "load")?.arguments.first as? Int == 5)
        test.cancel(sent)
        test.finish()
    }

    @Test func `an input that a policy queues is work under way`() {
        let test = desk.driver()
        let first = test.send(.queue(1))
        let second = test.send(.queue(2))
        test.expectCall("load", 1)
        test.expectWork(first, .sleeping(until: .seconds(1)))
        test.expectWork(second, .waiting)
        test.advance(by: .seconds(1))
        test.change(from: first) { $0.title = "post 1" }
        test.expectCall("load", 2)
        test.expectWork(second, .sleeping(until: .seconds(2)))
        test.advance(by: .seconds(1))
        test.change(from: second) { $0.title = "post 2" }
        test.finish()
    }

    @Test @MainActor func `work on the main actor is under way until the main actor has run it`() async {
        let test = desk.driver()
        let later = DeskLater()
        let sent = test.send(.main(later))
        // The test occupies the main actor until it awaits.
        test.expectWork(sent, .waiting)
        for await _ in later.gate.stream { break }
        test.change(from: sent) { $0.title = "main" }
        test.finish()
    }

    @Test func `a state may be optional`() {
        let dispatcher = StateDispatcher<Void, Int?, Int?>.pure { number in .update { $0 = number } }
        let test = TestDriver(dispatcher, state: nil, environment: ())
        test.send(1) { $0 = 1 }
        test.send(nil) { $0 = nil }
        test.send(nil)
        test.finish()
    }

    @Test func `an endless chain of an observer is a failure`() {
        let test = TestDriver(state: Desk(), time: desk.time) { setup in
            Component(
                initialState: Desk(), environment: desk.api, executor: setup.executor, maximumChain: 3,
                trace: setup.trace, dispatcher: ArchitectureTestingTests.desk(desk.time.clock))
        }
        test.component.observe { [weak component = test.component] desk in
            if desk.title == "endless" { component?.send(.count) }
        }
        test.send(.name("endless")) { $0.title = "endless" }
        test.expectFailure(RunawayInput.self)
        test.skip()
        test.finish()
    }

    @Test func `work that something outside of virtual time ends is under way until then`() {
        let test = desk.driver()
        let later = DeskLater()
        let sent = test.send(.later(later))
        test.expectWork(sent, .waiting)
        later.gate.continuation.yield()
        test.change(from: sent) { $0.title = "later" }
        test.finish()
    }

    @Test func `two drivers may share a clock and a recorder`() {
        let (first, second) = (desk.driver(), desk.driver())
        let one = first.send(.load(1)) { $0.title = "loading" }
        let two = second.send(.load(2)) { $0.title = "loading" }
        first.expectCall("load", 1)
        second.expectCall("load", 2)
        first.expectWork(one, .sleeping(until: .seconds(1)))
        second.expectWork(two, .sleeping(until: .seconds(1)))
        first.advance(by: .seconds(1))
        second.change(from: two) { $0.title = "post 2" }
        first.change(from: one) { $0.title = "post 1" }
        first.finish()
        second.finish()
    }

    @Test func `a driver follows the component that it drives, if others have its trace`() {
        let test = TestDriver(state: Desk(), time: desk.time) { setup in
            func make() -> Component<Desk, DeskInput> {
                Component(
                    initialState: Desk(), environment: desk.api, executor: setup.executor, trace: setup.trace,
                    dispatcher: ArchitectureTestingTests.desk(desk.time.clock))
            }
            let (other, component) = (make(), make())
            component.observe { desk in
                if desk.title == "other", desk.count == 0 { other.send(.slowly) }
            }
            other.observe { [weak component] desk in
                if desk.count == 2 { component?.send(.count) }
            }
            return component
        }
        let sent = test.send(.name("other")) { $0.title = "other" }
        // Work of the other component is work that the input has caused. Its changes are not.
        test.expectWork(sent, .sleeping(until: .seconds(1)))
        test.advance(by: .seconds(2))
        test.receive(.count) { $0.count = 1 }
        test.finish()
    }

    @Test func `a driver may be used after finish`() {
        let test = desk.driver()
        test.send(.count) { $0.count = 1 }
        test.finish()
        test.send(.count) { $0.count = 2 }
        test.finish()
    }

    @Test func `the driver releases its component, and lets cancelled work end`() {
        weak var component: Component<Desk, DeskInput>?
        let log = Log()
        do {
            let test = TestDriver(state: Desk(), time: desk.time, relaxing: .work) { setup in
                Component(
                    initialState: Desk(), environment: (), executor: setup.executor, trace: setup.trace,
                    dispatcher: StateDispatcher<Void, Desk, DeskInput>.effectful { [clock = desk.time.clock] _ in
                        EnvIO { _ in
                            await log.append("slept") { try await clock.sleep(for: .seconds(1)) }
                            return .update { $0.count = 1 }
                        }
                    })
            }
            component = test.component
            test.send(.count)
            _ = reported { test.finish() }
        }
        #expect(component == nil)
        #expect(log.lines == ["CancellationError()"])
    }
}
