extension Affine
where
    Whole: MutableCollection & RandomAccessCollection & SendableMetatype, Whole.Index: Sendable, Part == Whole.Element
{
    /// The element of a collection at `index`; an index out of range matches nothing.
    ///
    /// In place, O(1). The idea is Monocle's `Index`.
    ///
    /// ```swift
    /// let third = Affine<[Int], Int>.index(2)
    /// third.extract([1, 2])  // nil
    /// ```
    @inlinable
    public static func index(_ index: Whole.Index) -> Affine {
        Affine(
            extract: { whole in
                guard index >= whole.startIndex, index < whole.endIndex else { return nil }
                return whole[index]
            },
            modify: { whole, change in
                guard index >= whole.startIndex, index < whole.endIndex else { return }
                change(&whole[index])
            }
        )
    }
}

extension AffineConvertible
where Part: MutableCollection & RandomAccessCollection & SendableMetatype, Part.Index: Sendable {
    /// The element at `index` of the collection this optic leads to; an index out of range matches nothing.
    @inlinable
    public func index(_ index: Part.Index) -> Affine<Whole, Part.Element> {
        appending(Affine<Part, Part.Element>.index(index))
    }
}

extension TraversalConvertible
where Part: MutableCollection & RandomAccessCollection & SendableMetatype, Part.Index: Sendable {
    /// The element at `index` of each collection this optic leads to, where it is in range.
    @inlinable
    public func index(_ index: Part.Index) -> Traversal<Whole, Part.Element> {
        appending(Affine<Part, Part.Element>.index(index))
    }
}
