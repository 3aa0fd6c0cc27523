/// How a run ended: with a value, with a typed failure, or cancelled, which is neither.
///
/// ```swift
/// switch await program.outcome(environment) {
/// case .value(let user): show(user)
/// case .failure(let error): show(error)
/// case .cancelled: break
/// }
/// ```
///
/// The idea comes from cats-effect's outcomes: whoever handles failures must not meet cancellation among them.
@frozen
public enum Outcome<Value, Failure: Error> {
    /// The program ran to its end.
    case value(Value)
    /// The program failed, and nothing in it handled the failure.
    case failure(Failure)
    /// The run was cancelled; its finalizers have run.
    case cancelled
}

extension Outcome: Sendable where Value: Sendable {}
extension Outcome: Equatable where Value: Equatable, Failure: Equatable {}
extension Outcome: Hashable where Value: Hashable, Failure: Hashable {}

extension Outcome {
    /// The value, if it ended in one.
    @inlinable
    public var value: Value? {
        if case .value(let value) = self { value } else { nil }
    }

    /// The failure, if it ended in one.
    @inlinable
    public var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }

    /// The value; throws the failure, or `CancellationError`.
    @inlinable
    public func get() throws -> Value {
        switch self {
        case .value(let value): return value
        case .failure(let failure): throw failure
        case .cancelled: throw CancellationError()
        }
    }

    /// The outcome with `transform` applied to its value. Pure; runs `transform` at most once, here.
    @inlinable
    public func map<Result>(_ transform: (Value) -> Result) -> Outcome<Result, Failure> {
        switch self {
        case .value(let value): .value(transform(value))
        case .failure(let failure): .failure(failure)
        case .cancelled: .cancelled
        }
    }
}
