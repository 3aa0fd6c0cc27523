import FunctionalCore
import Testing

/// Returns the text of a failure: the problem, and the lines that show it.
func report(_ problem: String, _ lines: [String]) -> String {
    ([problem + " (− expected, + got)"] + LineDiff.excerpt(lines)).joined(separator: "\n")
}

/// Returns the lines of an expected value that is missing, each with a minus sign.
func missing(_ value: Any) -> [String] {
    ValueDump.lines(of: value).map { "− " + $0 }
}

/// Returns the lines of an actual value, each with a plus sign.
func added(_ value: Any) -> [String] {
    ValueDump.lines(of: value).map { "+ " + $0 }
}

/// Returns the lines of the difference of two lists whose order counts.
func orderedLines<Value>(_ expected: [Value], _ actual: [Value]) -> [String] {
    LineDiff(from: expected.flatMap(ValueDump.lines), to: actual.flatMap(ValueDump.lines)).lines
}

/// Records an issue for each failure that is not `nil`.
func record(_ failures: [String?], _ sourceLocation: SourceLocation) {
    for case let failure? in failures {
        Issue.record(Comment(rawValue: failure), sourceLocation: sourceLocation)
    }
}
