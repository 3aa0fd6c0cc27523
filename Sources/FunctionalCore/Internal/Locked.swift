/// A value that one thread at a time accesses.
///
/// ```swift
/// let count = Locked(0)
/// count.withLock { $0 += 1 }
/// ```
///
/// This is the only lock of the package. A copy of the struct denotes the same lock and the same value. Both are in one
/// object, as in Swift Async Algorithms.
///
/// No code of the user may run under a lock, because such code may take the same lock: no closure, `==`, `hash(into:)`
/// or `deinit`. So return objects that `withLock` removes from the value: they are then released after the call. To
/// look up keys of the user, use `KeyTable`. The exceptions are the transition of a state, `Ref.modify(_:)` and
/// `RecursiveLock`, which document what such code may do.
@frozen
@usableFromInline
// Unchecked: the value is accessed only while the lock is held, or through `unlocked`, which states its own condition.
package struct Locked<Value>: @unchecked Sendable {
    @usableFromInline let storage: LockedStorage<Value>

    // Inlinable, so that a client looks up the metadata of the storage once. Unspecialized code does this in each call.
    @inlinable
    package init(_ value: Value) {
        storage = .make(value)
    }

    /// Calls `body` with the value, while the lock is held.
    @inlinable
    @inline(__always)
    package func withLock<Result, Failure>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try unsafe storage.withUnsafeMutablePointerToHeader { header throws(Failure) in
            try unsafe body(&header.pointee)
        }
    }

    /// The value, in place, without the lock.
    ///
    /// Invariant: no thread changes the value while another thread accesses it. The caller ensures this: one thread at
    /// a time is allowed to change the value, and changes it under the lock. Only that thread reads the value without
    /// the lock.
    @inlinable
    package var unlocked: Value {
        @inline(__always) unsafeAddress { unsafe UnsafePointer(address) }
        @inline(__always) nonmutating unsafeMutableAddress { unsafe address }
    }

    /// The address of the value, for passing the value without a copy. The invariant of `unlocked` applies.
    @inlinable
    @inline(__always)
    package var borrowed: Borrowed<Value> { unsafe Borrowed(UnsafePointer(address)) }

    @inlinable
    @inline(__always)
    var address: UnsafeMutablePointer<Value> {
        unsafe storage.withUnsafeMutablePointerToHeader { unsafe $0 }
    }

    /// Takes the lock. The caller must call `unlock()`.
    @inlinable
    package func lock() {
        unsafe storage.withUnsafeMutablePointerToElements { unsafe LockPrimitive.lock($0) }
    }

    /// Takes the lock if it is free. Returns whether it was taken.
    @inlinable
    package func tryLock() -> Bool {
        unsafe storage.withUnsafeMutablePointerToElements { unsafe LockPrimitive.tryLock($0) }
    }

    @inlinable
    package func unlock() {
        unsafe storage.withUnsafeMutablePointerToElements { unsafe LockPrimitive.unlock($0) }
    }
}

extension Locked where Value == Void {
    /// Creates a lock for values that are stored elsewhere.
    @inlinable
    package init() {
        self.init(())
    }

    /// Calls `body` while the lock is held.
    @inlinable
    @inline(__always)
    package func withLock<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }
}

/// The value of a `Locked`, followed by its lock.
@usableFromInline
final class LockedStorage<Value>: ManagedBuffer<Value, LockPrimitive> {
    @inlinable
    static func make(_ value: Value) -> LockedStorage {
        let storage = create(minimumCapacity: 1) { _ in value }
        unsafe storage.withUnsafeMutablePointerToElements { unsafe LockPrimitive.initialize($0) }
        // Unchecked: `create` of a subclass makes an instance of that subclass.
        return unsafe unsafeDowncast(storage, to: LockedStorage.self)
    }

    deinit {
        unsafe withUnsafeMutablePointerToElements { unsafe LockPrimitive.deinitialize($0) }
    }
}
