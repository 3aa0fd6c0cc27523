/// A value that is passed by its address, so that only what a function keeps of it is copied.
///
/// Invariant: the value exists, and does not change, until the call ends that receives this. The call keeps no copy of
/// this beyond its end.
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

/// Returns a value as one of the type `Same`, or `nil` if its own type is another one. Faster than a cast.
@inlinable
@inline(__always)
package func exactly<Value, Same>(_ value: Value, as type: Same.Type) -> Same? {
    guard Value.self == Same.self else { return nil }
    return unsafe withUnsafePointer(to: value) { address in
        unsafe UnsafeRawPointer(address).assumingMemoryBound(to: Same.self).pointee
    }
}

/// A reference to an object that does not count.
///
/// Unchecked: it is as `Sendable` as the object is.
///
/// Invariant: something else keeps the object alive while this is used. The user of this says what.
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

// Unchecked: it is a reference to an object that threads may share.
extension Unretained: @unchecked Sendable where Object: Sendable {}

/// Memory for one value, whose type only those who use the memory know: the environment of a run, the state of a `State`
/// program, or the value that a step passes to the next one.
///
/// Invariants:
/// - Who makes the memory keeps it until its last use, and lets one thread at a time change it.
/// - Who reads a value names the type with which it was stored. A program is composed only of programs for the same
///   state, each node that changes the environment pushes a node that restores it, and `Register` has a rule of its own.
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

    /// Calls `body` with the place of `value`, which is changed in place.
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

    /// Destroys the value.
    func clear<Value>(_: Value.Type) {
        unsafe address.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
    }

    /// Takes the value out of the memory.
    @inlinable
    @inline(__always)
    func take<Value>(as _: Value.Type = Value.self) -> Value {
        unsafe address.assumingMemoryBound(to: Value.self).move()
    }
}

/// An environment at an address that does not change. It exists as long as the box.
@usableFromInline
final class EnvironmentBox<Environment>: ManagedBuffer<Void, Environment> {
    /// The place of `environment`, and the box that keeps it alive.
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
