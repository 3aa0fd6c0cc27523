/// An optic that can be used as a lens: ``Lens`` or ``Iso``.
///
/// Use it to accept both kinds: a function with a parameter of type `some LensProtocol<Whole, Part>` takes either of
/// them. Other types should not conform to it.
public protocol LensProtocol<Whole, Part>: AffineProtocol {
    /// This optic as a lens.
    var asLens: Lens<Whole, Part> { get }
}

extension LensProtocol {
    /// Returns a lens to the part of `next` within the part of this optic.
    ///
    /// A read or an update passes through this optic and then through `next`. An update is in place if both optics
    /// update in place.
    ///
    /// ```swift
    /// let title = Lens(\App.screen).appending(Lens(\Screen.title))
    /// ```
    @inlinable
    public func appending<Next>(_ next: some LensProtocol<Part, Next>) -> Lens<Whole, Next> {
        let (outer, inner) = (asLens, next.asLens)
        if let first = outer.path, let second = inner.path { return Lens(SharedKeyPath(first, second)) }
        // The closures capture functions and not lenses, so that the optimizer can inline and merge them.
        let (readOuter, readInner) = (outer.read, inner.read)
        let (updateOuter, updateInner) = (outer.update, inner.update)
        return Lens(
            get: { readInner(readOuter($0)) },
            modify: { whole, change in updateOuter(&whole) { updateInner(&$0, change) } }
        )
    }
}

extension Lens: LensProtocol {
    /// This lens.
    @inlinable
    public var asLens: Lens<Whole, Part> { self }

    /// This lens as an affine that matches every whole.
    @inlinable
    public var asAffine: Affine<Whole, Part> {
        Affine(extract: read, modify: update)
    }
}
