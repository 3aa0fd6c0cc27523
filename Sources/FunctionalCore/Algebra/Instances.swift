// Conformances of the standard library's types.

extension Array: Monoid {
    /// Returns the elements of this array followed by those of `other`.
    @inlinable
    public func combine(_ other: [Element]) -> [Element] { self + other }

    /// The array without elements.
    @inlinable
    public static var empty: [Element] { [] }
}

extension String: Monoid {
    /// Returns this string followed by `other`.
    @inlinable
    public func combine(_ other: String) -> String { self + other }

    /// The empty string.
    @inlinable
    public static var empty: String { "" }
}

extension Optional: Semigroup where Wrapped: Semigroup {
    /// Returns both values combined, or the one that is not `nil`. Returns `nil` if both are.
    @inlinable
    public func combine(_ other: Wrapped?) -> Wrapped? {
        guard let left = self else { return other }
        guard let right = other else { return self }
        return left.combine(right)
    }
}

extension Optional: Monoid where Wrapped: Semigroup {
    /// The neutral element, `nil`.
    @inlinable
    public static var empty: Wrapped? { nil }
}

extension Dictionary: Semigroup where Value: Semigroup {
    /// Returns the entries of both dictionaries. If both contain a key, their values are combined.
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
