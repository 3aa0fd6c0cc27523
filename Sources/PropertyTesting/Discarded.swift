/// An error that discards an input. The case does not count.
///
/// A generator or the body of a property throws it for an input that should not be tried.
public struct Discarded: Error {
    /// Creates the error.
    @inlinable public init() {}
}

/// Discards the input of the running case if a condition does not hold.
///
/// The property then tries another input instead. Call this function in the body of a property.
///
/// ```swift
/// try assume(!numbers.isEmpty)
/// ```
///
/// The property fails if the number of discarded inputs exceeds ten times the number of cases, for example 1,000 inputs
/// for 100 cases. If a condition is rarely met, write a generator whose values meet it instead.
///
/// - Parameter condition: Whether the input should be tried.
/// - Throws: ``Discarded`` if `condition` is `false`.
public func assume(_ condition: Bool) throws(Discarded) {
    guard condition else { throw Discarded() }
}
