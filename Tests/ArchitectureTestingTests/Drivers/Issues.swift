import TestSupport
import Testing

/// An issue that a test driver has recorded.
struct ReportedIssue: Equatable, Sendable {
    let text: String
    let line: Int?
    var isWarning = false
}

extension ReportedIssue {
    init(_ issue: Issue) {
        #if compiler(>=6.3)
            let isWarning = issue.severity == .warning
        #else
            let isWarning = false
        #endif
        self.init(
            text: issue.comments.first?.rawValue ?? "", line: issue.sourceLocation?.line, isWarning: isWarning)
    }
}

/// Returns the issues that `body` records.
func reported(_ body: () -> Void) -> [ReportedIssue] {
    let issues = Record<ReportedIssue>()
    withKnownIssue {
        body()
    } matching: { issue in
        issues.append(ReportedIssue(issue))
        return true
    }
    return issues.values
}

/// Returns the issues that an asynchronous `body` records.
func asyncReported<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async -> Result
) async -> [ReportedIssue] {
    let issues = Record<ReportedIssue>()
    await withKnownIssue {
        _ = await body()
    } matching: { issue in
        issues.append(ReportedIssue(issue))
        return true
    }
    return issues.values
}

/// The issues that a closure on a line records.
struct IssuesOfLine {
    let issues: [ReportedIssue]
    let line: Int

    /// Expects exactly these texts, at the line of the closure or another one.
    func are(_ texts: String..., at line: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
        let expected = texts.map { ReportedIssue(text: $0, line: line ?? self.line) }
        #expect(issues == expected, sourceLocation: sourceLocation)
    }

    /// Expects exactly these texts at these lines.
    func are(at places: (line: Int, text: String)..., sourceLocation: SourceLocation = #_sourceLocation) {
        let expected = places.map { ReportedIssue(text: $0.text, line: $0.line) }
        #expect(issues == expected, sourceLocation: sourceLocation)
    }

    /// Expects exactly these warnings, at the line of the closure or another one.
    func areWarnings(_ texts: String..., at line: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
        #if compiler(>=6.3)
            let expected = texts.map { ReportedIssue(text: $0, line: line ?? self.line, isWarning: true) }
            #expect(issues == expected, sourceLocation: sourceLocation)
        #endif
    }
}

/// Runs a closure that is on one line.
func on(line: Int = #line, _ body: () -> Void) -> IssuesOfLine {
    IssuesOfLine(issues: reported(body), line: line)
}

/// Waits until the task is cancelled.
func waitForCancellation() async throws {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
    throw CancellationError()
}
