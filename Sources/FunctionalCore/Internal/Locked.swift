/// A value that only one thread at a time reaches.
///
/// ```swift
/// let count = Locked(0)
/// count.withLock { $0 += 1 }
/// ```
///
/// It is the only lock of the package. A copy of the struct is the same lock. The value and the lock lie in one object,
/// which frees both; the idea is from Swift Async Algorithms. What `withLock` removes from the value should be released
/// after the call: its `deinit` may run code that takes the same lock.
///
/// Unchecked: the value is accessed under the lock alone.
@frozen
@usableFromInline
package struct Locked<Value>: @unchecked Sendable {
    @usableFromInline let storage: LockedStorage<Value>

    @usableFromInline
    package init(_ value: Value) {
        storage = .make(value)
    }

    /// Calls `body` with the value, while no other thread reaches it.
    @inlinable
    @inline(__always)
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock()
        defer { unlock() }
        return try storage.withUnsafeMutablePointerToHeader { try body(&$0.pointee) }
    }

    /// The address of the value, which stays the same.
    ///
    /// Unsafe: the caller sees to it that no thread writes there while another one accesses the value.
    @inlinable
    @inline(__always)
    package var address: UnsafeMutablePointer<Value> {
        storage.withUnsafeMutablePointerToHeader { $0 }
    }

    /// Takes the lock, without the value. The caller unlocks it.
    @inlinable
    package func lock() {
        storage.withUnsafeMutablePointerToElements { LockPrimitive.lock($0) }
    }

    /// Takes the lock if no thread has it. Returns whether it was taken.
    @inlinable
    package func tryLock() -> Bool {
        storage.withUnsafeMutablePointerToElements { LockPrimitive.tryLock($0) }
    }

    @inlinable
    package func unlock() {
        storage.withUnsafeMutablePointerToElements { LockPrimitive.unlock($0) }
    }
}

extension Locked where Value == Void {
    /// A lock for fields that the compiler cannot keep inside of it, such as those of an object that is read in place.
    @usableFromInline
    package init() {
        self.init(())
    }

    /// Calls `body` while no other thread has the lock.
    @inlinable
    @inline(__always)
    package func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock()
        defer { unlock() }
        return try body()
    }
}

/// The value of a `Locked`, followed by its lock.
@usableFromInline
final class LockedStorage<Value>: ManagedBuffer<Value, LockPrimitive> {
    static func make(_ value: Value) -> LockedStorage {
        let storage = create(minimumCapacity: 1) { _ in value }
        storage.withUnsafeMutablePointerToElements { LockPrimitive.initialize($0) }
        return unsafeDowncast(storage, to: LockedStorage.self)
    }

    deinit {
        withUnsafeMutablePointerToElements { LockPrimitive.deinitialize($0) }
    }
}
