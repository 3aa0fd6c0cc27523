/// An optic with at most one part: ``Affine``, ``Lens``, ``Prism`` or ``Iso``.
///
/// Use it to accept all four: a function with a parameter of type `some AffineProtocol<Whole, Part>` takes any of
/// them. Other types should not conform to it.
public protocol AffineProtocol<Whole, Part>: TraversalProtocol {
    /// This optic as an affine.
    var asAffine: Affine<Whole, Part> { get }
}

extension AffineProtocol {
    /// Returns a copy of `whole` whose part is `part`, or `whole` itself if its part is absent.
    @_alwaysEmitIntoClient
    public func setting(_ whole: Whole, _ part: Part) -> Whole {
        var whole = whole
        asAffine.set(&whole, part)
        return whole
    }

    /// Returns a copy of `whole` with its part updated by `change`, or `whole` itself if its part is absent.
    ///
    /// - Throws: The error that `change` throws.
    @_alwaysEmitIntoClient
    public func modifying<Failure: Error>(
        _ whole: Whole,
        _ change: (inout Part) throws(Failure) -> Void
    ) throws(Failure) -> Whole {
        var whole = whole
        try asAffine.modify(&whole, change)
        return whole
    }

    /// Returns an affine to the part of `next` within the part of this optic.
    ///
    /// The returned affine matches a whole if this optic matches the whole, and `next` matches the part of this optic.
    /// An update is in place if both optics update in place. A lens and a prism compose to an affine, in either order.
    ///
    /// ```swift
    /// let loaded = Prism(Screen.loaded) { if case .loaded(let data) = $0 { data } else { nil } }
    /// let data = Lens(\App.screen).appending(loaded)
    /// ```
    @_alwaysEmitIntoClient
    public func appending<Next>(_ next: some AffineProtocol<Part, Next>) -> Affine<Whole, Next> {
        let (outer, inner) = (asAffine, next.asAffine)
        let (readOuter, readInner) = (outer.read, inner.read)
        let (updateOuter, updateInner) = (outer.update, inner.update)
        return Affine(
            extract: { whole in
                guard let part = readOuter(whole) else { return nil }
                return readInner(part)
            },
            modify: { whole, change in updateOuter(&whole) { updateInner(&$0, change) } }
        )
    }

    /// Returns an affine to the part of this optic or, if this part is absent, to the part of `other`.
    ///
    /// Both optics read the same whole. The laws of ``Affine`` hold if no update of `other` makes the part of this
    /// optic present, as for two cases of an enum. The operation is Monocle's `orElse`.
    ///
    /// ```swift
    /// let address = Payment.prism(for: Payment.invoice).orElse(Payment.prism(for: Payment.delivery))
    /// ```
    @_alwaysEmitIntoClient
    public func orElse(_ other: some AffineProtocol<Whole, Part>) -> Affine<Whole, Part> {
        let (readFirst, readSecond) = (asAffine.read, other.asAffine.read)
        let (updateFirst, updateSecond) = (asAffine.update, other.asAffine.update)
        return Affine(
            extract: { readFirst($0) ?? readSecond($0) },
            modify: { whole, change in
                if runInPlace(updateFirst, &whole, change) == nil { updateSecond(&whole, change) }
            }
        )
    }

    /// This optic as a traversal of at most one part.
    @_alwaysEmitIntoClient
    public var asTraversal: Traversal<Whole, Part> {
        let affine = asAffine
        return Traversal(
            visit: { whole, visit in if let part = affine.read(whole) { _ = visit(part) } },
            modify: affine.update
        )
    }
}

extension Affine: AffineProtocol {
    /// This affine.
    @_alwaysEmitIntoClient
    public var asAffine: Affine<Whole, Part> { self }
}
