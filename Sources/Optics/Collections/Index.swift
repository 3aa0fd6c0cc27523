extension Affine
where
    Whole: MutableCollection & RandomAccessCollection & SendableMetatype, Whole.Index: Sendable, Part == Whole.Element
{
    /// Returns an affine to the element of a collection at `index`.
    ///
    /// It does not match if the index is out of range. An update changes the element in place. The idea is Monocle's
    /// `Index`.
    ///
    /// ```swift
    /// let third = Affine<[Int], Int>.index(2)
    /// third.extract([1, 2])  // nil
    /// ```
    ///
    /// - Complexity: O(1).
    @_alwaysEmitIntoClient
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

extension AffineProtocol
where Part: MutableCollection & RandomAccessCollection & SendableMetatype, Part.Index: Sendable {
    /// Returns an affine to the element at `index` in the collection that is this optic's part.
    ///
    /// It does not match if the index is out of range.
    @_alwaysEmitIntoClient
    public func index(_ index: Part.Index) -> Affine<Whole, Part.Element> {
        appending(Affine<Part, Part.Element>.index(index))
    }
}

extension TraversalProtocol
where Part: MutableCollection & RandomAccessCollection & SendableMetatype, Part.Index: Sendable {
    /// Returns a traversal of the elements at `index` in the collections that are this optic's parts.
    ///
    /// It skips collections for which the index is out of range.
    @_alwaysEmitIntoClient
    public func index(_ index: Part.Index) -> Traversal<Whole, Part.Element> {
        appending(Affine<Part, Part.Element>.index(index))
    }
}
