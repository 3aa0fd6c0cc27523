/// A value that is passed by its address, so that only what a function keeps of it is copied.
///
/// Invariant: the value exists, and nobody changes it, until the call ends that receives this. The call keeps no copy of
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
    return unsafe withUnsafePointer(to: value) { unsafe UnsafeRawPointer($0).assumingMemoryBound(to: Same.self).pointee }
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

extension Unretained: @unchecked Sendable where Object: Sendable {}

/// The address of the environment of a run, or of the state of a `State` program.
///
/// Invariants:
/// - Who makes a run keeps the value alive until the run ends; a `ContextBox` keeps its own.
/// - The value has the type that the program was built for: a program is composed only of programs for the same type,
///   and each node that changes the environment pushes a node that restores it.
/// - One thread at a time uses the state. The environment does not change.
@frozen
@safe
@usableFromInline
package struct Context {
    @usableFromInline package let address: UnsafeMutableRawPointer?

    @inlinable
    @inline(__always)
    init(_ address: UnsafeMutableRawPointer?) {
        unsafe self.address = unsafe address
    }

    /// A copy of the environment.
    @inlinable
    @inline(__always)
    func environment<Environment>(as type: Environment.Type) -> Environment {
        unsafe address.unsafelyUnwrapped.assumingMemoryBound(to: Environment.self).pointee
    }

    /// The state, in place.
    @inlinable
    subscript<S>(stateAs type: S.Type) -> S {
        @inline(__always) unsafeAddress {
            unsafe UnsafePointer(address.unsafelyUnwrapped.assumingMemoryBound(to: S.self))
        }
        @inline(__always) nonmutating unsafeMutableAddress {
            unsafe address.unsafelyUnwrapped.assumingMemoryBound(to: S.self)
        }
    }

    /// Calls `body` with a context for `state`, which is changed in place.
    @inlinable
    @inline(__always)
    static func with<S, Result>(_ state: inout S, _ body: (Context) -> Result) -> Result {
        unsafe withUnsafeMutablePointer(to: &state) { unsafe body(Context($0)) }
    }

    /// Stores an environment in memory that has room for it and contains no value.
    @inlinable
    @inline(__always)
    func initialize<Environment>(to environment: consuming Environment) {
        unsafe address.unsafelyUnwrapped.initializeMemory(as: Environment.self, to: environment)
    }

    /// Destroys the environment that `initialize(to:)` stored.
    func deinitialize<Environment>(as type: Environment.Type) {
        unsafe address.unsafelyUnwrapped.assumingMemoryBound(to: Environment.self).deinitialize(count: 1)
    }
}

/// An environment at an address that does not change. It exists as long as the box.
@usableFromInline
final class ContextBox<Environment>: ManagedBuffer<Void, Environment> {
    /// A context for `environment`, and the box that keeps it alive.
    @inlinable
    static func make(_ environment: Environment) -> (context: Context, box: AnyObject) {
        let box = create(minimumCapacity: 1) { _ in }
        let context = unsafe box.withUnsafeMutablePointerToElements { elements in
            unsafe elements.initialize(to: environment)
            return unsafe Context(elements)
        }
        return (context, box)
    }

    @inlinable
    deinit {
        _ = unsafe withUnsafeMutablePointerToElements { unsafe $0.deinitialize(count: 1) }
    }
}
