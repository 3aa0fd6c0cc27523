/// An optic that is at least a lens: ``Lens`` and ``Iso``.
///
/// Not meant to be adopted by other types: it carries the composition of the two.
public protocol LensConvertible<Whole, Part>: AffineConvertible {
    /// This optic as a lens.
    var asLens: Lens<Whole, Part> { get }
}

extension LensConvertible {
    /// The part of the part: a lens and a lens make a lens.
    ///
    /// Reading reads through both, a change is made in place through both.
    ///
    /// ```swift
    /// let title = Lens(\App.screen).appending(Lens(\Screen.title))
    /// ```
    @inlinable
    public func appending<Next>(_ next: some LensConvertible<Part, Next>) -> Lens<Whole, Next> {
        let (outer, inner) = (asLens, next.asLens)
        if let first = outer.path, let second = inner.path { return Lens(SharedKeyPath(first, second)) }
        // The closures capture functions, not lenses: what the optimizer sees through, it can fold into one.
        let (readOuter, readInner) = (outer.read, inner.read)
        let (updateOuter, updateInner) = (outer.update, inner.update)
        return Lens(
            get: { readInner(readOuter($0)) },
            modify: { whole, change in updateOuter(&whole) { updateInner(&$0, change) } }
        )
    }
}

extension Lens: LensConvertible {
    /// This lens.
    @inlinable
    public var asLens: Lens<Whole, Part> { self }

    /// This lens as an affine that always matches.
    @inlinable
    public var asAffine: Affine<Whole, Part> {
        Affine(extract: read, modify: update)
    }
}
