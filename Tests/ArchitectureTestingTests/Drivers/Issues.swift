import TestSupport
import Testing

/// An issue that a test driver has recorded.
struct ReportedIssue: Equatable, Sendable {
    let text: String
    let line: Int?
    var isWarning = false
}

/// Returns the issues that `body` records.
func reported(_ body: () -> Void) -> [ReportedIssue] {
    let issues = Record<ReportedIssue>()
    withKnownIssue {
        body()
    } matching: { issue in
        #if compiler(>=6.3)
            let isWarning = issue.severity == .warning
        #else
            let isWarning = false
        #endif
        issues.append(
            ReportedIssue(
                text: issue.comments.first?.rawValue ?? "", line: issue.sourceLocation?.line, isWarning: isWarning))
        return true
    }
    return issues.values
}

/// Returns the texts of the issues that `body` records, and the lines at which they are reported.
func issues(_ body: () -> Void) -> (texts: [String], lines: [Int?]) {
    let issues = reported(body)
    return (issues.map(\.text), issues.map(\.line))
}

/// Waits until the task is cancelled.
func waitForCancellation() async throws {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
    throw CancellationError()
}
