/// Memory for one value or failure, whose type only the step before and the step after know.
///
/// Invariant: each signal states whether the register is full, and whether with the value or with the failure of the
/// program that has just ended. The step that accepts the signal knows the type statically, and takes the content
/// exactly once.
///
/// Unchecked: it belongs to one run, which one thread at a time uses.
@usableFromInline
@safe
struct Register: @unchecked Sendable {
    @usableFromInline
    let address: UnsafeMutableRawPointer

    @inlinable
    init(_ address: UnsafeMutableRawPointer) {
        unsafe self.address = unsafe address
    }

    /// Returns whether a value is stored in the register itself. A larger value is stored elsewhere, and the register
    /// contains its address.
    @inlinable
    @inline(__always)
    static func fits<Value>(_: Value.Type) -> Bool {
        MemoryLayout<Value>.size <= FrameStack<Machine.Core, Node>.registerSize
            && MemoryLayout<Value>.alignment <= FrameStack<Machine.Core, Node>.alignment
    }

    /// Stores `value` in the register, which must be empty.
    @inlinable
    @inline(__always)
    func put<Value>(_ value: consuming Value) {
        if Register.fits(Value.self) {
            unsafe address.initializeMemory(as: Value.self, to: value)
        } else {
            let elsewhere = UnsafeMutablePointer<Value>.allocate(capacity: 1)
            unsafe elsewhere.initialize(to: value)
            unsafe address.initializeMemory(as: UnsafeMutablePointer<Value>.self, to: elsewhere)
        }
    }

    /// Takes the content of the register, which must be full.
    @inlinable
    @inline(__always)
    func take<Value>(as type: Value.Type = Value.self) -> Value {
        if Register.fits(Value.self) {
            return unsafe address.assumingMemoryBound(to: Value.self).move()
        }
        let elsewhere = unsafe address.assumingMemoryBound(to: UnsafeMutablePointer<Value>.self).pointee
        defer { unsafe elsewhere.deallocate() }
        return unsafe elsewhere.move()
    }

    /// Takes the outcome of a program that ended with `signal`.
    @inlinable
    func takeOutcome<Value, Failure: Error>(_ signal: Signal) -> Outcome<Value, Failure> {
        if signal == .value { return .value(take()) }
        if signal == .failure { return .failure(take()) }
        return .cancelled
    }

    /// Stores the error that a clock has thrown as the failure of the program, and returns the signal that states how
    /// the program ends. The clock of a cancelled run may throw any error, which is no failure.
    @usableFromInline
    func put<Failure: Error>(errorOfClock error: any Error, as _: Failure.Type) -> Signal {
        if Task.isCancelled { return .cancelled }
        guard let failure = error as? Failure else {
            report("A clock threw an error with which its program cannot fail, so the run ends as cancelled: \(error)")
            return .cancelled
        }
        put(failure)
        return .failure
    }

    /// Stores the value or the failure of `outcome`, and returns the signal that states which.
    @inlinable
    func put<Value, Failure: Error>(_ outcome: Outcome<Value, Failure>) -> Signal {
        switch outcome {
        case .value(let value):
            put(value)
            return .value
        case .failure(let failure):
            put(failure)
            return .failure
        case .cancelled:
            return .cancelled
        }
    }
}

// MARK: - What a machine keeps in the memory of its stack

extension Machine {
    @inlinable
    @inline(__always)
    var register: Register { unsafe Register(stack.register) }

    /// The fields.
    ///
    /// The memory exists as long as the machine. An address and not a coroutine, which would copy all fields to read
    /// one.
    @inlinable
    var core: Core {
        @inline(__always) unsafeAddress { unsafe UnsafePointer(stack.headerAddress) }
        @inline(__always) nonmutating unsafeMutableAddress { unsafe stack.headerAddress }
    }
}
