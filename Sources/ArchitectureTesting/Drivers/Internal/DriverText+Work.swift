import FunctionalCore

// The texts about work, time and effects.
extension DriverText {
    static func nothing(
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
        let sentence = text.hasSuffix(".") ? String(text.dropLast()) : text
        return .init(
            axis: .work, problem: error is AbsentChild ? sentence : "\(work) has failed: \(sentence)",
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
}
