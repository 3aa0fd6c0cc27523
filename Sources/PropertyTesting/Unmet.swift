/// What a property that is checked without a test run throws when it does not hold.
///
/// `forAll` reports the message as it is.
public struct Unmet: Error, CustomStringConvertible {
    /// What did not hold.
    public let description: String

    /// A failure with a text for people.
    public init(_ description: String) {
        self.description = description
    }
}

/// Goes on only when `condition` holds: for bodies that are run by ``falsify(_:examples:settings:_:)``, where an
/// `#expect` would be heard by nobody.
///
/// ```swift
/// try require(sorted.count == numbers.count, "elements were lost")
/// ```
///
/// - Throws: ``Unmet``, with the message.
public func require(_ condition: Bool, _ message: @autoclosure () -> String) throws(Unmet) {
    guard condition else { throw Unmet(message()) }
}
