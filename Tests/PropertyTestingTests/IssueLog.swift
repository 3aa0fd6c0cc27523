import Foundation

/// The parts of a recorded issue that the tests check.
struct Seen: Sendable {
    var text: String
    var comments: [String]
    var line: Int?
}

/// Issues in the order in which they were recorded.
final class IssueLog: @unchecked Sendable {
    // Unchecked: `issues` and `append` access `storage` only while they hold `lock`. Without it, threads would race.
    private let lock = NSLock()
    private var storage: [Seen] = []

    var issues: [Seen] { lock.withLock { storage } }

    func append(_ issue: Seen) {
        lock.withLock { storage.append(issue) }
    }
}
