/// Two values that are combined side by side.
///
/// ```swift
/// Pair([1], "a").combine(Pair([2], "b"))  // Pair([1, 2], "ab")
/// ```
@frozen
public struct Pair<First, Second> {
    /// The left value.
    public var first: First
    /// The right value.
    public var second: Second

    /// The pair of two values.
    @inlinable
    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }
}

extension Pair: Sendable where First: Sendable, Second: Sendable {}
extension Pair: Equatable where First: Equatable, Second: Equatable {}
extension Pair: Hashable where First: Hashable, Second: Hashable {}

extension Pair: Semigroup where First: Semigroup, Second: Semigroup {
    /// The left values combined, and the right ones.
    @inlinable
    public func combine(_ other: Pair) -> Pair {
        Pair(first.combine(other.first), second.combine(other.second))
    }
}

extension Pair: Monoid where First: Monoid, Second: Monoid {
    /// The pair of both neutral values.
    @inlinable
    public static var empty: Pair { Pair(.empty, .empty) }
}
