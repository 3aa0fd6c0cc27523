/// An error for a requirement that does not hold.
///
/// It is intended for properties that are checked without a test.
///
/// If the body of `forAll` throws it, the report begins with its message.
public struct Unmet: Error, CustomStringConvertible {
    /// The message.
    public let description: String

    /// Creates an error with a message.
    public init(_ description: String) {
        self.description = description
    }
}

/// Throws an error with a message if a condition does not hold.
///
/// Use this function in the body of ``falsify(_:examples:settings:_:)``, because `falsify` does not notice the failure
/// of an `#expect`. In a test, such a failure is recorded as an issue of the test.
///
/// ```swift
/// try require(sorted.count == numbers.count, "elements were lost")
/// ```
///
/// - Parameters:
///   - condition: Whether the requirement holds.
///   - message: The message of the error. It is evaluated only if `condition` is `false`.
/// - Throws: ``Unmet`` if `condition` is `false`.
public func require(_ condition: Bool, _ message: @autoclosure () -> String) throws(Unmet) {
    guard condition else { throw Unmet(message()) }
}
