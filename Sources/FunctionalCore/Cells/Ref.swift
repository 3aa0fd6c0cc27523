import Synchronization

/// A cell that contains a value and protects it with a lock, for use by many threads.
///
/// ```swift
/// let visits = Ref(0)
/// visits.modify { $0 += 1 }
/// let wasFirst = visits.modify { count in
///     defer { count += 1 }
///     return count == 0
/// }
/// ```
///
/// Thread-safe. Every method is synchronous and holds the lock only while it runs. Keep the closures passed to
/// ``modify(_:)`` short, because they block the other threads. To use a cell in a program, access it in a closure:
/// `EnvIO { _ in visits.get() }`.
public final class Ref<Value: Sendable>: Sendable {
    private let content: Locked<Value>
    /// The thread that holds the lock, or 0. A thread compares this value only with its own identity, so relaxed
    /// ordering is enough.
    private let holder = Atomic<UInt>(0)

    /// Creates a cell that contains `value`.
    public init(_ value: Value) {
        content = Locked(value)
    }

    /// Changes the value in place, and returns the result of `change`.
    ///
    /// No other thread sees the value before `change` has ended. If `change` throws, the changes it made until then
    /// persist.
    ///
    /// `change` must not access the same cell: a nested access traps with a message. The call also traps if `change`
    /// releases an object whose deinitializer accesses the cell. ``set(_:)`` releases the old value after it has
    /// released the lock, so the deinitializer of that value may access the cell.
    public func modify<Result, Failure: Error>(
        _ change: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let thread = CurrentThread.identity
        if holder.load(ordering: .relaxed) == thread { cameBack() }
        return try content.withLock { value throws(Failure) in
            holder.store(thread, ordering: .relaxed)
            defer { holder.store(0, ordering: .relaxed) }
            return try change(&value)
        }
    }

    /// Returns the value.
    public func get() -> Value {
        modify { $0 }
    }

    /// Replaces the value by `newValue`.
    public func set(_ newValue: Value) {
        // The old value is released after the lock, because its deinitializer may access this cell.
        var newValue = newValue
        modify { swap(&$0, &newValue) }
    }

    @inline(never)
    private func cameBack() -> Never {
        programmerError(
            """
            \(Ref.self) was accessed while the same thread was modifying it. \
            To fix, use the argument of the closure passed to modify(_:), or access the cell after modify(_:) returns.
            """
        )
    }
}
