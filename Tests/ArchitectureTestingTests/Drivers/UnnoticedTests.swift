import ArchitectureTesting
import Dispatcher
import Effects
import Foundation
import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

/// What a driver has to report although no statement of the test is about it, and what it must not demand.
@Suite(.timeLimit(.minutes(10))) struct UnnoticedTests {
    private let orders = Orders()

    // MARK: - Absent children

    private struct Parent: Equatable {
        var child: Int?
    }

    @Test func `An input of an absent child is a failure of its send, and one of an absent scope, too`() {
        let child = StateDispatcher<Void, Int, Int>.pure { number in .update { $0 += number } }
        let dispatcher = child.widen(transformState: Lens(\Parent.child).some())
        let clearing = StateDispatcher<Void, Parent, Int>.pure { number in
            .update { if number == 0 { $0.child = nil } }
        }
        let origin = #line + 1
        let test = TestDriver(clearing.combine(dispatcher), state: Parent(child: 1), environment: ())
        let scope = test.component.scope(part: Lens(\Parent.child).some(), input: { $0 })
        test.send(2) { $0.child = 3 }
        test.send(0) { $0.child = nil }
        test.send(4)
        test.expectFailure(AbsentChild.self)
        let line = #line + 1
        test.send(5)
        scope?.send(6)
        func text(_ input: Int) -> String { "The input \(input) was for a child that is absent." }
        let remedy = " To fix, state it with expectFailure, or relax .work."
        on { test.finish() }.are(at: (line, text(5) + remedy), (origin, text(6) + remedy))
        test.axes = []
        let last = #line + 1
        test.send(7)
        on { test.finish() }.areWarnings("Skipped, because .work is relaxed. " + text(7), at: last)
    }

    @Test func `An input that does something else is not reported, although its child is absent`() {
        let child = StateDispatcher<Void, Int, Int>.pure { number in .update { $0 += number } }
            .widen(transformState: Lens(\Parent.child).some())
        let clearing = StateDispatcher<Void, Parent, Int>.pure { _ in .update { $0.child = nil } }
        let working = StateDispatcher<Void, Parent, Int>.effectful { _ in
            EnvIO { _ async in .update { $0.child = 7 } }
        }
        let test = TestDriver(clearing.combine(child), state: Parent(child: 1), environment: ())
        test.send(1) { $0.child = nil }
        test.finish()
        for policy in [Policy.concurrent, .latest, .queued] {
            let test = TestDriver(child.combine(working).policy(policy), state: Parent(), environment: ())
            let sent = test.send(1)
            test.change(from: sent) { $0.child = 7 }
            test.finish()
        }
    }

    // MARK: - Changes that are stated in part

    private struct Pair: Equatable {
        var first = 0
        var second = 0
    }

    /// Sets both parts of the state to a number.
    private static let both = StateDispatcher<Void, Pair, Int>.pure { number in
        .update { pair in
            pair.first = number
            pair.second = number
        }
    }

    @Test func `A closure may state a part of a change only if the state is relaxed`() {
        let test = TestDriver(Self.both, state: Pair(), environment: ())
        on { test.send(1) { $0.first = 1 } }.are(
            """
            The state after 1 differs (− expected, + got)
              ▿ ArchitectureTestingTests.UnnoticedTests.Pair
                - first: 1
            −   - second: 0
            +   - second: 1
            To fix, correct the closure, or the code that changes the state.
            """)
        test.axes = TestAxes.all.subtracting(.state)
        on { test.send(2) { $0.first = 2 } }.areWarnings(
            "Skipped, because .state is relaxed. The state after 2 was not stated in full.")
        test.finish()
    }

    @Test func `A change that is not stated is the issue, although relaxed inputs come before it and after it`() {
        let test = orders.driver(.component, relaxing: .messages)
        let sent = test.send(.load(1))
        test.expectCall("load", 1)
        test.dispatch(.touch)
        test.advance(by: .seconds(1))
        test.dispatch(.add(5))
        let issues = reported { test.receive(.add(5)) { $0 += 5 } }.filter { !$0.isWarning }
        #expect(
            issues.map(\.text) == [
                "Expected the input add(5), but first came: a change from load(1). "
                    + "To fix, state first what came first, in this order."
            ])
        test.result(1, of: sent)
        test.finish()
    }

    // MARK: - Changes that are undone

    /// Sets the state to a number, and then to zero.
    private static let blinking = StateDispatcher<Void, Int, Int>.workflow { number in
        [.pure(.set(number)), .pure(.set(0))]
    }

    @Test func `A change that is undone within one send is reported unless a closure states it`() {
        let test = TestDriver(Self.blinking, state: 0, environment: ())
        on { test.send(5) }.are(
            """
            5 has changed the state and changed it back, which was not stated (− expected, + got)
            − - 0
            + - 5
            To fix, make both changes in a closure, or relax .state.
            """)
        test.send(5) { number in
            number = 5
            number = 0
        }
        test.send(0)
        test.axes = [.messages]
        on { test.send(5) }.areWarnings(
            "Skipped, because .state is relaxed. 5 has changed the state and changed it back, which was not stated.")
        test.finish()
    }

    @Test func `A change that is undone within one action of a store is reported unless a closure states it`() {
        struct Blink: Action {}
        let test = TestStore(
            reducer: on(Blink.self) { (isOn: inout Bool, _: Blink) in isOn.toggle() }, state: false,
            middleware: [
                Middleware { action, _, next in
                    next(action)
                    next(action)
                }
            ])
        test.store.dispatch(action: Blink())
        on { test.receive(Blink.self) }.are(
            """
            Blink() has changed the state and changed it back, which was not stated (− expected, + got)
            − - false
            + - true
            To fix, make both changes in a closure, or relax .state.
            """)
        test.store.dispatch(action: Blink())
        test.receive(Blink.self) { isOn in
            isOn = true
            isOn = false
        }
        test.finish()
    }

    @Test func `The state of a driver is the actual one if the axis is relaxed, and the stated one otherwise`() {
        let test = orders.driver(.component, relaxing: .state)
        let sent = test.send(.load(1))
        test.expectCall("load", 1)
        test.advance(by: .seconds(1))
        #expect(test.state == 1)
        test.axes = .all
        #expect(test.state == 0)
        test.result(1, of: sent)
        test.finish()
    }

    @Test func `An input that a task outside of the driver sends after finish is reported when the driver is released`()
        async
    {
        var test: TestDriver<Int, Order>? = orders.component()
        test?.finish()
        let component = test?.component
        await Task.detached { _ = component?.send(.touch) }.value
        #expect(reported { test = nil }.map { $0.text.prefix(28) } == ["The input touch came, and wa"])
    }

    // MARK: - Drivers that are not deallocated

    @MainActor private static var kept: TestDriver<Int, Order>?

    @Test(.promptly) func `A driver that its own observer keeps alive without finish fails the process`() async {
        await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
            await MainActor.run {
                let test = Orders().component()
                test.component.observe { _ in _ = test.state }
                test.send(.add(1)) { $0 = 1 }
            }
            // An exit test captures what is written before its body returns.
            exit(0)
        }?
        .expectError("UnnoticedTests.swift:", "The end of a test was not checked, because the driver still exists")
    }

    @Test(.promptly) func `A driver that is finished may outlive its test, unless it is used afterwards`() async {
        await #expect(processExitsWith: .success) {
            await MainActor.run {
                let test = Orders().component()
                UnnoticedTests.kept = test
                test.send(.touch)
                test.finish()
            }
        }
        await #expect(processExitsWith: .exitCode(1)) {
            await MainActor.run {
                let test = Orders().component()
                UnnoticedTests.kept = test
                test.finish()
                test.send(.touch)
            }
        }
    }

    // MARK: - Calls

    private func loading(_ calls: Recorder) -> StateDispatcher<Void, Int, Int> {
        let load = calls.stub("load") { (id: Int) in id }
        return .pure { id in .set(load(id)) }
    }

    @Test func `Calls in a driver without the recorder are reported when the recorder is released`() {
        let line = #line + 2
        let issues = on {
            let calls = Recorder()
            let test = TestDriver(loading(calls), state: 0, environment: ())
            for id in 5...7 { test.send(id) { $0 = id } }
            // The test may ask the recorder itself.
            calls.expectCall("load", 5)
            test.finish()
        }
        issues.are(
            """
            2 calls were made in a test driver that does not have the recorder, and not expected: load(6), load(7)
            To fix, create the driver with calls: calls.
            """, at: line)
    }

    @Test func `Calls in a driver that has the recorder, and calls outside of drivers, are not reported twice`() {
        let calls = Recorder()
        let dispatcher = loading(calls)
        let component = Component(initialState: 0, environment: (), trace: Trace { _ in }, dispatcher: dispatcher)
        component.send(1)
        #expect(calls.all.map(\.driver) == [nil])
        let issues = reported {
            let test = TestDriver(dispatcher, state: 0, environment: (), calls: calls, relaxing: .state)
            test.send(5)
        }
        #expect(
            issues.filter { !$0.isWarning }.map(\.text) == [
                "The call load(1) was not expected. To fix, expectCall(\"load\", 1), or relax .calls.",
                "The call load(5) was not expected. To fix, expectCall(\"load\", 5), or relax .calls.",
            ])
    }

    // MARK: - Dropped inputs

    @Test func `An input that the component drops needs no receive`() {
        let clock = orders.time.clock
        let test = TestDriver(
            orders.dispatcher, state: 0, environment: (),
            subscriptions: { count in
                if count == 1 { return [] }
                return [
                    .run(id: "connection") { _, send in
                        try? await clock.sleep(for: .seconds(1))
                        send(.add(1))
                    }
                ]
            }, time: orders.time)
        test.send(.add(1)) { $0 = 1 }
        test.component.observe(initial: false) { [weak component = test.component] count in
            if count == 2 { component?.send(.add(1)).cancel() }
        }
        test.send(.add(1)) { $0 = 2 }
        test.finish()
    }

    // MARK: - Misuse

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

    private enum Job: Equatable, Sendable {
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
        let handler = EffectRouter<Job, String>()
            .routeCase(Job.download).toEvent { _ in await sleep() }
            .routeCase(Job.cancel).toEvent { _ in await sleep() }
            .routeCase(Job.save).toEvent { _ in await sleep() }
            .routeCase(Job.wait).toEvent { () in await sleep() }
        let update = Update<Int, String, Job> { _, event in
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
            #expect(works("one") == [#"the effect download("a") of one sleeps until 1.0 s"#])
            #expect(
                works("several").sorted() == [
                    #"the effect download("a") of several sleeps until 1.0 s"#,
                    #"the effect save(id: 1"#, "the effect wait of several sleeps until 1.0 s",
                ])
            // Both have the same payload.
            #expect(
                works("two").sorted() == [
                    #"the effect cancel("a") of two sleeps until 1.0 s"#,
                    #"the effect download("a") of two sleeps until 1.0 s"#,
                ])
        #endif
    }
}
