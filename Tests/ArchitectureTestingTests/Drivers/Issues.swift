import TestSupport
import Testing

/// Returns the texts of the issues that `body` records, and the lines at which they are reported.
func issues(_ body: () -> Void) -> (texts: [String], lines: [Int?]) {
    let issues = Record<Issue>()
    withKnownIssue {
        body()
    } matching: {
        issues.append($0)
        return true
    }
    return (issues.values.map { $0.comments.first?.rawValue ?? "" }, issues.values.map { $0.sourceLocation?.line })
}
