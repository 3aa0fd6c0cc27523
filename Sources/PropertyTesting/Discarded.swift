/// What a generator or a body throws when an input is none to try: the case does not count.
public struct Discarded: Error {
    /// A refusal of the input at hand.
    @inlinable public init() {}
}

/// Goes on only when `condition` holds; otherwise the input is discarded, and another is tried in its place.
///
/// ```swift
/// try assume(!numbers.isEmpty)
/// ```
///
/// More than ten discarded inputs for each wanted case are a failure of the property: a generator that makes what is
/// needed is better than a condition that is seldom met.
///
/// - Throws: ``Discarded``.
public func assume(_ condition: Bool) throws(Discarded) {
    guard condition else { throw Discarded() }
}
