import ArchitectureTesting
import FunctionalCore
import Loop
import Optics
import TestSupport
import Testing
import VirtualTime

/// The whole text of each issue that a driver of loops records, its line, and whether it is a warning.
@Suite(.timeLimit(.minutes(10))) struct TestLoopGoldenTests {
    private let reader = ReaderTest()

    /// The issues that a closure on a line records.
    private func on(line: Int = #line, _ body: () -> Void) -> (issues: [ReportedIssue], line: Int) {
        (reported(body), line)
    }

    /// Expects that the issues have these texts, at the line of the closure or another one.
    private func check(
        _ actual: (issues: [ReportedIssue], line: Int), _ expected: String..., at line: Int? = nil,
        isWarning: Bool = false
    ) {
        #if compiler(<6.3)
            if isWarning { return }
        #endif
        let expected = expected.map { ReportedIssue(text: $0, line: line ?? actual.line, isWarning: isWarning) }
        #expect(actual.issues == expected)
    }

    // MARK: - Models and events

    @Test func `another model`() {
        let test = reader.driver()
        check(
            on { test.send(.answered(1)) { $0.count = 2 } },
            """
            The state after answered(1) differs (− expected, + got)
              ▿ ArchitectureTestingTests.Reader
                - title: "empty"
            −   - count: 2
            +   - count: 1
            To fix, correct the closure, or the code that changes the state.
            """)
        #expect(test.state == Reader(count: 1))
    }

    @Test func `no event, with what is under way`() {
        let test = reader.driver { [reader] in $0.withEventSource(PlayingSource(time: reader.time)) }
        test.send(.open(1)) { $0.title = "loading" }
        test.effects(.load(1))
        test.expectCall("load", 1)
        test.send(.ask)
        test.effects(.ask)
        check(
            on { test.receive(.loaded("post 1")) },
            """
            No event came. Expected: loaded("post 1")
            PlayingSource waits for something that no advance of the clock ends, such as a continuation, a \
            sequence, the main actor, or a detached task.
            The effect load(1) of open(1) sleeps until 1.0 s, now 0.0 s.
            The effect ask of ask waits for something that no advance of the clock ends, such as a continuation, a \
            sequence, the main actor, or a detached task.
            To fix, advance(by: .seconds(1)) before.
            """)
        test.dispose()
        check(
            on { test.receive(.touch) },
            """
            No event came. Expected: touch
            No work is under way.
            To fix, let the code under test send it before, or remove the expectation.
            """)
        test.finish()
    }

    @Test func `another event`() {
        let test = reader.driver()
        test.send(.both(1))
        test.effects(.echo(1), .echo(2))
        check(
            on { test.receive(.echoed(3)) { $0.count = 1 } },
            """
            Received a different event (− expected, + got)
              ▿ ArchitectureTestingTests.ReaderEvent.echoed
            −   - echoed: 3
            +   - echoed: 1
            To fix, receive the event that came, or correct the code that sends it.
            """)
        check(
            on { test.receive(ReaderEvent.prism(for: ReaderEvent.loaded)) { $0.count = 3 } },
            """
            Received a different event (− expected, + got)
            − one that the prism matches
            + ▿ ArchitectureTestingTests.ReaderEvent.echoed
            +   - echoed: 2
            To fix, receive the event that came, or correct the code that sends it.
            """)
        test.send(.echo(1))
        test.effects(.echo(1))
        check(
            on { test.receive(where: { $0 == .touch }) { $0.count = 4 } },
            """
            Received a different event (− expected, + got)
            − one that satisfies the predicate
            + ▿ ArchitectureTestingTests.ReaderEvent.echoed
            +   - echoed: 1
            To fix, receive the event that came, or correct the code that sends it.
            """)
        test.finish()
    }

    @Test func `an event that is not received before the next one, and at the end`() {
        let test = reader.driver()
        test.send(.echo(1))
        test.effects(.echo(1))
        check(
            on { test.send(.touch) },
            """
            The event echoed(1) came, and was not received before touch was sent (− expected, + got)
              ▿ ArchitectureTestingTests.Reader
                - title: "empty"
            −   - count: 0
            +   - count: 1
            To fix, receive it, or relax .messages.
            """)
        let line = #line + 1
        test.send(.echo(1))
        test.effects(.echo(1))
        check(
            on { test.finish() },
            """
            The event echoed(1) came, and was not received before the end of the test (− expected, + got)
              ▿ ArchitectureTestingTests.Reader
                - title: "empty"
            −   - count: 1
            +   - count: 2
            To fix, receive it, or relax .messages.
            """, at: line)
    }

    @Test func `many events that are not received`() {
        let test = reader.driver()
        for number in 1...22 { test.loop.dispatchEvent(.answered(number)) }
        let (issues, line) = on { test.send(.touch) }
        #expect(issues.count == 21)
        check(
            (Array(issues.suffix(1)), line),
            """
            2 more events came, and were not received before touch was sent. To fix, receive them, or relax .messages.
            """)
        test.finish()
    }

    @Test func `an event of the event source belongs to the line of the driver`() {
        let line = #line + 1
        let test = reader.driver { [reader] in $0.withEventSource { reader.ticks() } }
        test.advance(by: .seconds(1))
        check(
            on { test.finish() },
            """
            The event tick came, and was not received before the end of the test (− expected, + got)
              ▿ ArchitectureTestingTests.Reader
                - title: "empty"
            −   - count: 0
            +   - count: 1
            To fix, receive it, or relax .messages.
            """, at: line)
    }

    // MARK: - Effects

    @Test func `other effects`() {
        let test = reader.driver()
        test.send(.both(1))
        check(
            on { test.effects(.echo(1), .load(3), .echo(4)) },
            """
            The effects of both(1) differ (− expected, + got)
            − ▿ ArchitectureTestingTests.ReaderEffect.load
            −   - load: 3
              ▿ ArchitectureTestingTests.ReaderEffect.echo
            −   - echo: 4
            +   - echo: 2
            To fix, state the effects that it has, or correct the update.
            """)
        test.receive(.echoed(1)) { $0.count = 1 }
        check(
            on { test.effects(.echo(1)) },
            """
            The effects of echoed(1) differ (− expected, + got)
            − ▿ ArchitectureTestingTests.ReaderEffect.echo
            −   - echo: 1
            To fix, state the effects that it has, or correct the update.
            """)
        test.receive(.echoed(2)) { $0.count = 3 }
        test.send(.echo(1))
        check(
            on { test.effects() },
            """
            The effects of echo(1) differ (− expected, + got)
            + ▿ ArchitectureTestingTests.ReaderEffect.echo
            +   - echo: 1
            To fix, state the effects that it has, or correct the update.
            """)
        test.receive(.echoed(1)) { $0.count = 4 }
        test.finish()
    }

    @Test func `effects that are not stated`() {
        let test = reader.driver()
        test.send(.both(1))
        check(
            on { test.receive(.echoed(1)) { $0.count = 1 } },
            """
            The effects of both(1) were not stated (− expected, + got)
            + ▿ ArchitectureTestingTests.ReaderEffect.echo
            +   - echo: 1
            + ▿ ArchitectureTestingTests.ReaderEffect.echo
            +   - echo: 2
            To fix, state them with effects(…), or relax .work.
            """)
        test.receive(.echoed(2)) { $0.count = 3 }
        let line = #line + 1
        test.send(.quit)
        check(
            on { test.finish() },
            """
            The effects of quit were not stated (− expected, + got)
            + - ArchitectureTestingTests.ReaderEffect.quit
            To fix, state them with effects(…), or relax .work.
            """, at: line)
    }

    @Test func `effects that are stated twice, or before an event`() {
        let test = reader.driver()
        check(
            on { test.effects() },
            """
            No event was stated whose effects have not been stated. To fix, state the effects once, after the \
            send or the receive of the event.
            """)
        test.send(.quit)
        test.effects(.quit)
        check(
            on { test.effects(.quit) },
            """
            No event was stated whose effects have not been stated. To fix, state the effects once, after the \
            send or the receive of the event.
            """)
        check(
            on { #expect(test.takeEffects() == []) },
            """
            No event was stated whose effects have not been stated. To fix, state the effects once, after the \
            send or the receive of the event.
            """)
        test.finish()
    }

    // MARK: - Work and calls

    @Test func `work that is left over`() {
        let test = reader.driver()
        let line = #line + 1
        let sent = test.send(.open(5)) { $0.title = "loading" }
        test.effects(.load(5))
        test.expectCall("load", 5)
        test.advance(by: .seconds(0.3))
        check(
            on { test.expectWork(sent) },
            """
            The work of open(5) differs, now 0.3 s (− expected, + got)
            − none
            + .sleeping(until: .seconds(1))
            To fix, expect .sleeping(until: .seconds(1)), or correct the code that starts the work.
            """)
        check(
            on { test.finish() },
            """
            Work is under way at the end of the test: The effect load(5) of open(5) sleeps until 1.0 s, now 0.3 s. To \
            fix, advance(by: .seconds(0.7)), cancel it, or relax .work.
            """, at: line)
        test.advance(by: .seconds(0.7))
        test.receive(.loaded("post 5")) { $0.title = "post 5" }
        let later = #line + 1
        test.send(.stall)
        test.effects(.stall)
        check(
            on { test.finish() },
            """
            Work is under way at the end of the test: The effect stall of stall waits for something that no advance of \
            the clock ends, such as a continuation, a sequence, the main actor, or a detached task. To fix, let \
            it end, cancel it, or relax .work.
            """, at: later)
        test.dispose()
        test.finish()
    }

    @Test func `a debounced effect that is left over, and one of the first effects`() {
        let test = reader.driver()
        let line = #line + 1
        test.send(.search("s"))
        test.effects(.search("s"))
        check(
            on { test.finish() },
            """
            Work is under way at the end of the test: The effect search("s") of search("s") sleeps until 1.0 s, now 0.0 s. \
            To fix, advance(by: .seconds(1)), cancel it, or relax .work.
            """, at: line)
        test.dispose()
        let beginning = #line + 1
        let other = reader.driver(effects: [.stall])
        check(
            on { other.finish() },
            """
            Work is under way at the end of the test: The effect stall of the loop waits for something that no advance \
            of the clock ends, such as a continuation, a sequence, the main actor, or a detached task. To fix, \
            let it end, cancel it, or relax .work.
            """, at: beginning)
        other.dispose()
    }

    @Test func `a failure that is not stated`() {
        let test = reader.driver()
        let line = #line + 1
        test.send(.fail)
        test.effects(.fail)
        check(
            on { test.finish() },
            """
            Work has failed: Offline(). To fix, state it with expectFailure, or relax .work.
            """, at: line)
        check(
            on { test.expectFailure(Offline.self) },
            """
            No work has failed with an error of the type Offline.
            No work is under way.
            To fix, let the work fail before, or remove the expectation.
            """)
    }

    @Test func `an event source that fails`() {
        let line = #line + 1
        let test = reader.driver { [reader] in $0.withEventSource { reader.brokenTicks() } }
        test.advance(by: .seconds(1))
        test.receive(.tick) { $0.count = 1 }
        check(
            on { test.finish() },
            """
            The event source AsyncThrowingStream<ReaderEvent, Error> has failed: Offline(). To fix, state it with \
            expectFailure, or relax .work.
            """, at: line)
    }

    @Test func `a first effect that a policy delays`() {
        let line = #line + 1
        let test = reader.driver(effects: [.search("s")])
        check(
            on { test.finish() },
            """
            Work is under way at the end of the test: The effect search("s") of the loop sleeps until 1.0 s, now 0.0 s. To \
            fix, advance(by: .seconds(1)), cancel it, or relax .work.
            """, at: line)
        test.advance(by: .seconds(1))
        test.receive(.found("s")) { $0.title = "s" }
        test.finish()
    }

    @Test func `a chain without end`() {
        let echoes = Mobius.loop(
            update: Update<Int, Int, Int> { count, _ in .next(count + 1, effects: [1]) },
            effectHandler: EffectRouter<Int, Int>().routeEffects(withParameters: { $0 }).toEvent { $0 })
        let line = #line + 1
        let test = TestLoop(echoes.withMaximumChain(20), from: 0)
        test.loop.dispatchEvent(1)
        test.axes = .work
        let issues = reported { test.finish() }.filter { !$0.isWarning }
        #expect(
            issues == [
                ReportedIssue(
                    text: """
                        The effect handler of MobiusLoop<Int, Int, Int> answers its own messages without end, and was \
                        stopped after 20 of them: 1 → 1 → 1 → 1 → 1 → 1 → 1 → 1 → 1 → 1 → 1 → 1 → 1 → 1 → 1 → 1. To fix, \
                        let it send only when something has changed, or raise the maximum chain if a chain of this length \
                        is intended.
                        """, line: line)
            ])
    }

    @Test func `a call that is not expected, and one without a stub`() {
        let test = reader.driver()
        let line = #line + 1
        test.send(.open(5)) { $0.title = "loading" }
        test.effects(.load(5))
        test.advance(by: .seconds(1))
        test.receive(.loaded("post 5")) { $0.title = "post 5" }
        check(
            on { test.finish() },
            """
            The call load(5) was not expected. To fix, expectCall("load", 5), or relax .calls.
            """, at: line)
        check(
            on { test.send(.delete(1)) },
            """
            delete(1) was called, but delete is unstubbed.
            To fix, create the function with stub("delete") { … }, or do not call it.
            """)
        test.effects(.delete(1))
        // The call was reported, so its error is no failure of its own.
        test.finish()
    }

    // MARK: - Beginnings and ends

    @Test func `what initiate does, and is not stated`() {
        let initiate: Initiate<Reader, ReaderEffect> = { First(model: Reader(title: $0.title + "!"), effects: [.ask]) }
        check(
            on { _ = TestLoop(reader.builder, from: Reader(), initiate: initiate) },
            """
            The state after initiate differs (− expected, + got)
              ▿ ArchitectureTestingTests.Reader
            −   - title: "empty"
            +   - title: "empty!"
                - count: 0
            To fix, state the change in a closure, or relax .state.
            """,
            """
            The effects of initiate were not stated (− expected, + got)
            + - ArchitectureTestingTests.ReaderEffect.ask
            To fix, state them with effects(…), or relax .work.
            """,
            """
            Work is under way at the end of the test: The effect ask of the loop waits for something that no advance \
            of the clock ends, such as a continuation, a sequence, the main actor, or a detached task. To fix, \
            let it end, cancel it, or relax .work.
            """)
    }

    @Test func `an event that is sent after the end`() {
        let test = reader.driver()
        test.dispose()
        check(
            on { test.send(.touch) },
            """
            touch was sent after the end of the loop. To fix, send it before, or create another driver.
            """)
        test.finish()
    }

    @Test func `an event that a transformer drops`() {
        let test = reader.driver { $0.withEventConsumerTransformer { _ in { _ in } } }
        check(
            on { test.send(.touch) },
            """
            touch was sent, and a transformer of the loop has dropped or delayed it. To fix, pass it to the \
            method dispatchEvent of the loop, and receive what comes of it.
            """)
        test.finish()
    }

    // MARK: - Relaxed axes

    @Test func `relaxed axes are warnings`() {
        let test = reader.driver(relaxing: .all)
        test.send(.both(1))
        check(
            on { test.effects(.echo(2)) },
            """
            Skipped, because .work is relaxed. The effects of both(1) were not stated (− expected, + got)
            + ▿ ArchitectureTestingTests.ReaderEffect.echo
            +   - echo: 1
            """, isWarning: true)
        check(
            on { test.receive(.echoed(2)) },
            """
            Skipped, because .messages is relaxed. The event echoed(1) came, and was not received.
            """,
            """
            Skipped, because .state is relaxed. The state after echoed(2) was not stated in full.
            """, isWarning: true)
        check(
            on { test.effects(.echo(2)) },
            """
            The effects of echoed(2) differ (− expected, + got)
            − ▿ ArchitectureTestingTests.ReaderEffect.echo
            −   - echo: 2
            To fix, state the effects that it has, or correct the update.
            """)
        let line = #line + 1
        test.send(.open(5)) { $0.title = "loading" }
        check(
            on { test.finish() },
            """
            Skipped, because .work is relaxed. The effects of open(5) were not stated (− expected, + got)
            + ▿ ArchitectureTestingTests.ReaderEffect.load
            +   - load: 5
            """,
            """
            Skipped, because .work is relaxed. Work is under way at the end of the test: The effect load(5) of open(5) \
            sleeps until 1.0 s, now 0.0 s.
            """,
            """
            Skipped, because .calls is relaxed. The call load(5) was not expected.
            """, at: line, isWarning: true)
    }

    @Test func `a driver that is not finished is checked when it is deallocated`() {
        let line = #line + 1
        let reports = on { withExtendedLifetime(reader.driver()) { $0.loop.dispatchEvent(.touch) } }
        check(
            reports,
            """
            The event touch came, and was not received before the end of the test. To fix, receive it, or relax .messages.
            """, at: line)
    }
}
