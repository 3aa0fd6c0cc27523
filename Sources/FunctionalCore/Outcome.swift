/// The way in which a run ended: with a value, with a typed failure, or by cancellation.
///
/// ```swift
/// switch await program.outcome(environment) {
/// case .value(let user): show(user)
/// case .failure(let error): show(error)
/// case .cancelled: break
/// }
/// ```
///
/// Cancellation is a case of its own, so code that handles failures does not receive it. The idea comes from the
/// outcomes of cats-effect.
@frozen
public enum Outcome<Value, Failure: Error> {
    /// The program succeeded with this value.
    case value(Value)
    /// The program failed, and nothing in it handled the failure.
    case failure(Failure)
    /// The run was cancelled, or the program cancelled itself. Its finalizers have run.
    case cancelled
}

extension Outcome: Sendable where Value: Sendable {}
extension Outcome: Equatable where Value: Equatable, Failure: Equatable {}
extension Outcome: Hashable where Value: Hashable, Failure: Hashable {}

extension Outcome {
    /// The value, or `nil` if the run failed or was cancelled.
    @inlinable
    public var value: Value? {
        if case .value(let value) = self { value } else { nil }
    }

    /// The failure, or `nil` if the run succeeded or was cancelled.
    @inlinable
    public var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }

    /// Returns the value.
    ///
    /// - Throws: The failure, or `CancellationError` if the run was cancelled.
    @inlinable
    public func get() throws -> Value {
        switch self {
        case .value(let value): return value
        case .failure(let failure): throw failure
        case .cancelled: throw CancellationError()
        }
    }

    /// Returns the outcome with `transform` applied to its value.
    ///
    /// `transform` is called at most once, before this method returns.
    @inlinable
    public func map<Result>(_ transform: (Value) -> Result) -> Outcome<Result, Failure> {
        switch self {
        case .value(let value): .value(transform(value))
        case .failure(let failure): .failure(failure)
        case .cancelled: .cancelled
        }
    }
}
