// What the standard library's types combine to.

extension Array: Monoid {
    /// The elements of this array and then those of `other`.
    @inlinable
    public func combine(_ other: [Element]) -> [Element] { self + other }

    /// The array without elements.
    @inlinable
    public static var empty: [Element] { [] }
}

extension String: Monoid {
    /// This text and then `other`.
    @inlinable
    public func combine(_ other: String) -> String { self + other }

    /// The text without characters.
    @inlinable
    public static var empty: String { "" }
}

extension Optional: Semigroup where Wrapped: Semigroup {
    /// Both values combined, or the one that is there.
    @inlinable
    public func combine(_ other: Wrapped?) -> Wrapped? {
        guard let left = self else { return other }
        guard let right = other else { return self }
        return left.combine(right)
    }
}

extension Optional: Monoid where Wrapped: Semigroup {
    /// No value.
    @inlinable
    public static var empty: Wrapped? { nil }
}

extension Dictionary: Semigroup where Value: Semigroup {
    /// The entries of both; where both have a key, their values combined.
    @inlinable
    public func combine(_ other: [Key: Value]) -> [Key: Value] {
        merging(other) { $0.combine($1) }
    }
}

extension Dictionary: Monoid where Value: Semigroup {
    /// The dictionary without entries.
    @inlinable
    public static var empty: [Key: Value] { [:] }
}
