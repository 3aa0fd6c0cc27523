import FunctionalCore
import Testing

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

    static func neverFinished(_ place: SourceLocation) -> String {
        """
        \(place): The end of a test was not checked, because the driver still exists when the process exits. To fix, call \
        finish() at the end of the test, or capture the driver weakly in the closure that keeps it alive, such as an \
        observer.
        """
    }

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

    /// Returns the finding for messages or changes that were not stated. `names` are the messages, or what has caused the
    /// changes.
    static func unstated(
        _ words: DriverWords, _ axis: TestAxes, _ names: some Collection<String>, _ lines: [String], _ moment: String
    ) -> DriverFinding {
        let (moment, isOne) = (moment.isEmpty ? "" : " " + moment, names.count == 1)
        let text = listed(names)
        if axis == .messages {
            return .init(
                axis: axis,
                problem: isOne
                    ? "The \(words.message) \(text) came, and was not received\(moment)"
                    : "\(names.count) \(words.message)s came, and were not received\(moment): \(text)",
                remedy: isOne ? "receive it" : "receive them in this order", lines: lines)
        }
        return .init(
            axis: axis,
            problem: isOne
                ? "The work of \(text) has changed the state, which was not stated\(moment)"
                : "\(names.count) changes of the state were not stated\(moment), made by the work of \(text)",
            remedy: isOne ? "state it with change(from:)" : "state them with change(from:) in this order", lines: lines)
    }

    static func nothingCame(
        _ words: DriverWords, _ expected: String, waiting: [RunningWork], now: Duration
    ) -> String {
        nothing(
            "No \(words.message) came. Expected: \(expected)", waiting, "No work is under way.", now,
            remedy: "let the code under test send it before, or remove the expectation")
    }

    /// Returns the text of the failure for messages and changes that came before an expected one, or instead of it.
    static func cameBefore(_ expected: String, _ names: [String]) -> String {
        "Expected \(expected), but first came: \(listed(names)). To fix, state first what came first, in this order."
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

    static func ofAnotherDriver(_ sent: Sent) -> String {
        "\(sent.message) was sent with another driver. To fix, call this method of that driver."
    }

    static func notCancellable(_ sent: Sent) -> String {
        "\(sent.message) was not sent by the test, so there is no handle to cancel it. To fix, cancel a sent input."
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
