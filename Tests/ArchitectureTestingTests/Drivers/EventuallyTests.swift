import ArchitectureTesting
import Dispatch
import Dispatcher
import Effects
import Foundation
import FunctionalCore
import Loop
import Optics
import TestSupport
import Testing
import VirtualTime

/// The statements of a driver that wait for other threads. `EventuallyRunTests` waits for each kind of code.
@Suite(.timeLimit(.minutes(10))) struct EventuallyTests {
    private let orders = Orders()

    private func cancelled(_ text: String) -> String { "The task was cancelled while eventually waited. " + text }

    // MARK: - Arrivals

    @Test func `an arrival between the look and the wait is not lost`() async {
        let test = orders.component()
        let sent = test.send(.wait)
        var count = 0
        await test.eventually {
            test.change(from: sent) { $0 = 1 }
            count += 1
            if count == 1 { onThreads(1) { [orders] _ in orders.open() } }
        }
        #expect(count == 2)
        #expect(test.time.clock.now == .zero)
        test.finish()
    }

    @Test(arguments: Front.allCases)
    func `a message that another thread sends ends a wait, without a job`(front: Front) async {
        let test = orders.driver(front)
        let dispatch = test.dispatching
        var count = 0
        await test.eventually {
            test.receive(.add(1)) { $0 = 1 }
            count += 1
            if count == 1 { onThreads(1) { _ in dispatch(.add(1)) } }
        }
        #expect(count == 2)
        test.finish()
    }

    @Test func `a call that another thread makes ends a wait, and nothing else does`() async {
        let test = orders.component()
        let ping = orders.calls.stub("ping") { (number: Int) in number }
        var count = 0
        await test.eventually {
            test.expectCall("ping", 5)
            count += 1
            if count == 1 { onThreads(1) { _ in _ = ping(5) } }
        }
        #expect(count == 2)
        test.finish()
    }

    @MainActor @Test func `a call in another driver does not repeat a statement`() async {
        let ping = orders.calls.stub("ping") { (number: Int) in number }
        let other = TestDriver(
            StateDispatcher<Void, Int, Int>.workflow { number in [.pure(.update { $0 = ping(number) })] }, state: 0,
            environment: (), calls: orders.calls)
        let tries = Record<Void>()
        let waiting = Task { @MainActor [orders] in
            let test = orders.component()
            await test.eventually {
                test.expectCall("ping", 5)
                tries.append(())
            }
        }
        while tries.values.isEmpty { await Task.yield() }
        other.send(1) { $0 = 1 }
        other.expectCall("ping", 1)
        for _ in 0..<10 { await Task.yield() }
        orders.calls.record("ping", 5)
        await waiting.value
        #expect(tries.values.count == 2)
        other.finish()
    }

    @MainActor @Test func `what another task drains ends a wait, and a drain without jobs does not`() async {
        let tries = Record<Void>()
        orders.time.start { [orders] in
            try await orders.time.clock.sleep(for: .seconds(1))
            // On the draining thread, this is no arrival.
            orders.open()
        }
        let waiting = Task { @MainActor [orders] in
            let test = orders.component()
            let sent = test.send(.wait)
            await test.eventually {
                test.change(from: sent) { $0 = 1 }
                tries.append(())
            }
            test.finish()
        }
        while tries.values.isEmpty { await Task.yield() }
        orders.time.drain()
        for _ in 0..<10 { await Task.yield() }
        orders.time.advance(by: .seconds(1))
        await waiting.value
        #expect(tries.values.count == 2)
    }

    @Test func `a failure that another thread causes is expected`() async {
        let gate = AsyncStream.makeStream(of: Void.self)
        let test = TestDriver(
            StateDispatcher<Void, Int, Int>.effectful { _ in
                EnvIO { _ in
                    for await _ in gate.stream { throw Offline() }
                    return .set(0)
                }
            }, state: 0, environment: ())
        test.send(1)
        var count = 0
        let failure = await test.eventually {
            defer {
                count += 1
                if count == 1 { onThreads(1) { _ in gate.continuation.yield() } }
            }
            return test.expectFailure(Offline.self)
        }
        #expect(failure == Offline())
        #expect(count == 2)
        test.finish()
    }

    @Test func `with messages relaxed, receive skips others and waits for its own`() async {
        let test = orders.driver(.component, relaxing: .messages)
        let dispatch = test.dispatching
        var count = 0
        await test.eventually {
            test.receive(.add(2)) { $0 += 2 }
            count += 1
            if count < 3 { onThreads(1) { [count] _ in dispatch(.add(count)) } }
        }
        #expect(count == 3)
        test.skip()
        #expect(test.state == 3)
        test.finish()
    }

    // MARK: - The queue of the owner

    @Test func `no thread processes messages of the component when a wait has ended`() async {
        let test = orders.component()
        let isFound = DispatchSemaphore(value: 0)
        test.answer(1, with: .add(2))
        // The observer keeps the queue on its thread until the test has found the first message.
        test.when(3) { isFound.wait() }
        Thread { [component = test.component] in component.send(.add(1)) }.start()
        let part = await test.eventually {
            let part = test.receive(Order.prism(for: Order.add)) { $0 = 1 }
            if part != nil { isFound.signal() }
            return part
        }
        #expect(part == 1)
        #expect(test.component.isIdle {})
        test.receive(.add(2)) { $0 = 3 }
        test.send(.touch)
        test.finish()
    }

    @Test func `a wait ends if a thread leaves the rest of a long queue to a job`() async {
        let test = orders.driver(.component, relaxing: .messages)
        let dispatch = test.dispatching
        // More messages from other threads than one thread processes, and one that comes while it does.
        test.when(1) { onThreads(1) { _ in for _ in 0..<2_000 { dispatch(.add(1)) } } }
        test.when(2) { onThreads(1) { _ in dispatch(.add(1)) } }
        Thread { dispatch(.add(1)) }.start()
        await test.eventually { test.receive(.add(1)) { $0 = 1 } }
        test.skip()
        #expect(test.state == 2_002)
        test.finish()
    }

    @Test func `a wait ends if a thread has left the rest of a long queue to a job before`() async {
        let test = orders.driver(.component, relaxing: .messages)
        let dispatch = test.dispatching
        test.when(2) { onThreads(1) { _ in for _ in 0..<2_000 { dispatch(.add(1)) } } }
        test.when(3) { onThreads(1) { _ in dispatch(.add(1)) } }
        test.dispatch(.add(1))
        await test.eventually {
            test.receive(.add(1)) { $0 = 1 }
            onThreads(1) { _ in dispatch(.add(1)) }
            #expect(orders.time.executor.readyCount == 1)
        }
        test.skip()
        #expect(test.state == 2_003)
        test.finish()
    }

    @Test func `finish waits until no thread processes messages`() async {
        let (isBusy, isFound) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let test = TestDriver(
            StateDispatcher<Void, Int, Int>.workflow { _ in
                [
                    .pure(
                        .update { count in
                            count += 1
                            isBusy.signal()
                            isFound.wait()
                        })
                ]
            }, state: 0, environment: ())
        Thread { [component = test.component] in component.send(1) }.start()
        var count = 0
        let issues = await asyncReported {
            await test.eventually {
                if count == 0 { isBusy.wait() }
                test.finish()
                count += 1
                isFound.signal()
            }
        }
        #expect(issues.map { $0.text.prefix(37) } == ["The input 1 came, and was not receive"])
    }

    @Test func `finish waits until the thread is idle, even if nothing arrives after that`() async {
        let (isBusy, isAsked) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let test = orders.component()
        // A call that no trace contains keeps the queue on its thread after the message.
        test.when(1) { [component = test.component] in
            _ = component.isIdle {
                isBusy.signal()
                isAsked.wait()
            }
        }
        Thread { [component = test.component] in component.send(.add(1)) }.start()
        let waitUntilBusy = { isBusy.wait() }
        waitUntilBusy()
        test.receive(.add(1)) { $0 = 1 }
        var count = 0
        await test.eventually {
            test.finish()
            count += 1
            isAsked.signal()
        }
        #expect(count > 1)
    }

    // MARK: - Statements that do not wait

    @Test(.cancelled) func `a statement fails at once if another message, change or call comes first`() async {
        let test = orders.component()
        let (waiting, adding) = (test.send(.wait), Order.add(1))
        test.dispatch(adding)
        var issues = await asyncReported { await test.eventually { test.change(from: waiting) { $0 = 1 } } }
        #expect(
            issues.map(\.text) == [
                """
                Expected a change from wait, but first came: the input add(1). To fix, state first what came first, in \
                this order.
                """
            ])
        test.dispatch(adding)
        issues = await asyncReported { await test.eventually { test.receive(.touch) { $0 = 1 } } }
        #expect(issues.map { $0.text.prefix(26) } == ["Received a different input"])
        orders.open()
        issues = await asyncReported { await test.eventually { test.receive(.touch) } }
        #expect(issues.map { $0.text.prefix(43) } == ["Expected the input touch, but first came: a"])
        test.change(from: waiting) { $0 = 3 }
        orders.calls.record("ping", 5)
        issues = await asyncReported { await test.eventually { test.expectCall("pong", 5) } }
        #expect(issues.count == 1 && !issues[0].text.hasPrefix(cancelled("")))
        test.expectCall("ping", 5)
        test.finish()
    }

    @Test(.cancelled) func `finish does not wait for work that sleeps, nor for work behind it`() async {
        let orders = Orders()
        let test = orders.component()
        test.send(.queued(1))
        test.expectCall("load", 1)
        test.send(.queued(2))
        let issues = await asyncReported { await test.eventually { test.finish() } }
        let start = "Work is under way at the end of the test: q"
        #expect(issues.map { $0.text.prefix(43) } == [start[...], start[...]])
    }

    @Test(.cancelled) func `finish does not wait if something was not stated`() async {
        let test = orders.component()
        test.send(.wait)
        test.dispatch(.touch)
        let issues = await asyncReported { await test.eventually { test.finish() } }
        #expect(issues.map { $0.text.prefix(21) } == ["The input touch came,", "Work is under way at "])
        orders.open()
        test.skip()
        test.finish()
    }

    @Test(.cancelled, arguments: [true, false]) func `finish does not wait if a failure or a call was not stated`(
        isFailure: Bool
    ) async {
        let test = orders.component()
        test.send(.wait)
        if isFailure { test.send(.fail) } else { orders.calls.record("ping", 5) }
        let issues = await asyncReported { await test.eventually { test.finish() } }
        let work: Substring = "Work is under way at "
        #expect(
            issues.map { $0.text.prefix(21) }
                == (isFailure ? ["Work has failed: Offl", work] : [work, "The call ping(5) was "]))
        orders.open()
        test.skip()
        test.finish()
    }

    @Test(.cancelled) func `a change is not waited for if the work has failed`() async {
        let test = orders.component()
        let sent = test.send(.fail)
        let issues = await asyncReported { await test.eventually { test.change(from: sent) { $0 = 1 } } }
        #expect(issues.map { $0.text.prefix(34) } == ["fail has made no further change.\nN"])
        test.expectFailure(Offline.self)
        test.finish()
    }

    @Test(.cancelled) func `nothing is waited for that comes from a message that did not come`() async {
        let test = orders.component()
        var handles: [Sent] = []
        _ = reported { handles.append(test.receive(.touch)) }
        var issues = await asyncReported { await test.eventually { test.change(from: handles[0]) { $0 = 1 } } }
        #expect(issues.map { $0.text.prefix(33) } == ["touch has made no further change."])
        issues = await asyncReported { await test.eventually { test.expectWork(handles[0], .waiting) } }
        #expect(issues.map { $0.text.prefix(26) } == ["The work of touch differs,"])
        test.finish()
    }

    @Test(.cancelled) func `nothing waits after a stopped chain of messages`() async {
        let answering = Effect { actions in actions.ofType(Order.self).map { _ in Order.touch }.eraseActionType() }
        let test = TestStore(reducer: Orders.reducer, state: 0, effects: [answering], relaxing: .messages)
        test.send(Order.touch)
        let issues = await asyncReported { await test.eventually { test.receive(Order.add(1)) } }
        #expect(issues.map { $0.text.prefix(13) } == ["The effect of", "Received a di"])
        test.finish()
    }

    @Test func `with work relaxed, finish does not wait`() async {
        let test = orders.driver(.component, relaxing: .work)
        test.send(.wait)
        let issues = await asyncReported { await test.eventually { test.finish() } }
        #if compiler(>=6.3)
            #expect(issues.map(\.isWarning) == [true])
        #endif
        orders.open()
        test.skip()
    }

    @Test(.cancelled) func `nothing waits for work without end`() async {
        let test = TestDriver(
            StateDispatcher<Void, Int, Int>.effectful { _ in
                EnvIO { _ in
                    while !Task.isCancelled { await Task.yield() }
                    return .set(0)
                }
            }, state: 0, environment: ())
        var sent: [Sent] = []
        let first = reported { sent.append(test.send(1)) }
        #expect(first.map { $0.text.prefix(19) } == ["100000 jobs have ru"])
        let issues = await asyncReported { await test.eventually { test.change(from: sent[0]) { $0 = 1 } } }
        #expect(issues.map { $0.text.prefix(31) } == ["1 has made no further change.\n1"])
        test.cancel(sent[0])
        test.finish()
    }

    @Test func `several statements in one closure are reported`() async {
        let test = orders.component()
        let sent = test.send(.wait)
        let line = #line + 4
        let issues = await asyncReported {
            await test.eventually {
                test.expectWork(sent, .waiting)
                test.expectWork(sent, .waiting)
            }
        }
        let text = """
            The closure of eventually makes several statements. To fix, call eventually once for each statement.
            """
        #expect(issues == [.init(text: text, line: line)])
        orders.open()
        test.change(from: sent) { $0 = 1 }
        test.finish()
    }

    @Test func `several statements at one place are reported`() async {
        let test = orders.component()
        test.dispatch(.add(1))
        test.dispatch(.add(2))
        let issues = await asyncReported {
            await test.eventually {
                for number in 1...3 { test.receive(.add(number)) { $0 += number } }
            }
        }
        #expect(issues.map { $0.text.prefix(26) } == ["The closure of eventually ", "No input came. Expected: a"])
        #expect(test.state == 3)
        test.finish()
    }

    @Test func `a closure without a statement of the driver is reported`() async {
        let (test, other) = (orders.component(), orders.component())
        let line = #line + 2
        let issues = await asyncReported {
            await test.eventually { other.finish() }
        }
        let text = """
            The closure of eventually makes no statement with this driver. To fix, make one that waits: change, \
            receive, expectCall, expectWork, expectFailure or finish.
            """
        #expect(issues == [.init(text: text, line: line)])
        test.finish()
    }

    @Test func `code that the driver runs cannot wait with it`() async {
        // Unchecked: the driver runs the task on the thread of the test.
        nonisolated(unsafe) let test = orders.component()
        let issues = reported {
            orders.time.start { await test.eventually { test.finish() } }
            test.send(.touch)
        }
        #expect(issues.map { $0.text.prefix(37) } == ["The driver was called by code that it"])
        test.finish()
    }

    // MARK: - Cancellation

    @MainActor @Test func `a wait that is cancelled says what it has waited for`() async {
        let (tries, line) = (Record<Void>(), #line + 5)
        let issues = await asyncReported {
            let task = Task { @MainActor [orders] in
                let test = orders.component()
                await test.eventually {
                    test.receive(.touch)
                    tries.append(())
                }
            }
            // On the main actor, the task waits if other code sees that the statement was made.
            while tries.values.isEmpty { await Task.yield() }
            task.cancel()
            await task.value
        }
        let text = """
            No input came. Expected: touch
            No work is under way.
            To fix, let the code under test send it before, or remove the expectation.
            """
        #expect(issues == [.init(text: cancelled(text), line: line)])
    }

    @Test func `in a task that was cancelled before, the statement is made once`() async {
        let tries = Record<Void>()
        let issues = await asyncReported {
            await Task { [orders] in
                withUnsafeCurrentTask { $0?.cancel() }
                let test = orders.component()
                await test.eventually {
                    test.receive(.touch)
                    tries.append(())
                }
            }.value
        }
        #expect(tries.values.count == 1)
        #expect(issues.map { $0.text.prefix(61) } == [cancelled("No input came.").prefix(61)])
    }

    @Test func `after a cancellation, only the issue about what is missing names it`() async {
        let issues = await asyncReported {
            await Task { [orders] in
                withUnsafeCurrentTask { $0?.cancel() }
                let test = orders.component()
                let sent = test.send(.wait)
                // The statement does not depend on the thread, because it waits.
                orders.time.start { onThreads(1) { _ in orders.open() } }
                await test.eventually { test.change(from: sent) { $0 = 1 } }
                test.dispatch(.add(1))
                await test.eventually { test.receive(.touch) { $0 = 2 } }
                test.finish()
            }.value
        }
        #expect(issues.map { $0.text.prefix(26) } == ["Received a different input"])
    }

    // MARK: - The warning

    private let interrupted = """
        While the driver ran the jobs before this statement, another thread continued work or sent a message. So the \
        result of the statement depends on that thread. To fix, wait for it: await test.eventually { … }.
        """

    /// Lets another thread continue the work of `wait` in the next drain.
    private func interrupt() {
        orders.time.start { [orders] in onThreads(1) { _ in orders.open() } }
    }

    @Test func `a job from another thread during a statement that does not wait is a warning`() {
        let test = orders.component()
        let sent = test.send(.wait)
        interrupt()
        on { test.change(from: sent) { $0 = 1 } }.areWarnings(interrupted)
        test.finish()
    }

    @Test func `a message from another thread during a statement that does not wait is a warning`() {
        let test = orders.component()
        let dispatch = test.dispatching
        orders.time.start { onThreads(1) { _ in dispatch(.add(1)) } }
        on { test.receive(.add(1)) { $0 = 1 } }.areWarnings(interrupted)
        test.finish()
    }

    @Test func `an arrival during a statement that waits is no warning`() async {
        let test = orders.component()
        let sent = test.send(.wait)
        interrupt()
        let issues = await asyncReported {
            await test.eventually { test.change(from: sent) { $0 = 1 } }
            Issue.record("known")
        }
        #expect(issues.map(\.text) == ["known"])
        test.finish()
    }

    @Test func `an arrival in a drain of the test, or after a message was sent, is no warning`() {
        let test = orders.component()
        let sent = test.send(.wait)
        interrupt()
        let issues = reported {
            orders.time.drain()
            test.change(from: sent) { $0 = 1 }
            test.when(2) { interrupt() }
            test.send(.add(1)) { $0 = 2 }
            Issue.record("known")
        }
        #expect(issues.map(\.text) == ["known"])
        test.finish()
    }

    @Test func `what the draining thread does is no warning`() {
        let test = orders.component()
        let dispatch = test.dispatching
        let issues = reported {
            orders.time.start { dispatch(.add(1)) }
            test.receive(.add(1)) { $0 = 1 }
            Issue.record("known")
        }
        #expect(issues.map(\.text) == ["known"])
        test.finish()
    }
}

/// Runs a test of statements that do not wait in a task that was cancelled. There, a statement that waits ends at once,
/// and its issue says so. Elsewhere it would wait until the time limit.
private struct CancelledTask: TestTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withoutActuallyEscaping(function) { function in
            try await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await function()
            }.value
        }
    }
}

extension Trait where Self == CancelledTask {
    fileprivate static var cancelled: Self { CancelledTask() }
}
