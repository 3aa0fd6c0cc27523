import FunctionalCore
/// The reason why a property does not hold, with the smallest counterexample that was found.
///
/// The report of a failing test contains the ``details``:
///
/// ```
/// falsified for: [50, 100, 100]
///     first seen as: [24, 18, 16, 57, 35, 2, 16, 33, 62, 4] (case 5 of 100, 35 shrinks in 555 tries)
///     replay: @Test(.replay("t6av1qkxm5v8-5"))
/// ```
public struct Falsified: Sendable, CustomStringConvertible {
    /// The reason why a property fails.
    public enum Reason: Sendable {
        /// The body failed for an input.
        case failed(any Error)
        /// The body failed for an input, and passed when the same input was tried again. If the first failing input has
        /// passed, it was not shrunk.
        case flaky(any Error)
        /// Too many inputs were discarded, or no input was tried. `ran` is the number of inputs that passed, and
        /// `discarded` is the number of inputs that were discarded.
        case discarded(ran: Int, discarded: Int)
        /// The body failed after its task was cancelled. No input is known to fail.
        case cancelled
        /// All inputs passed, but too few cases had the required labels. Each text is about one label that was too
        /// rare. It contains the label, the number of cases with the label, and the required share.
        case notCovered([String])
    }

    /// The reason why the property fails.
    public let reason: Reason
    /// The smallest failing input that was found, as text, or `nil` if no input failed.
    ///
    /// A text of more than 500 characters is cut off. It then ends with the number of the characters that are left out.
    public internal(set) var counterexample: String?
    /// The input that failed first, as text. Like the ``counterexample``, a text of more than 500 characters is cut
    /// off.
    ///
    /// `nil` if no input failed, or if the failing input is one of the `examples`. Examples are not shrunk.
    public internal(set) var firstSeen: String?
    /// The case that failed, and the numbers of shrinks and tries, as text.
    ///
    /// A try is an attempt to find a smaller failing input. A shrink is a try that succeeds. The number of the case
    /// counts neither examples nor discarded inputs. A replayed case has no number. If a limit or the cancellation of
    /// the task has ended the search before all tries were made, the text says so. Smaller inputs may then fail.
    ///
    /// `nil` if no input failed, or if the failing input is one of the `examples`.
    public internal(set) var history: String?
    /// The value that replays the failing case.
    ///
    /// `nil` if no input failed, or if the failing input is one of the `examples`.
    public internal(set) var replay: Replay?
    /// For each label, the percentage of the cases that had it, and the number of these cases, as text. `nil` if the
    /// body uses no labels.
    public internal(set) var labels: String?

    init(reason: Reason) {
        self.reason = reason
    }

    /// The error that the body threw, as text, or a description of the reason if the property failed without an error.
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

    /// The counterexample, its origin, the replay line and the labels, as a few lines of text without ``message``.
    public var details: String {
        var lines: [String] = []
        if let counterexample { lines.append("falsified for: \(counterexample)") }
        if case .flaky = reason { lines.append("    flaky: the input passed when it was tried again") }
        if let firstSeen, let history { lines.append("    first seen as: \(firstSeen) (\(history))") }
        if let replay { lines.append("    replay: @Test(.replay(\"\(replay)\"))") }
        if let labels { lines.append("    labels: \(labels)") }
        return lines.joined(separator: "\n")
    }

    /// The ``message``, followed by the ``details``.
    public var description: String {
        details.isEmpty ? message : message + "\n" + details
    }
}

/// Returns the text of a value in a counterexample.
package func described(_ value: Any) -> String {
    Printed.excerpt(of: value)
}
