import FunctionalCore
import Testing

/// The text of a failure: what is wrong, and the lines that show it.
func report(_ problem: String, _ lines: [String]) -> String {
    ([problem + " (− expected, + got)"] + lines).joined(separator: "\n")
}

/// The lines of a value that was expected, and is not there.
func missing(_ value: Any) -> [String] {
    LineDiff.dump(value).map { "− " + $0 }
}

/// The lines of a value that is there.
func added(_ value: Any) -> [String] {
    LineDiff.dump(value).map { "+ " + $0 }
}

/// The difference of two lists whose order counts.
func orderedLines<Value>(_ expected: [Value], _ actual: [Value]) -> [String] {
    LineDiff(from: expected.flatMap(LineDiff.dump), to: actual.flatMap(LineDiff.dump)).lines
}

/// Makes an issue of each failure.
func record(_ failures: [String?], _ sourceLocation: SourceLocation) {
    for case let failure? in failures {
        Issue.record(Comment(rawValue: failure), sourceLocation: sourceLocation)
    }
}
