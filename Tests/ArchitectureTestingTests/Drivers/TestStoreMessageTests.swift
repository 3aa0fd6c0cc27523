import ArchitectureTesting
import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// The messages of a failing test store: the whole text, the line and the severity.
@Suite(.timeLimit(.minutes(10))) struct TestStoreMessageTests {
    private let time = VirtualScheduler()

    private func store(_ effects: Effect<Void>..., relaxing axes: TestAxes = []) -> TestStore<Posts> {
        TestStore(reducer: posts, state: Posts(), effects: effects, time: time, relaxing: axes)
    }

    /// The issues with the names of effects instead of their places.
    private func named(_ issues: [ReportedIssue]) -> [ReportedIssue] {
        issues.map { issue in
            let text = issue.text.replacing(/ArchitectureTestingTests\/\w+\.swift:\d+/, with: "FILE:LINE")
            return ReportedIssue(text: text, line: issue.line, isWarning: issue.isWarning)
        }
    }

    @Test("72. An unexpected state records an issue with the difference at the line of the send")
    func anotherState() {
        let test = store()
        let line = #line + 2
        let issues = reported {
            test.send(GetPost())
        }
        #expect(
            issues == [
                ReportedIssue(
                    text: """
                        The state after GetPost(id: "1") differs (− expected, + got)
                          ▿ ArchitectureTestingTests.Posts
                        −   - isLoading: false
                        +   - isLoading: true
                            - title: nil
                        To fix, state the change in a closure, or relax .state.
                        """, line: line)
            ])
        #expect(test.state == Posts(isLoading: true))
    }

    @Test(
        "72. Unreceived actions record issues at the next send and, at the end, at the line of the send that caused them"
    )
    func notReceived() {
        let test = store(answering)
        test.send(GetPost()) { $0.isLoading = true }
        let line = #line + 2
        let issues = reported {
            test.send(GetPost(id: "2")) { $0.isLoading = true }
            test.finish()
        }
        func text(_ action: String, _ moment: String, _ lines: String = "") -> String {
            let separator = lines.isEmpty ? ". " : " (− expected, + got)\n\(lines)\n"
            return """
                The action \(action) came, and was not received before \(moment)\(separator)\
                To fix, receive it, or relax .messages.
                """
        }
        func lines(_ old: String, _ new: String) -> String {
            """
              ▿ ArchitectureTestingTests.Posts
            −   - isLoading: true
            −   \(old)
            +   - isLoading: false
            +   ▿ title: Optional("post \(new)")
            +     - some: "post \(new)"
            """
        }
        #expect(
            issues.map(\.text).map { $0.prefix(70) }
                == [
                    text("GotPost(title: \"post 1\")", "GetPost(id: \"2\") was sent", lines("- title: nil", "1")),
                    text("Shown()", "GetPost(id: \"2\") was sent"),
                    text("GotPost(title: \"post 2\")", "the end of the test", lines("", "2")),
                    text("Shown()", "the end of the test"),
                ].map { $0.prefix(70) })
        #expect(issues.map(\.line) == [line, line, line, line])
    }

    @Test("72. Each action that is received out of order records an issue")
    func anotherAction() {
        let both = Effect { actions in
            actions.ofType(GetPost.self)
                .flatMap { _ in .sequence([GotPost(title: "a"), Shown()] as [any Action]) }
        }
        let test = store(both)
        test.send(GetPost()) { $0.isLoading = true }
        let line = #line + 2
        let issues = reported {
            test.receive(Shown()) { $0 = Posts(title: "a") }
            test.receive(GotPost(title: "a"))
        }
        #expect(
            issues == [
                ReportedIssue(
                    text: """
                        Received a different action (− expected, + got)
                        − - ArchitectureTestingTests.Shown
                        + ▿ ArchitectureTestingTests.GotPost
                        +   - title: "a"
                        To fix, receive the action that came, or correct the code that sends it.
                        """, line: line),
                ReportedIssue(
                    text: """
                        Received a different action (− expected, + got)
                        − ▿ ArchitectureTestingTests.GotPost
                        −   - title: "a"
                        + - ArchitectureTestingTests.Shown
                        To fix, receive the action that came, or correct the code that sends it.
                        """, line: line + 1),
            ])
        test.finish()
    }

    @Test("72. Receiving an action that no effect has sent records an issue that says what is under way")
    func nothingCame() {
        let test = store(fetching(time.clock))
        let idle = reported { test.receive(Shown()) }
        #expect(
            idle.map(\.text) == [
                """
                No action came. Expected: Shown()
                No work is under way.
                To fix, let the code under test send it before, or remove the expectation.
                """
            ])
        test.send(GetPost(id: "5")) { $0.isLoading = true }
        test.advance(by: .seconds(0.3))
        let busy = reported { test.receive(GotPost.self) }
        #expect(
            named(busy).map(\.text) == [
                """
                No action came. Expected: one of the type GotPost
                The request of FILE:LINE for GetPost(id: "5") sleeps until 1.0 s, now 0.3 s.
                To fix, advance(by: .seconds(0.7)) before.
                """
            ])
        test.advance(by: .seconds(1))
        test.receive(GotPost.self) { $0 = Posts(title: "post 5") }
    }

    @Test("72. A request that is under way at the end records an issue that names the effect at the line of the send")
    func underWay() {
        let test = store(fetching(time.clock))
        let line = #line + 1
        test.send(GetPost()) { $0.isLoading = true }
        test.advance(by: .seconds(0.3))
        #expect(
            named(reported { test.finish() }) == [
                ReportedIssue(
                    text: """
                        Work is under way at the end of the test: The request of FILE:LINE for GetPost(id: "1") sleeps \
                        until 1.0 s, now 0.3 s. To fix, advance(by: .seconds(0.7)), cancel it, or relax .work.
                        """, line: line)
            ])
    }

    @Test("72. An action that a policy delays is work under way")
    func delayedByPolicy() {
        let test = store(
            Effect { [time] actions in
                actions.ofType(GetPost.self).debounce(for: .seconds(1), clock: time.clock).map { _ in Shown() }
                    .eraseActionType()
            })
        test.send(GetPost(id: "1")) { $0.isLoading = true }
        test.advance(by: .seconds(0.5))
        let line = #line + 1
        test.send(GetPost(id: "2"))
        #expect(
            named(reported { test.finish() }) == [
                ReportedIssue(
                    text: """
                        Work is under way at the end of the test: The pause of FILE:LINE for GetPost(id: "2") sleeps until \
                        1.5 s, now 0.5 s. To fix, advance(by: .seconds(1)), cancel it, or relax .work.
                        """, line: line)
            ])
        test.advance(by: .seconds(1))
        test.receive(Shown())
        test.finish()
    }

    @Test("72. An endless stream records an issue at the line that registered it unless its registration is cancelled")
    func endless() {
        let test = store()
        let line = #line + 1
        let ticking = test.register(
            Effect { [clock = time.clock] _ in
                ActionStream(of: {
                    AsyncStream {
                        try? await clock.sleep(for: .seconds(1))
                        return Task.isCancelled ? nil : Shown()
                    }
                }).eraseActionType()
            })
        test.advance(by: .seconds(2))
        test.receive(Shown())
        test.receive(Shown())
        #expect(
            named(reported { test.finish() }) == [
                ReportedIssue(
                    text: """
                        Work is under way at the end of the test: The sequence of FILE:LINE sleeps until 3.0 s, now 2.0 s. \
                        To fix, advance(by: .seconds(1)), cancel it, or relax .work.
                        """, line: line)
            ])
        ticking.cancel()
        test.finish()
    }

    @Test("72. A request that waits for something outside of virtual time records an issue that says so")
    func neverEnding() {
        let (never, continuation) = AsyncStream.makeStream(of: Void.self)
        let test = store(
            .map(GetPost.self) { _ in
                for await _ in never {}
                return Shown()
            })
        test.send(GetPost()) { $0.isLoading = true }
        let texts = named(reported { test.finish() }).map(\.text)
        #expect(texts.count == 1)
        #expect(texts.first?.contains("The request of FILE:LINE for GetPost(id: \"1\") waits for something") == true)
        continuation.finish()
        test.receive(Shown())
    }

    @Test("72. A failure of an effect records one issue at the line of the send, whether it fails at once or later")
    func failing() {
        for isLater in [false, true] {
            let test = store(
                .map(GetPost.self) { [time] _ -> Shown in
                    if isLater { try await time.clock.sleep(for: .seconds(1)) }
                    throw Unreachable()
                })
            let line = #line + 1
            test.send(GetPost()) { $0.isLoading = true }
            test.advance(by: .seconds(1))
            #expect(
                named(reported { test.finish() }) == [
                    ReportedIssue(
                        text: """
                            The effect FILE:LINE has failed: Unreachable(). To fix, state it with expectFailure, \
                            or relax .work.
                            """, line: line)
                ])
        }
        let synchronous = store(
            Effect { actions in
                actions.ofType(GetPost.self).tryMap { _ -> Shown in throw Unreachable() }.eraseActionType()
            })
        let line = #line + 1
        synchronous.send(GetPost()) { $0.isLoading = true }
        #expect(reported { synchronous.finish() }.map(\.line) == [line])
        #expect(
            reported { _ = synchronous.expectFailure(Unreachable.self) }.map(\.text) == [
                """
                No work has failed with an error of the type Unreachable.
                No work is under way.
                To fix, let the work fail before, or remove the expectation.
                """
            ])
    }

    @Test("72. Releasing a store with unreceived actions records an issue at the line of the send")
    func released() {
        let line = #line + 3
        let issues = reported {
            let test = TestStore(reducer: posts, state: Posts(), effects: [answering])
            test.send(GetPost()) { $0.isLoading = true }
        }
        #expect(
            issues.map { $0.text.prefix(44) } == [
                "The action GotPost(title: \"post 1\") came, an", "The action Shown() came, and was not receive",
            ])
        #expect(issues.map(\.line) == [line, line])
    }

    @Test("A relaxed axis records a warning for what the test does not state")
    func relaxed() {
        let test = store(answering, fetching(time.clock), relaxing: [.messages, .work, .state])
        let issues = named(
            reported {
                test.send(GetPost(id: "1"))
                test.receive(Shown())
                test.finish()
            })
        #expect(issues.allSatisfy { $0.isWarning })
        #expect(
            issues.map { $0.text.prefix(60) } == [
                "Skipped, because .state is relaxed. The state after GetPost(",
                "Skipped, because .messages is relaxed. The action GotPost(ti",
                "Skipped, because .work is relaxed. Work is under way at the ",
            ])
    }

    @Test("A store without the trace or the executor of the driver records an issue where the driver is created")
    func setup() {
        let line = #line + 2
        let issues = reported {
            let test = TestStore(state: Posts()) { _ in Store(reducer: posts, initialState: Posts()) }
            test.finish()
        }
        #expect(
            issues == [
                ReportedIssue(
                    text: "The store does not have the trace of the driver. To fix, create it with trace: setup.trace.",
                    line: line),
                ReportedIssue(
                    text: """
                        The store does not have the executor of the driver. To fix, create it with executor: \
                        setup.executor.
                        """, line: line),
            ])
    }
}
