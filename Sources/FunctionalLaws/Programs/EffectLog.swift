import VirtualTime

/// Where effects write what they do, in order, from any thread: two programs are the same when they end alike and their
/// logs are equal.
public final class EffectLog: Sendable {
    private let storage = Lock<[String]>([])

    /// A log without lines.
    public init() {}

    /// What was written so far.
    public var lines: [String] {
        storage.withLock { $0 }
    }

    /// Writes one line.
    public func append(_ line: String) {
        storage.withLock { $0.append(line) }
    }
}
