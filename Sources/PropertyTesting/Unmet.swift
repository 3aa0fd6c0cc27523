/// An error for a requirement that does not hold.
///
/// It is intended for properties that are checked without a test.
///
/// `forAll` reports the message unchanged.
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
/// of an `#expect`.
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
