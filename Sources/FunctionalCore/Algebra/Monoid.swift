/// A semigroup with a value that changes nothing when it is combined, on either side.
public protocol Monoid: Semigroup {
    /// The neutral value: `empty.combine(a)` and `a.combine(empty)` equal `a`.
    static var empty: Self { get }
}

extension Monoid {
    /// Every value of `values`, in order, as one; `empty` when there is none.
    ///
    /// ```swift
    /// String.combineAll(["a", "b"])  // "ab"
    /// ```
    @inlinable
    public static func combineAll(_ values: some Sequence<Self>) -> Self {
        values.reduce(empty) { $0.combine($1) }
    }
}
