import Testing

/// The text of a failure: what is wrong, and the lines that show it.
func report(_ problem: String, _ lines: [String]) -> String {
    ([problem + " (− expected, + got)"] + lines).joined(separator: "\n")
}

/// Makes an issue of each failure.
func record(_ failures: [String?], _ sourceLocation: SourceLocation) {
    for case let failure? in failures {
        Issue.record(Comment(rawValue: failure), sourceLocation: sourceLocation)
    }
}
