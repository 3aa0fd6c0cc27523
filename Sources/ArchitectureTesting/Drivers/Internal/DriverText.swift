import FunctionalCore

/// The words for the owner of a driver in the texts of issues.
struct DriverWords {
    /// The name of a message, such as "input".
    let message: String
    /// The name of the owner, such as "the component". It also stands for a cause that is not a message.
    let outside: String
    /// The name of a work that lasts as long as its owner, such as "subscription".
    var permanent = "subscription"
    /// Whether a message may become another one, or none, before it is processed.
    var isTransforming = false
    /// Returns the name of a work, given its subject and the message that caused it.
    var work: (_ subject: String, _ message: String) -> String = { subject, _ in subject }

    /// The name of a task that nothing in the trace has started.
    var foreignTask: String { "A task that no \(message) has started" }
}

/// Something that a test has not stated: a failure, or a warning if its axis is relaxed.
struct DriverFinding {
    let axis: TestAxes
    let problem: String
    let remedy: String
    var lines: [String] = []

    var failure: String {
        let remedy = "To fix, \(remedy), or relax \(axis.name)."
        return lines.isEmpty ? "\(problem). \(remedy)" : "\(text)\n\(remedy)"
    }

    var warning: String { "Skipped, because \(axis.name) is relaxed. " + (lines.isEmpty ? "\(problem)." : text) }

    private var text: String { ArchitectureTesting.report(problem, lines) }
}

extension TestAxes {
    /// The name of a single axis, as in code.
    fileprivate var name: String {
        switch self {
        case .state: ".state"
        case .messages: ".messages"
        case .work: ".work"
        default: ".calls"
        }
    }
}

/// The texts of the failures of a driver.
enum DriverText {
    // MARK: - Other threads

    static var interrupted: String {
        """
        While the driver ran the jobs before this statement, another thread continued work or sent a message. So the \
        result of the statement depends on that thread. To fix, wait for it: await test.eventually { … }.
        """
    }

    static var severalStatements: String {
        "The closure of eventually makes several statements. To fix, call eventually once for each statement."
    }

    static var noStatement: String {
        """
        The closure of eventually makes no statement with this driver. To fix, make one that waits: change, receive, \
        expectCall, expectWork, expectFailure or finish.
        """
    }

    static var givenUp: String { "The task was cancelled while eventually waited. " }

    // MARK: - Messages

    static func beforeSending(_ message: any Sendable) -> String { "before \(message) was sent" }

    static var atTheEnd: String { "before the end of the test" }

    static var afterFinish: String { "between finish() and the end of the test" }

    static func nested(_ words: DriverWords) -> String {
        """
        The driver was called by code that it runs, such as an observer or an effect. To fix, call it in the test itself, \
        and let such code call \(words.outside).
        """
    }

    static func notProcessed(_ words: DriverWords, _ message: any Sendable) -> String {
        if words.isTransforming {
            return """
                \(message) was sent, and a transformer of \(words.outside) has dropped or delayed it. To fix, pass it to \
                the method dispatchEvent of \(words.outside), and receive what comes of it.
                """
        }
        return """
            \(message) was sent, and \(words.outside) has not processed it: \(words.outside) has ended, or another thread \
            uses it. To fix, send before the end, and from one thread.
            """
    }

    static func sentAfterTheEnd(_ words: DriverWords, _ message: any Sendable) -> String {
        "\(message) was sent after the end of \(words.outside). To fix, send it before, or create another driver."
    }

    static func unstated(
        _ words: DriverWords, _ message: TraceValue?, _ subject: String, _ lines: [String], _ moment: String
    ) -> DriverFinding {
        let moment = moment.isEmpty ? "" : " " + moment
        if let message {
            return .init(
                axis: .messages, problem: "The \(words.message) \(message) came, and was not received\(moment)",
                remedy: "receive it", lines: lines)
        }
        return .init(
            axis: .state, problem: "The work of \(subject) has changed the state, which was not stated\(moment)",
            remedy: "state it with change(from:)", lines: lines)
    }

    /// Returns the finding for further messages or changes that were not stated, of which only the number is reported.
    static func more(_ words: DriverWords, _ count: Int, _ axis: TestAxes, _ moment: String) -> DriverFinding {
        let moment = moment.isEmpty ? "" : " " + moment
        if axis == .messages {
            return .init(
                axis: axis, problem: "\(count) more \(words.message)s came, and were not received\(moment)",
                remedy: "receive them")
        }
        return .init(
            axis: axis, problem: "\(count) more changes of the state were not stated\(moment)",
            remedy: "state them with change(from:)")
    }

    static func nothingCame(
        _ words: DriverWords, _ expected: String, waiting: [RunningWork], now: Duration
    ) -> String {
        nothing(
            "No \(words.message) came. Expected: \(expected)", waiting, "No work is under way.", now,
            remedy: "let the code under test send it before, or remove the expectation")
    }

    static func changeCameFirst(_ words: DriverWords, _ expected: String, _ subject: String) -> String {
        """
        Expected the \(words.message) \(expected), but the work of \(subject) has changed the state before. \
        To fix, state the change with change(from:).
        """
    }

    static func differentMessage(_ words: DriverWords, _ lines: [String]) -> String {
        failure(
            "Received a different \(words.message)", lines,
            "receive the \(words.message) that came, or correct the code that sends it")
    }

    static func noChange(_ sent: Sent, waiting: [RunningWork], now: Duration) -> String {
        nothing(
            "\(sent.message) has made no further change.", waiting, "No work of it is under way.", now,
            remedy: "let the work change the state before, or remove the expectation")
    }

    static func messageCameFirst(_ words: DriverWords, _ sent: Sent, _ message: TraceValue) -> String {
        """
        Expected a change from \(sent.message), but the \(words.message) \(message) came first. \
        To fix, receive it.
        """
    }

    static func otherChange(_ sent: Sent, _ subject: String) -> String {
        """
        Expected a change from \(sent.message), but the next change is one from \(subject). \
        To fix, state the changes in the order in which they were made.
        """
    }

    static func ofAnotherDriver(_ sent: Sent) -> String {
        "\(sent.message) was sent with another driver. To fix, call this method of that driver."
    }

    static func notCancellable(_ sent: Sent) -> String {
        "\(sent.message) was not sent by the test, so there is no handle to cancel it. To fix, cancel a sent input."
    }

    // MARK: - Work

    private static func nothing(
        _ problem: String, _ waiting: [RunningWork], _ reason: String, _ now: Duration, remedy: String
    ) -> String {
        let deadlines = waiting.compactMap { work in
            if case .sleeping(let deadline) = work.status { deadline } else { nil }
        }
        let remedy =
            deadlines.min().map { "advance(by: \(($0 - now).code)) before" } ?? otherClockRemedy(waiting) ?? remedy
        let lines = waiting.isEmpty ? [reason] : waiting.map { waits($0, now: now) }
        return ([problem] + lines + ["To fix, \(remedy)."]).joined(separator: "\n")
    }

    /// Returns the remedy for a work that sleeps on another clock than the driver's, or `nil` if there is no such work.
    private static func otherClockRemedy(_ running: [RunningWork]) -> String? {
        running.contains { $0.clock != nil } ? useOfTheClock : nil
    }

    private static var useOfTheClock: String { "pass it the clock of the driver" }

    static func differentWork(
        _ sent: Sent, _ expected: [WorkStatus], _ running: [RunningWork], now: Duration
    ) -> String {
        let actual = running.map(\.status).sorted()
        let clocks = running.filter { $0.clock != nil }.map { waits($0, now: now) }
        // An empty list has a line, too, because the difference shows nothing of a list without lines.
        func lines(_ statuses: [WorkStatus]) -> [String] { statuses.isEmpty ? ["none"] : statuses.map(\.description) }
        return failure(
            "The work of \(sent.message) differs, now \(now.text)",
            LineDiff(from: lines(expected), to: lines(actual)).lines + clocks,
            otherClockRemedy(running)
                ?? "expect \(actual.isEmpty ? "no work" : listed(actual)), or correct the code that starts the work")
    }

    static func waits(_ work: RunningWork, now: Duration) -> String {
        if let clock = work.clock {
            return "\(work.subject) sleeps on a clock that the driver does not advance: \(clock)."
        }
        return switch work.status {
        case .sleeping(let time): "\(work.subject) sleeps until \(time.text), now \(now.text)."
        case .waiting where work.isQueued:
            "\(work.subject) waits until earlier work of its policy has ended."
        case .waiting:
            """
            \(work.subject) waits for something that no advance of the clock ends, such as a continuation, a sequence, \
            the main actor, or a detached task. To wait for another thread, make the statement in eventually.
            """
        }
    }

    static func leftover(_ work: RunningWork, now: Duration) -> DriverFinding {
        let remedy =
            switch work.status {
            case .sleeping(let time): "advance(by: \((time - now).code)), cancel it"
            case .waiting where work.clock != nil: "\(useOfTheClock), cancel it"
            case .waiting: "let it end, cancel it"
            }
        let text = afterColon(waits(work, now: now).dropLast())
        return .init(axis: .work, problem: "Work is under way at the end of the test: \(text)", remedy: remedy)
    }

    /// Returns a sentence for its use after a colon, where the article of a name has a small letter.
    private static func afterColon(_ sentence: some StringProtocol) -> String {
        let article = ["The ", "A "].first { sentence.hasPrefix($0) } ?? ""
        return article.lowercased() + sentence.dropFirst(article.count)
    }

    static func failed(_ words: DriverWords, _ permanent: TraceValue?, _ error: any Sendable) -> DriverFinding {
        let work = permanent.map { "The \(words.permanent) \($0)" } ?? "Work"
        // The texts of some errors are sentences, whose period would be doubled.
        let text = "\(error)"
        return .init(
            axis: .work, problem: "\(work) has failed: \(text.hasSuffix(".") ? String(text.dropLast()) : text)",
            remedy: "state it with expectFailure")
    }

    static func noFailure<Failure>(
        of type: Failure.Type, _ others: [String], waiting: [RunningWork], now: Duration
    ) -> String {
        let problem = "No work has failed with an error of the type \(type)."
        let lines = [problem] + others.map { "Another failure: \($0)" }
        return nothing(
            lines.joined(separator: "\n"), waiting, "No work is under way.", now,
            remedy: (others.isEmpty ? "" : "expect its type, ") + "let the work fail before, or remove the expectation")
    }

    static var noEffectsToState: String {
        """
        No event was stated whose effects have not been stated. To fix, state the effects once, after the send or the \
        receive of the event.
        """
    }

    static func differentEffects(of message: any Sendable, _ lines: [String]) -> String {
        failure("The effects of \(message) differ", lines, "state the effects that it has, or correct the update")
    }

    static func unstatedEffects(_ effects: [any Sendable], of message: any Sendable) -> DriverFinding {
        .init(
            axis: .work, problem: "The effects of \(message) were not stated", remedy: "state them with effects(…)",
            lines: effects.flatMap(added))
    }

    /// Returns the text of the failure for jobs that become ready without end.
    ///
    /// - Parameter cancelled: The name of a cancelled work that continues to sleep, or `nil` if there is none.
    static func endless(_ count: Int, cancelled: String? = nil) -> String {
        let problem = "\(count) jobs have run, and more are ready: "
        if let cancelled {
            return problem + """
                \(afterColon(cancelled)) was cancelled, and goes on without end, because it ignores the errors of its \
                sleeps. To fix, end the loop when the task is cancelled: call try await instead of try? await, or check \
                Task.isCancelled.
                """
        }
        return problem + """
            some work goes on without end and without sleeping. To fix, let it sleep on the clock of the driver, or send \
            only when something has changed.
            """
    }

    /// Returns the text of the failure for an effect that sleeps again and again, and emits no action.
    static func silent(_ count: Int) -> String {
        """
        Time has advanced to \(count) deadlines, and the effect has emitted no action meanwhile. To fix, let the effect emit \
        an action, or expect fewer actions.
        """
    }

    static func negative(_ duration: Duration) -> String {
        """
        advance(by: \(duration.code)) has no effect, because time does not go back. To fix, pass a duration that is not \
        negative.
        """
    }

    // MARK: - Environment

    static func unexpected(_ call: RecordedCall) -> DriverFinding {
        .init(axis: .calls, problem: "The call \(call) was not expected", remedy: call.expectation)
    }

    static var noRecorder: String { "The driver has no recorder. To fix, create it with calls: recorder." }

    static func withoutTrace(_ name: String) -> String {
        "The \(name) does not have the trace of the driver. To fix, create it with trace: setup.trace."
    }

    static func otherInitialState(_ name: String, _ lines: [String]) -> String {
        failure("The \(name) was created with another state than the driver", lines, "create both with the same state")
    }

    static func withoutExecutor(_ name: String) -> String {
        "The \(name) does not have the executor of the driver. To fix, create it with executor: setup.executor."
    }
}
