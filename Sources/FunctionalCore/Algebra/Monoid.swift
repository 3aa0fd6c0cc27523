/// A semigroup with a value that changes nothing when it is combined, on either side.
public protocol Monoid: Semigroup {
    /// The neutral value: `empty.combine(a)` and `a.combine(empty)` equal `a`.
    static var empty: Self { get }
}

extension Monoid {
    /// Returns the values of `values` as one, in order; `empty` if there are none.
    ///
    /// ```swift
    /// String.combineAll(["a", "b"])  // "ab"
    /// ```
    ///
    /// The compiler checks the elements of an array literal together. For dispatchers, use
    /// `StateDispatcher.combine { … }` instead of a literal: it checks each child alone.
    @inlinable
    public static func combineAll(_ values: some Sequence<Self>) -> Self {
        values.reduce(empty) { $0.combine($1) }
    }
}
