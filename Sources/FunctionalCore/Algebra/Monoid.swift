/// A type whose values can be combined.
///
/// ```swift
/// [1, 2].combine([3])  // [1, 2, 3]
/// ```
///
/// The operation must be associative: `a.combine(b).combine(c)` equals `a.combine(b.combine(c))`. To check a type of
/// yours in a test, use the laws in `FunctionalLaws`.
///
/// The name and the laws come from algebra. The method name comes from the library Bow.
public protocol Semigroup: SendableMetatype {
    /// Returns this value combined with `other`, in this order.
    func combine(_ other: Self) -> Self
}

/// A semigroup with a neutral element.
public protocol Monoid: Semigroup {
    /// The neutral element: `empty.combine(a)` and `a.combine(empty)` equal `a`.
    static var empty: Self { get }
}

extension Monoid {
    /// Returns the elements of `values` combined in order, or `empty` if there are no elements.
    ///
    /// ```swift
    /// String.combineAll(["a", "b"])  // "ab"
    /// ```
    ///
    /// For a literal list of dispatchers, use `StateDispatcher.combine { … }` instead of this method. In the block, the
    /// compiler type-checks each dispatcher separately, and reports an error at its line. In an array literal, it
    /// type-checks all elements together, which can take too long if one of them has an error.
    @inlinable
    public static func combineAll(_ values: some Sequence<Self>) -> Self {
        values.reduce(empty) { $0.combine($1) }
    }
}

// MARK: - Conformances of programs

extension EnvIO: Semigroup where Value: Semigroup {
    /// Returns a program that runs this program and then `other`, and combines their values.
    @inlinable
    public func combine(_ other: EnvIO) -> EnvIO {
        zip(other).map { left, right in left.combine(right) }
    }
}

extension EnvIO: Monoid where Value: Monoid {
    /// A program that does nothing and succeeds with the neutral element.
    @inlinable
    public static var empty: EnvIO {
        EnvIO(form: .sync({ _ throws(Failure) in .empty }, depth: 1))
    }
}

// MARK: - Conformances of the standard library's types

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
    /// Returns both values combined, or the value that is not `nil`. Returns `nil` if both values are `nil`.
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
