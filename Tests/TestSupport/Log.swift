import Foundation

/// Lines in the order in which tasks and threads wrote them.
///
/// Uses `NSLock`, which the thread sanitizer supports on every platform.
public final class Log: @unchecked Sendable {
    // Unchecked: `lines` and `append` access `storage` only under `lock`. Any other access could be a race.
    private let lock = NSLock()
    private var storage: [String] = []

    public init() {}

    public var lines: [String] {
        lock.withLock { storage }
    }

    public func append(_ line: String) {
        lock.withLock { storage.append(line) }
    }
}
