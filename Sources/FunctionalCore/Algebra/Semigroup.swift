/// A type whose values can be combined, associatively: `a.combine(b).combine(c)` equals `a.combine(b.combine(c))`.
///
/// ```swift
/// [1, 2].combine([3])  // [1, 2, 3]
/// ```
///
/// The name and the laws are algebra's; the spelling is Bow's. Types of one's own that conform can be checked against
/// the laws in a test.
public protocol Semigroup: SendableMetatype {
    /// This value and then `other`, as one. The order matters: this one comes first.
    func combine(_ other: Self) -> Self
}
