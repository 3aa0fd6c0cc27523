import Foundation

/// What a test was told of an issue.
struct Seen: Sendable {
    var text: String
    var comments: [String]
    var line: Int?
}

/// Issues in the order in which they were recorded.
final class IssueLog: @unchecked Sendable {
    // `@unchecked`: `storage` is touched between lock and unlock alone.
    private let lock = NSLock()
    private var storage: [Seen] = []

    var issues: [Seen] { lock.withLock { storage } }

    func append(_ issue: Seen) {
        lock.withLock { storage.append(issue) }
    }
}
