/// Memory for one value or failure. Only the step that stores it and the step that takes it know its type.
///
/// Invariant: each signal states whether the register is empty, contains the value, or contains the failure of the
/// program that has just ended. The step that accepts the signal knows the type statically, and takes the content
/// exactly once.
///
/// Unchecked: the register belongs to one run, which one thread at a time uses.
@usableFromInline
struct Register: @unchecked Sendable {
    @usableFromInline
    let place: Place

    @inlinable
    init(_ place: Place) {
        self.place = place
    }

    /// Returns whether the register itself stores a value of this type. A larger value is stored elsewhere, and the
    /// register contains a reference to it.
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
        if Register.fits(Value.self) { place.put(value) } else { place.put(RunVariable(value)) }
    }

    /// Takes the content of the register, which must be full.
    @inlinable
    @inline(__always)
    func take<Value>(as type: Value.Type = Value.self) -> Value {
        Register.fits(Value.self) ? place.take() : place.take(as: RunVariable<Value>.self).value
    }

    /// Takes the outcome of a program that ended with `signal`.
    @inlinable
    func takeOutcome<Value, Failure: Error>(_ signal: Signal) -> Outcome<Value, Failure> {
        if signal == .value { return .value(take()) }
        if signal == .failure { return .failure(take()) }
        return .cancelled
    }

    /// Stores an error that a clock has thrown, and returns the signal that states how the program ends.
    ///
    /// If the run is cancelled, the error is ignored and the signal is `cancelled`. If the program cannot fail with an
    /// error of this type, the error is reported and the signal is `cancelled`. Otherwise the error is stored as the
    /// failure.
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

    /// Stores the value or the failure of `outcome`, and returns the signal of `outcome`.
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
