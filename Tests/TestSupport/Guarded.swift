import Foundation

/// A value that one thread at a time reaches.
///
/// With `NSLock`: the thread sanitizer does not know `Synchronization.Mutex` on Linux, and reports races that are none.
public final class Guarded<Value>: @unchecked Sendable {
    // Unchecked: `value` is touched between lock and unlock alone.
    private let lock = NSLock()
    private var value: Value

    public init(_ value: Value) {
        self.value = value
    }

    /// Calls `body` with the value, for it alone.
    public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
