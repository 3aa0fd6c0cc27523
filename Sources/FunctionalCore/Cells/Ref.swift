import Synchronization

/// A value that many threads change, one at a time.
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
/// Any thread; every method is synchronous and waits for a few instructions at most, as long as what is given to
/// ``modify(_:)`` is short. In a program it is used in a closure: `EnvIO { _ in visits.get() }`.
///
/// Unchecked: `content` is touched between lock and unlock alone.
public final class Ref<Value: Sendable>: @unchecked Sendable {
    private let lock = Lock()
    /// The thread that has the lock, or 0. Each thread asks about itself alone, so that no order is needed.
    private let holder = Atomic<UInt>(0)
    private var content: Value

    /// A cell with `value` in it.
    public init(_ value: Value) {
        content = value
    }

    deinit { lock.free() }

    /// Changes the value in place, and returns what `change` returns. Nobody sees the value before `change` has ended;
    /// where it throws, what it has changed until then stays.
    ///
    /// A `change` that comes back to the same cell is a mistake that stops the process with a message; so does the
    /// deinitialiser of an object that the change lets go of. ``set(_:)`` lets go of the old value afterwards.
    public func modify<Result, Failure: Error>(
        _ change: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let thread = CurrentThread.identity
        if holder.load(ordering: .relaxed) == thread { cameBack() }
        lock.lock()
        holder.store(thread, ordering: .relaxed)
        defer {
            holder.store(0, ordering: .relaxed)
            lock.unlock()
        }
        return try change(&content)
    }

    /// The value.
    public func get() -> Value {
        modify { $0 }
    }

    /// Puts `newValue` in the old one's place.
    public func set(_ newValue: Value) {
        // The old value goes away when the lock is open again: its deinitialiser may come back here.
        var newValue = newValue
        modify { swap(&$0, &newValue) }
    }

    @inline(never)
    private func cameBack() -> Never {
        fault(
            """
            \(Ref.self) was used by a closure that is changing it. \
            To fix, take what the closure needs of it from its argument, or do it after the change.
            """
        )
    }
}
