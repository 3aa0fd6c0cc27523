/// A semigroup with a neutral element.
public protocol Monoid: Semigroup {
    /// The neutral element: `empty.combine(a)` and `a.combine(empty)` equal `a`.
    static var empty: Self { get }
}

extension Monoid {
    /// Returns the elements of `values` combined in order, or `empty` if there are none.
    ///
    /// ```swift
    /// String.combineAll(["a", "b"])  // "ab"
    /// ```
    ///
    /// To combine dispatchers, use `StateDispatcher.combine { … }` instead of an array literal. In the block, the
    /// compiler type-checks each dispatcher separately, and reports a mistake at its line. In an array literal, it
    /// type-checks all elements together, and a mistake can make this take too long.
    @inlinable
    public static func combineAll(_ values: some Sequence<Self>) -> Self {
        values.reduce(empty) { $0.combine($1) }
    }
}
