import Foundation

/// A value that only one thread at a time accesses.
///
/// Uses `NSLock`, because the thread sanitizer does not know `Synchronization.Mutex` on Linux. It would report races
/// that do not exist.
public final class Guarded<Value>: @unchecked Sendable {
    // Unchecked: only `withLock` accesses `value`, and it holds `lock`. Any other access could be a race.
    private let lock = NSLock()
    private var value: Value

    public init(_ value: Value) {
        self.value = value
    }

    /// Calls `body` with exclusive access to the value, and returns its result.
    public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
