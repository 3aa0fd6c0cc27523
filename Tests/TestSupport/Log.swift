import Foundation

/// Lines in the order in which tasks and threads wrote them.
///
/// With `NSLock`, which the thread sanitizer understands on every platform.
public final class Log: @unchecked Sendable {
    // `@unchecked`: `storage` is touched between lock and unlock alone.
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
