import Foundation

/// A value that only one thread at a time accesses.
///
/// Uses `NSLock`, because the thread sanitizer does not know `Synchronization.Mutex` on Linux. It would report races
/// that do not exist.
public final class Guarded<Value>: @unchecked Sendable {
    // Unchecked: only `withLock` accesses `storage`, and it holds `lock`. Any other access could be a race.
    private let lock = NSLock()
    private var storage: Value

    public init(_ value: Value) {
        storage = value
    }

    /// The value. A change that depends on the old value needs `withLock`.
    ///
    /// The setter releases the old value after the lock, because a deinitializer may use this object.
    public var value: Value {
        get { withLock { $0 } }
        set {
            var value = newValue
            withLock { swap(&$0, &value) }
        }
    }

    /// Calls `body` with exclusive access to the value, and returns its result.
    public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&storage)
    }
}

extension Guarded where Value == Int {
    /// Adds one, and returns the sum.
    @discardableResult
    public func increment() -> Int {
        withLock { number in
            number += 1
            return number
        }
    }
}
