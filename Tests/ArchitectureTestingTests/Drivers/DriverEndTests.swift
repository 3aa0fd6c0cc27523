import ArchitectureTesting
import Dispatcher
import Effects
import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

/// Work that goes on without end, and chains of messages without end.
@Suite(.timeLimit(.minutes(10))) struct DriverEndTests {
    // MARK: - Swallowed cancellation

    /// Lets careless work end, which would otherwise be leaked.
    private let mayEnd = Guarded(false)

    private func end(_ time: VirtualScheduler) {
        mayEnd.withLock { $0 = true }
        time.drain()
    }

    /// A driver whose subscription runs as long as the state is not negative, and whose inputs over 100 start work.
    /// Both go on after they were cancelled.
    private func careless(
        _ time: VirtualScheduler, sourceLocation: SourceLocation = #_sourceLocation
    ) -> TestDriver<Int, Int> {
        let mayEnd = mayEnd
        let dispatcher = StateDispatcher<VirtualClock, Int, Int>.effectful { number in
            if number <= 100 { return .pure(.set(number)) }
            return EnvIO { clock in
                while !mayEnd.value { try? await clock.sleep(for: .seconds(1)) }
                return .set(number)
            }
        }
        return TestDriver(state: -1, time: time, sourceLocation: sourceLocation) { setup in
            Component(
                initialState: -1, environment: time.clock, executor: setup.executor, trace: setup.trace,
                dispatcher: dispatcher,
                subscriptions: { count in
                    if count < 0 { return [] }
                    return [
                        .run(id: "ticks") { clock, _ in
                            while !mayEnd.value { try? await clock.sleep(for: .seconds(1)) }
                        }
                    ]
                })
        }
    }

    private func text(_ subject: String) -> String {
        """
        100000 jobs have run, and more are ready: \(subject) was cancelled, and goes on without end, because it ignores \
        the errors of its sleeps. To fix, end the loop when the task is cancelled: call try await instead of \
        try? await, or check Task.isCancelled.
        """
    }

    @Test func `a subscription that ignores its cancellation is reported when it is cancelled in an advance`() {
        let time = VirtualScheduler()
        defer { end(time) }
        let test = careless(time)
        test.send(1) { $0 = 1 }
        time.start { [component = test.component] in
            try await time.clock.sleep(for: .milliseconds(500))
            component.send(-1)
        }
        on { test.advance(by: .seconds(2)) }.are(text("ticks"))
        test.receive(-1) { $0 = -1 }
        test.finish()
    }

    @Test func `an input's work that ignores its cancellation is reported when it is cancelled`() {
        let time = VirtualScheduler()
        defer { end(time) }
        let test = careless(time)
        let sent = test.send(101)
        on { test.cancel(sent) }.are(text("101"))
        test.axes = []
        _ = reported { test.finish() }
    }

    @Test func `work that ignores its cancellation is reported when the driver is deallocated after finish`() {
        let time = VirtualScheduler()
        defer { end(time) }
        let line = #line + 2
        let issues = on {
            let test = careless(time)
            test.send(1) { $0 = 1 }
            test.finish()
        }
        issues.are(text("ticks"), at: line)
    }

    // MARK: - Chains

    private struct Ping: Action {}

    /// Answers each action by another one.
    private static let echo = Effect<Void>(file: "ECHO", line: 1) { actions in
        actions.ofType(Ping.self).map { _ in Ping() }.eraseActionType()
    }

    /// The text about a chain of 10,000 messages, the last ones of which are these.
    private func stopped(_ sender: String, _ last: [String]) -> String {
        """
        \(sender) answers its own messages without end, and was stopped after 10000 of them: \
        \(last.joined(separator: " → ")). To fix, let it send only when something has changed, or raise the maximum chain if \
        a chain of this length is intended.
        """
    }

    @Test func `an effect that answers its own action without end is the only issue`() {
        for axes in [[], .all] as [TestAxes] {
            let test = TestStore(
                reducer: on(Ping.self) { count, _ in count += 1 }, state: 0,
                effects: [
                    Self.echo,
                    .map(Ping.self) { _ -> Shown in
                        try await waitForCancellation()
                        return Shown()
                    },
                ], relaxing: axes)
            let line = #line + 1
            test.send(Ping()) { $0 = 1 }
            let text = stopped("The effect of ECHO:1", Array(repeating: "Ping", count: 16))
            on { test.finish() }.are(text, at: line)
        }
    }

    @Test func `an observer of a component that answers its own inputs without end is the only issue`() {
        let dispatcher = StateDispatcher<Void, Int, Int>.pure { number in .update { $0 += number } }
        let test = TestDriver(dispatcher, state: 0, environment: ())
        test.component.observe { [weak component = test.component] count in if count > 0 { component?.send(1) } }
        let line = #line + 1
        test.send(1) { $0 = 1 }
        let text = stopped("An observer of Component<Int, Int>", Array(repeating: "1", count: 16))
        on { test.finish() }.are(text, at: line)
        // If it is stated, it is no issue.
        test.send(1) { $0 += 1 }
        #expect(test.expectFailure(RunawayInput.self)?.causes.count == 16)
        test.skip()
        test.finish()
    }

    @Test func `a handler that answers its own events without end is the only issue`() {
        let builder = Mobius.loop(
            update: Update<Int, Int, Int> { count, event in .next(count + 1, effects: [event]) },
            effectHandler: EffectRouter<Int, Int>().routeEffects(withParameters: { $0 }).toEvent { $0 })
        let test = TestLoop(builder, from: 0)
        let line = #line + 1
        test.send(1) { $0 = 1 }
        test.effects(1)
        let text = stopped("The effect handler of MobiusLoop<Int, Int, Int>", Array(repeating: "1", count: 16))
        on { test.finish() }.are(text, at: line)
        // A driver leaves the maximum chain of a builder as it is.
        let origin = #line + 1
        let short = TestLoop(builder.withMaximumChain(20), from: 0)
        short.loop.dispatchEvent(1)
        on { short.finish() }.are(text.replacing("10000", with: "20"), at: origin)
    }

    @Test func `a chain without end is reported before the statement that fails`() {
        let test = TestStore(reducer: { (_: inout Int, _) in }, state: 0, effects: [Self.echo])
        let line = #line + 1
        test.send(Ping())
        let issues = reported {
            test.receive(Shown())
            test.send(Ping())
            test.finish()
        }
        #expect(issues.map { $0.text.prefix(17) } == ["The effect of ECH", "Received a differ", "The effect of ECH"])
        #expect(issues.map(\.line) == [line, line + 2, line + 3])
    }

    @Test func `a chain without end may be stated, and others are reported as ever`() {
        let test = TestStore(reducer: { (_: inout Int, _) in }, state: 0, effects: [Self.echo])
        test.send(Ping())
        #expect(test.expectFailure(RunawayEffect.self)?.causes.count == 16)
        test.skip()
        test.store.dispatch(action: Shown())
        #expect(reported { test.finish() }.map { $0.text.prefix(18) } == ["The action Shown()"])
    }

    @Test func `a chain may be longer if the store is created for it`() {
        let answering = Effect { actions in
            actions.ofType(Ping.self).prefix(15_000).map { _ in Ping() }.eraseActionType()
        }
        let test = TestStore(state: 0) { setup in
            Store(
                reducer: on(Ping.self) { count, _ in count += 1 }, initialState: 0, effects: [answering],
                executor: setup.executor, maximumChain: 20_000, trace: setup.trace)
        }
        test.send(Ping()) { $0 = 1 }
        test.skip()
        test.finish()
        #expect(test.state == 15_001)
    }
}
