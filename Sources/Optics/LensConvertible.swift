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
        let outer = asLens
        let inner = next.asLens
        return Lens(
            get: { inner.read(outer.read($0)) },
            modify: { whole, change in outer.update(&whole) { inner.update(&$0, change) } }
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
