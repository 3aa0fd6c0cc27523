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
    /// The compiler type-checks all elements of an array literal together. To combine dispatchers, use
    /// `StateDispatcher.combine { … }` instead: the compiler then type-checks each dispatcher separately.
    @inlinable
    public static func combineAll(_ values: some Sequence<Self>) -> Self {
        values.reduce(empty) { $0.combine($1) }
    }
}
