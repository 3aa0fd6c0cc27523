/// A type whose values can be combined, associatively.
///
/// `a.combine(b).combine(c)` equals `a.combine(b.combine(c))`. Which side comes first matters: the left one does.
///
/// ```swift
/// [1, 2].combine([3])  // [1, 2, 3]
/// ```
public protocol Semigroup {
    /// This value and then `other`, as one. Runs where it is called.
    func combine(_ other: Self) -> Self
}

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
