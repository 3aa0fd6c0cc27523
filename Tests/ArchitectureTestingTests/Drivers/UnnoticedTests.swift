import ArchitectureTesting
import Dispatcher
import Effects
import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

/// What a driver has to report although no statement of the test is about it, and what it must not demand.
@Suite(.timeLimit(.minutes(10))) struct UnnoticedTests {
    private let desk = DeskTest()

    // MARK: - Changes that are undone

    /// Sets the state to a number, and then to zero.
    private static let blinking = StateDispatcher<Void, Int, Int>.workflow { number in
        [.pure(.set(number)), .pure(.set(0))]
    }

    @Test func `A change that is undone within one send is reported unless a closure states it`() {
        let test = TestDriver(Self.blinking, state: 0, environment: ())
        let line = #line + 1
        let issues = reported { test.send(5) }
        #expect(
            issues == [
                ReportedIssue(
                    text: """
                        5 has changed the state and changed it back, which was not stated (− expected, + got)
                        − - 0
                        + - 5
                        To fix, make both changes in a closure, or relax .state.
                        """, line: line)
            ])
        test.send(5) { number in
            number = 5
            number = 0
        }
        test.send(0)
        test.finish()
    }

    @Test func `A change that is undone within one action of a store is reported unless a closure states it`() {
        struct Blink: Action {}
        let test = TestStore(
            reducer: on(Blink.self) { (isOn: inout Bool, _: Blink) in isOn.toggle() }, state: false,
            effects: [Effect { actions in actions.ofType(Shown.self).map { _ in Blink() }.eraseActionType() }],
            middleware: [
                Middleware { action, _, next in
                    next(action)
                    if action is Blink { next(action) }
                }
            ])
        test.send(Shown())
        let line = #line + 1
        let issues = reported { test.receive(Blink.self) }
        #expect(
            issues == [
                ReportedIssue(
                    text: """
                        Blink() has changed the state and changed it back, which was not stated (− expected, + got)
                        − - false
                        + - true
                        To fix, make both changes in a closure, or relax .state.
                        """, line: line)
            ])
        test.send(Shown())
        test.receive(Blink.self) { isOn in
            isOn = true
            isOn = false
        }
        test.finish()
    }

    @Test func `A change that is undone is a warning if the state is relaxed`() {
        let test = TestDriver(Self.blinking, state: 0, environment: (), relaxing: .state)
        let issues = reported { test.send(5) }
        #if compiler(>=6.3)
            #expect(
                issues.map(\.text) == [
                    """
                    Skipped, because .state is relaxed. 5 has changed the state and changed it back, which was not \
                    stated.
                    """
                ])
        #else
            #expect(issues.isEmpty)
        #endif
    }

    @Test func `The state of a driver is the actual one if the axis is relaxed, and the stated one otherwise`() {
        let test = desk.driver(relaxing: .state)
        let sent = test.send(.slowly)
        test.advance(by: .seconds(1))
        #expect(test.state.count == 1)
        test.axes = .all
        #expect(test.state.count == 0)
        test.change(from: sent) { $0.count = 1 }
        test.cancel(sent)
        test.finish()
    }

    // MARK: - After the end

    @Test func `What is sent to a component after finish is reported when the driver is released`() {
        let line = #line + 2
        let issues = reported {
            let test = desk.driver()
            let sent = test.send(.slowly)
            test.finish()
            test.component.send(.count)
            test.component.send(.search("a"))
            withExtendedLifetime(sent) {}
        }
        #expect(
            issues == [
                // By `finish`, once.
                ReportedIssue(
                    text: """
                        Work is under way at the end of the test: slowly sleeps until 1.0 s, now 0.0 s. To fix, \
                        advance(by: .seconds(1)), cancel it, or relax .work.
                        """, line: line + 1),
                ReportedIssue(
                    text: """
                        The input count came, and was not received between finish() and the end of the test \
                        (− expected, + got)
                          ▿ ArchitectureTestingTests.Desk
                            - title: "empty"
                        −   - count: 0
                        +   - count: 1
                        To fix, receive it, or relax .messages.
                        """, line: line),
                ReportedIssue(
                    text: """
                        The input search("a") came, and was not received between finish() and the end of the test. To \
                        fix, receive it, or relax .messages.
                        """, line: line),
                ReportedIssue(
                    text: """
                        Work is under way at the end of the test: search("a") sleeps until 1.0 s, now 0.0 s. To fix, \
                        advance(by: .seconds(1)), cancel it, or relax .work.
                        """, line: line),
            ])
    }

    @Test func `What is sent to a loop or a store after finish is reported when the driver is released`() {
        let line = #line + 2
        let issues = reported {
            let loop = ReaderTest().driver()
            loop.finish()
            loop.loop.dispatchEvent(.touch)
        }
        #expect(
            issues == [
                ReportedIssue(
                    text: """
                        The event touch came, and was not received between finish() and the end of the test. To fix, \
                        receive it, or relax .messages.
                        """, line: line)
            ])
        let others = reported {
            let store = TestStore(reducer: posts, state: Posts())
            store.finish()
            store.store.dispatch(action: Shown())
        }
        #expect(others.map { $0.text.prefix(28) } == ["The action Shown() came, and"])
    }

    @Test func `An input that a task outside of the driver sends after finish is reported when the driver is released`()
        async
    {
        var test: TestDriver<Desk, DeskInput>? = desk.driver()
        test?.finish()
        let component = test?.component
        await Task.detached { _ = component?.send(.touch) }.value
        #expect(reported { test = nil }.map { $0.text.prefix(28) } == ["The input touch came, and wa"])
    }

    // MARK: - Calls

    @Test func `Calls in a driver without the recorder are reported when the recorder is released`() {
        let line = #line + 2
        let issues = reported {
            let calls = Recorder()
            let load = calls.stub("load") { (id: Int) in "post \(id)" }
            let dispatcher = StateDispatcher<Void, String, Int>.pure { id in .set(load(id)) }
            let test = TestDriver(dispatcher, state: "", environment: ())
            test.send(5) { $0 = "post 5" }
            test.send(6) { $0 = "post 6" }
            test.send(7) { $0 = "post 7" }
            // The test may ask the recorder itself.
            calls.expectCall("load", 5)
            test.finish()
        }
        #expect(
            issues == [
                ReportedIssue(
                    text: """
                        2 calls were made in a test driver that does not have the recorder, and not expected: load(6), \
                        load(7)
                        To fix, create the driver with calls: calls.
                        """, line: line)
            ])
    }

    @Test func `Calls in a driver that has the recorder, and calls outside of drivers, are not reported twice`() {
        let calls = Recorder()
        let load = calls.stub("load") { (id: Int) in "post \(id)" }
        let dispatcher = StateDispatcher<Void, String, Int>.pure { id in .set(load(id)) }
        let component = Component(
            initialState: "", environment: (), trace: Trace { _ in }, dispatcher: dispatcher)
        component.send(1)
        #expect(calls.all.map(\.driver) == [nil])
        let issues = reported {
            let test = TestDriver(dispatcher, state: "", environment: (), calls: calls, relaxing: .state)
            test.send(5)
        }
        #expect(
            issues.filter { !$0.isWarning }.map(\.text) == [
                "The call load(1) was not expected. To fix, expectCall(\"load\", 1), or relax .calls.",
                "The call load(5) was not expected. To fix, expectCall(\"load\", 5), or relax .calls.",
            ])
    }

    @Test func `A driver does not take the calls of another one that shares its recorder`() {
        let (first, second) = (desk.driver(), desk.driver())
        let sent = first.send(.load(1)) { $0.title = "loading" }
        let line = #line + 1
        let issues = reported { second.expectCall("load", 1) }
        #expect(
            issues == [
                ReportedIssue(
                    text: """
                        load(1) was expected, but the call was made in another test driver.
                        To fix, expect it with that driver.
                        """, line: line)
            ])
        let other = second.send(.load(2)) { $0.title = "loading" }
        // The next call of this driver, though not of the recorder.
        second.expectCall("load", 2)
        first.expectCall("load", 1)
        first.cancel(sent)
        second.cancel(other)
        first.finish()
        second.finish()
    }

    // MARK: - Dropped inputs

    @Test func `An input that the component drops needs no receive`() {
        let test = TestDriver(state: Desk(), time: desk.time) { setup in
            Component(
                initialState: Desk(), environment: desk.api, executor: setup.executor, trace: setup.trace,
                dispatcher: ArchitectureTestingTests.desk(desk.time.clock),
                subscriptions: { [clock = desk.time.clock] desk in
                    if desk.title == "closed" { return [] }
                    return [
                        .run(id: "connection") { _, send in
                            try? await clock.sleep(for: .seconds(1))
                            send(.count)
                        }
                    ]
                })
        }
        test.send(.name("closed")) { $0.title = "closed" }
        test.component.observe(initial: false) { [weak component = test.component] desk in
            if desk.title == "cancelled" { component?.send(.count).cancel() }
        }
        test.send(.name("cancelled")) { $0.title = "cancelled" }
        test.finish()
    }

    // MARK: - Misuse

    @Test @MainActor func `A driver that an observer calls reports that`() {
        let test = desk.driver()
        let line = #line + 3
        let observation = test.component.observe(initial: false) { desk in
            if desk.count == 1 {
                test.send(.touch)
            }
        }
        let issues = reported { test.send(.count) { $0.count = 1 } }
        #expect(
            issues == [
                ReportedIssue(
                    text: """
                        The driver was called by code that it runs, such as an observer or an effect. To fix, call it in \
                        the test itself, and let such code call the component.
                        """, line: line)
            ])
        observation.cancel()
        test.send(.touch)
        test.finish()
    }

    @Test func `A driver that a task calls which it runs reports that, and the test goes on`() {
        final class Box {
            var test: TestDriver<Int, Int>?
        }
        // Unchecked: the driver runs the task on the thread of the test.
        nonisolated(unsafe) let box = Box()
        let dispatcher = StateDispatcher<Void, Int, Int>.effectful { number in
            EnvIO { _ in
                await Task.yield()
                if number == 1 {
                    box.test?.send(2)
                    box.test?.advance(by: .seconds(1))
                    box.test?.finish()
                }
                return .set(number)
            }
        }
        let test = TestDriver(dispatcher, state: 0, environment: ())
        box.test = test
        var sent: Sent?
        let issues = reported { sent = test.send(1) }
        #expect(
            issues.map { $0.text.prefix(46) }
                == Array(repeating: "The driver was called by code that it runs, su", count: 3))
        if let sent { test.change(from: sent) { $0 = 1 } }
        #expect(test.time.clock.now.offset == .zero)
        test.finish()
        box.test = nil
    }

    @Test func `Without the trace, a driver reports nothing else, since it sees nothing`() {
        let issues = reported {
            let test = TestDriver(state: 0) { setup in
                Component(
                    initialState: 0, environment: (), executor: setup.executor,
                    dispatcher: StateDispatcher<Void, Int, Int>.pure { .set($0) })
            }
            let sent = test.send(1) { $0 = 1 }
            test.expectWork(sent, .waiting)
            test.receive(2)
            test.expectFailure(Offline.self)
            #expect(test.component.state == 1)
        }
        #expect(
            issues.map(\.text) == [
                "The component does not have the trace of the driver. To fix, create it with trace: setup.trace."
            ])
    }

    // MARK: - Names

    private enum Order: Equatable, Sendable {
        case download(String)
        case cancel(String)
        case save(id: Int, name: String)
        case wait
    }

    @Test func `Work of a loop is named by its effect, also if the message has several`() {
        let time = VirtualScheduler()
        let sleep: @Sendable () async -> String? = { [clock = time.clock] in
            try? await clock.sleep(for: .seconds(1))
            return nil
        }
        let handler = EffectRouter<Order, String>()
            .routeCase(Order.download).toEvent { _ in await sleep() }
            .routeCase(Order.cancel).toEvent { _ in await sleep() }
            .routeCase(Order.save).toEvent { _ in await sleep() }
            .routeCase(Order.wait).toEvent { () in await sleep() }
        let update = Update<Int, String, Order> { _, event in
            switch event {
            case "one": .dispatchEffects([.download("a")])
            case "several": .dispatchEffects([.download("a"), .save(id: 1, name: "a"), .wait])
            default: .dispatchEffects([.download("a"), .cancel("a")])
            }
        }
        func works(_ event: String) -> [Substring] {
            let test = TestLoop(
                Mobius.loop(update: update, effectHandler: handler), from: 0, time: time, relaxing: .work)
            test.send(event)
            _ = test.takeEffects()
            let texts = reported { test.finish() }.map(\.text)
            test.dispose()
            let start = "Skipped, because .work is relaxed. Work is under way at the end of the test: "
            return texts.map { $0.dropFirst(start.count).prefix { $0 != "," } }
        }
        #if compiler(>=6.3)
            #expect(works("one") == [#"The effect download("a") of one sleeps until 1.0 s"#])
            #expect(
                works("several").sorted() == [
                    #"The effect download("a") of several sleeps until 1.0 s"#,
                    #"The effect save(id: 1"#, "The effect wait of several sleeps until 1.0 s",
                ])
            // Both have the same payload.
            #expect(
                works("two")
                    == Array(repeating: #"The effect cancel("a") or download("a") of two sleeps until 1.0 s"#, count: 2)
            )
        #endif
    }
}
