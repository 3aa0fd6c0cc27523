import FunctionalCore

/// A thread-safe log to which effects write what they do.
///
/// The laws compare dispatchers by their outcomes and their logs.
public final class EffectLog: Sendable {
    private let storage = Locked<[String]>([])

    /// Creates an empty log.
    public init() {}

    /// The lines in the order in which they were appended.
    public var lines: [String] {
        storage.withLock { $0 }
    }

    /// Appends one line.
    public func append(_ line: String) {
        storage.withLock { $0.append(line) }
    }
}
