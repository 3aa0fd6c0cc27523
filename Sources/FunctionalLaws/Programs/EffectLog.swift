import Foundation

/// Where effects write what they do, in order, from any thread: two programs are the same when they end alike and their
/// logs are equal.
public final class EffectLog: @unchecked Sendable {
    // `@unchecked`: `storage` is touched between lock and unlock alone. `NSLock`, which the thread sanitizer understands
    // on every platform.
    private let lock = NSLock()
    private var storage: [String] = []

    /// A log without lines.
    public init() {}

    /// What was written so far.
    public var lines: [String] {
        lock.withLock { storage }
    }

    /// Writes one line.
    public func append(_ line: String) {
        lock.withLock { storage.append(line) }
    }
}
