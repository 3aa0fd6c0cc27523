import FunctionalCore

/// The words in which a driver speaks about its owner.
struct DriverWords {
    /// What comes in: "input".
    let message: String
    /// What is named as a cause that no message of the test is: "the component".
    let outside: String
}

/// The texts of the failures of a driver.
enum DriverText {
    static func differentState(_ lines: [String]) -> String { ArchitectureTesting.report("The state differs", lines) }

    static var closureChangesNothing: String {
        "The closure states no change, and the state has not changed. To fix, remove the closure."
    }

    static func skippedChange(_ lines: [String]) -> String {
        ArchitectureTesting.report("Skipped. The state has changed more than the test states", lines)
    }

    static func beforeSending(_ words: DriverWords, _ message: any Sendable) -> String {
        "before \(message) was sent"
    }

    static func atTheEnd(_ words: DriverWords) -> String { "before the end of the test" }

    static func unstated(
        _ words: DriverWords, _ message: TraceValue?, _ subject: String, _ changes: [String], _ moment: String
    ) -> String {
        let moment = moment.isEmpty ? "" : " " + moment
        if let message {
            let lines = changes.isEmpty ? "" : "\n" + changes.joined(separator: "\n")
            return """
                The \(words.message) \(message) came, and was not received\(moment). \
                To fix, receive it, or relax .messages.\(lines)
                """
        }
        return ArchitectureTesting.report(
            "\(subject) has changed the state, and the test has not stated it\(moment). "
                + "To fix, state it with change(from:), or relax .state", changes)
    }

    static func nothingCame(_ words: DriverWords, _ expected: String, waiting: [String]) -> String {
        let reason = waiting.isEmpty ? ["No work is under way."] : waiting
        return (["No \(words.message) came. Expected: \(expected)"] + reason).joined(separator: "\n")
    }

    static func changeCameFirst(_ words: DriverWords, _ expected: String, _ subject: String) -> String {
        """
        Expected the \(words.message) \(expected), but a change came first, which \(subject) has caused. \
        To fix, state it with change(from:).
        """
    }

    static func differentMessage(_ words: DriverWords, _ lines: [String]) -> String {
        ArchitectureTesting.report("Received a different \(words.message)", lines)
    }

    static func noChange(_ sent: Sent, waiting: [String]) -> String {
        let reason = waiting.isEmpty ? ["No work of it is under way."] : waiting
        return (["\(sent.message) has made no further change."] + reason).joined(separator: "\n")
    }

    static func messageCameFirst(_ words: DriverWords, _ sent: Sent, _ message: TraceValue) -> String {
        """
        Expected a change from \(sent.message), but the \(words.message) \(message) came first. \
        To fix, receive it.
        """
    }

    static func otherChange(_ sent: Sent, _ subject: String) -> String {
        "Expected a change from \(sent.message), but the next change is one from \(subject)."
    }

    static func differentWork(
        _ sent: Sent, _ expected: [WorkStatus], _ actual: [WorkStatus], now: Duration
    ) -> String {
        ArchitectureTesting.report(
            "The work of \(sent.message) differs, now \(now.text)",
            LineDiff(from: expected.map(\.description), to: actual.map(\.description)).lines)
    }

    static func waits(_ work: RunningWork, now: Duration) -> String {
        switch work.status {
        case .sleeping(let time): "\(work.subject) sleeps until \(time.text), now \(now.text)."
        case .waiting:
            "\(work.subject) waits for something outside virtual time, such as a continuation or a sequence."
        }
    }

    static func leftover(_ work: RunningWork, now: Duration, _ words: DriverWords) -> String {
        let remedy =
            switch work.status {
            case .sleeping(let time): "advance(by: \((time - now).code)), cancel it, or relax .work."
            case .waiting: "let it end, cancel it, or relax .work."
            }
        return "Work is under way at the end of the test: \(waits(work, now: now)) To fix, \(remedy)"
    }

    static func failed(_ error: TraceValue) -> String {
        "Work has failed: \(error). To fix, state it with expectFailure, or relax .work."
    }

    static func noFailure<Failure>(of type: Failure.Type, _ others: [String]) -> String {
        (["No work has failed with an error of the type \(type)."] + others.map { "Another failure: \($0)" })
            .joined(separator: "\n")
    }

    static func unstatedEffects(_ effects: [any Sendable], of message: any Sendable) -> String {
        (["The effects of \(message) were not stated. To fix, state them with effects(…), or relax .work."]
            + effects.flatMap(added)).joined(separator: "\n")
    }

    static func endless(_ count: Int) -> String {
        """
        \(count) jobs have run, and more are ready: some work goes on without end and without sleeping. To fix, let it \
        sleep on the clock of the driver, or send only when something has changed.
        """
    }
}
