/// A type whose values can be combined.
///
/// ```swift
/// [1, 2].combine([3])  // [1, 2, 3]
/// ```
///
/// The operation must be associative: `a.combine(b).combine(c)` equals `a.combine(b.combine(c))`. To check a type of
/// yours in a test, use the laws in `FunctionalLaws`.
///
/// The name and the laws are those of algebra. The method name comes from the library Bow.
public protocol Semigroup: SendableMetatype {
    /// Returns this value combined with `other`, in this order.
    func combine(_ other: Self) -> Self
}
