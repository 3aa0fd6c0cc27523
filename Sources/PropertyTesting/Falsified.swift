/// Why a property does not hold, with the smallest input that was found.
///
/// It prints as what a failing test shows:
///
/// ```
/// falsified for: [50, 100, 100]
///     first seen as: [24, 18, 16, 57, 35, 2, 16, 33, 62, 4] (case 5 of 100, 35 shrinks in 555 tries)
///     replay: @Test(.replay("t6av1qkxm5v8-5"))
/// ```
public struct Falsified: Sendable, CustomStringConvertible {
    /// What was wrong.
    public enum Reason: Sendable {
        /// The body failed for an input.
        case failed(any Error)
        /// The body failed for an input, and did not when that was tried again.
        case flaky(any Error)
        /// Too few inputs were left to try.
        case discarded(ran: Int, discarded: Int)
        /// The body failed in a task that was cancelled.
        case cancelled
        /// All inputs passed, and these labels were given too seldom.
        case notCovered([String])
    }

    /// What was wrong.
    public let reason: Reason
    /// The smallest input that fails, as text; of a text that is longer than 500 characters the beginning, and how many
    /// are left out.
    public internal(set) var counterexample: String?
    /// The input that failed first, as text that ends as that of ``counterexample`` does.
    public internal(set) var firstSeen: String?
    /// Where the input came from and how it was made smaller.
    public internal(set) var history: String?
    /// The line that tries the same case again; `nil` for an example.
    public internal(set) var replay: Replay?
    /// How many of the cases had which label, if any had one.
    public internal(set) var labels: String?

    init(reason: Reason) {
        self.reason = reason
    }

    /// What the body threw, as text, or what else was wrong.
    public var message: String {
        switch reason {
        case .failed(let error as Unmet), .flaky(let error as Unmet): error.description
        case .failed(let error), .flaky(let error): Printed.excerpt(of: error)
        case .discarded(let ran, let discarded):
            """
            Gave up: \(discarded) inputs were discarded and \(ran) tried. To fix, generate valid inputs instead of \
            discarding invalid ones.
            """
        case .cancelled:
            "Cancelled: the task was cancelled before all inputs were tried. No input is known to fail."
        case .notCovered(let labels):
            "Too few cases with " + labels.joined(separator: ", and with ") + "."
        }
    }

    /// The input and where it came from, in a few lines, without ``message``.
    public var details: String {
        var lines: [String] = []
        if let counterexample { lines.append("falsified for: \(counterexample)") }
        if case .flaky = reason { lines.append("    flaky: the input passed when it was tried again") }
        if let firstSeen, let history { lines.append("    first seen as: \(firstSeen) (\(history))") }
        if let replay { lines.append("    replay: @Test(.replay(\"\(replay)\"))") }
        if let labels { lines.append("    labels: \(labels)") }
        return lines.joined(separator: "\n")
    }

    /// ``message``, and then ``details``.
    public var description: String {
        details.isEmpty ? message : message + "\n" + details
    }
}
