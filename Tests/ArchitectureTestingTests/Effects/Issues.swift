import TestSupport
import Testing

/// What the issues say that `body` makes, and the lines they are reported at.
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
