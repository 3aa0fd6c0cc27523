/// Holds one value or failure, of a type that only the step before and the step after know.
///
/// Invariant of `put` and `take`: each signal says whether the register is full, and whether with the value or the
/// failure of the program that just ended; whoever accepts the signal knows the type statically and takes the content
/// out exactly once.
///
/// Unchecked: it belongs to a run, which one thread at a time uses.
@usableFromInline
struct Register: @unchecked Sendable {
    @usableFromInline
    let address: UnsafeMutableRawPointer

    @inlinable static var size: Int { 64 }
    @inlinable static var alignment: Int { 16 }

    @inlinable
    init(_ address: UnsafeMutableRawPointer) {
        self.address = address
    }

    /// Whether a value lies in the register itself; a larger one lies in memory of its own, and its address in the
    /// register.
    @inlinable
    @inline(__always)
    static func fits<Value>(_: Value.Type) -> Bool {
        MemoryLayout<Value>.size <= size && MemoryLayout<Value>.alignment <= alignment
    }

    /// Fills the register, which is empty.
    @inlinable
    @inline(__always)
    func put<Value>(_ value: consuming Value) {
        if Register.fits(Value.self) {
            address.initializeMemory(as: Value.self, to: value)
        } else {
            let elsewhere = UnsafeMutablePointer<Value>.allocate(capacity: 1)
            elsewhere.initialize(to: value)
            address.initializeMemory(as: UnsafeMutablePointer<Value>.self, to: elsewhere)
        }
    }

    /// Empties the register, which is full.
    @inlinable
    @inline(__always)
    func take<Value>(as type: Value.Type = Value.self) -> Value {
        if Register.fits(Value.self) {
            return address.assumingMemoryBound(to: Value.self).move()
        }
        let elsewhere = address.assumingMemoryBound(to: UnsafeMutablePointer<Value>.self).pointee
        defer { elsewhere.deallocate() }
        return elsewhere.move()
    }

    /// Empties the register after an end.
    @inlinable
    func takeOutcome<Value, Failure: Error>(_ signal: Signal) -> Outcome<Value, Failure> {
        if signal == .value { return .value(take()) }
        if signal == .failure { return .failure(take()) }
        return .cancelled
    }

    /// Fills the register with an outcome, and says which it is.
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
