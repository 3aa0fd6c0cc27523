/// The address of a value that a caller lends to a function. The function reads the value without a copy, and copies
/// only the parts that it keeps.
///
/// Invariant: the value exists and does not change until the function that receives the address returns. The function
/// does not keep the address.
@frozen
@safe
@usableFromInline
package struct Borrowed<Value> {
    @usableFromInline package let address: UnsafePointer<Value>

    @inlinable
    @inline(__always)
    package init(_ address: UnsafePointer<Value>) {
        unsafe self.address = unsafe address
    }

    @inlinable
    package var value: Value {
        @inline(__always) unsafeAddress { unsafe address }
    }

    /// Calls `body` with a value that exists until `body` returns.
    @inlinable
    @inline(__always)
    package static func with<Result>(_ value: Value, _ body: (Borrowed) -> Result) -> Result {
        unsafe withUnsafePointer(to: value) { unsafe body(Borrowed($0)) }
    }
}

/// Returns `value` as a `Same` if `Value` and `Same` are the same type, and `nil` otherwise. Comparing the static types
/// is faster than a cast.
@inlinable
@inline(__always)
package func exactly<Value, Same>(_ value: Value, as type: Same.Type) -> Same? {
    guard Value.self == Same.self else { return nil }
    return unsafe withUnsafePointer(to: value) { address in
        unsafe UnsafeRawPointer(address).assumingMemoryBound(to: Same.self).pointee
    }
}

/// A reference that does not retain its object.
///
/// It is `Sendable` if the object is.
///
/// Invariant: another reference keeps the object alive while this one is used. The code that uses it documents which.
@frozen
@safe
@usableFromInline
package struct Unretained<Object: AnyObject> {
    @usableFromInline let reference: Unmanaged<Object>

    @inlinable
    @inline(__always)
    package init(_ object: Object) {
        unsafe reference = .passUnretained(object)
    }

    @inline(__always)
    init(_ reference: Unmanaged<Object>) {
        unsafe self.reference = unsafe reference
    }

    /// Calls `body` with the object, which is not retained for the call.
    @inlinable
    @inline(__always)
    package func with<Result>(_ body: (Object) -> Result) -> Result {
        unsafe reference._withUnsafeGuaranteedRef(body)
    }
}

// Unchecked: the object is `Sendable`, so threads may share a reference to it.
extension Unretained: @unchecked Sendable where Object: Sendable {}

/// Memory for one value: the environment of a run, the state of a `State` program, or the value that a step passes to
/// the next one. Only the code that uses the memory knows the type of the value.
///
/// Invariants:
/// - The owner of the memory keeps it until its last use, and only one thread at a time changes the value.
/// - A value is read as the type with which it was stored. This holds for a state, because a program is composed only
///   of programs for the same state. It holds for an environment, because each node that changes the environment pushes
///   a node that restores it. `Register` documents its own rule.
@frozen
@safe
@usableFromInline
package struct Place {
    @usableFromInline package let address: UnsafeMutableRawPointer

    @inlinable
    @inline(__always)
    init(_ address: UnsafeMutableRawPointer) {
        unsafe self.address = unsafe address
    }

    /// Calls `body` with the place of `value`. `body` may change the value in place.
    @inlinable
    @inline(__always)
    static func with<Value, Result>(_ value: inout Value, _ body: (Place) -> Result) -> Result {
        unsafe withUnsafeMutablePointer(to: &value) { unsafe body(Place($0)) }
    }

    /// The value, in place.
    @inlinable
    subscript<Value>(_: Value.Type) -> Value {
        @inline(__always) unsafeAddress { unsafe UnsafePointer(address.assumingMemoryBound(to: Value.self)) }
        @inline(__always) nonmutating unsafeMutableAddress { unsafe address.assumingMemoryBound(to: Value.self) }
    }

    /// Stores a value in memory that contains none.
    @inlinable
    @inline(__always)
    func put<Value>(_ value: consuming Value) {
        unsafe address.initializeMemory(as: Value.self, to: value)
    }

    /// Destroys the value, which leaves the memory empty.
    func clear<Value>(_: Value.Type) {
        unsafe address.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
    }

    /// Moves the value out of the memory, which leaves the memory empty.
    @inlinable
    @inline(__always)
    func take<Value>(as _: Value.Type = Value.self) -> Value {
        unsafe address.assumingMemoryBound(to: Value.self).move()
    }
}

/// A box that stores an environment. The address of the environment does not change while the box exists.
@usableFromInline
final class EnvironmentBox<Environment>: ManagedBuffer<Void, Environment> {
    /// Returns a new box that stores `environment`, and the place of the environment. The place is valid while the box
    /// exists.
    @inlinable
    static func make(_ environment: Environment) -> (place: Place, box: AnyObject) {
        let box = create(minimumCapacity: 1) { _ in }
        let place = unsafe box.withUnsafeMutablePointerToElements { elements in
            unsafe elements.initialize(to: environment)
            return unsafe Place(elements)
        }
        return (place, box)
    }

    @inlinable
    deinit {
        _ = unsafe withUnsafeMutablePointerToElements { unsafe $0.deinitialize(count: 1) }
    }
}
