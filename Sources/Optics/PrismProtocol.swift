/// An optic that can be used as a prism: ``Prism`` or ``Iso``.
///
/// Use it to accept both kinds: a function with a parameter of type `some PrismProtocol<Whole, Part>` takes either
/// of them. Other types should not conform to it.
public protocol PrismProtocol<Whole, Part>: AffineProtocol {
    /// This optic as a prism.
    var asPrism: Prism<Whole, Part> { get }
}

extension PrismProtocol {
    /// Returns a prism to the part of `next` within the part of this optic.
    ///
    /// The returned prism matches a whole if this optic matches the whole, and `next` matches the part of this optic.
    /// Embedding passes a part through `next` and then through this optic. An update is in place if both optics update
    /// in place.
    ///
    /// ```swift
    /// let tap = App.prism(for: App.screen).appending(Screen.prism(for: Screen.tap))
    /// ```
    @_alwaysEmitIntoClient
    public func appending<Next>(_ next: some PrismProtocol<Part, Next>) -> Prism<Whole, Next> {
        let (outer, inner) = (asPrism, next.asPrism)
        let (buildOuter, buildInner) = (outer.build, inner.build)
        let (updateOuter, updateInner) = (outer.update, inner.update)
        return Prism(
            embed: { buildOuter(buildInner($0)) },
            extract: { whole in
                guard let part = outer.extract(whole) else { return nil }
                return inner.extract(part)
            },
            modify: { whole, change in updateOuter(&whole) { updateInner(&$0, change) } },
            // The composition rejects each case that the outer prism rejects.
            reader: nil,
            routing: outer.routing?.appended()
        )
    }
}

extension Prism: PrismProtocol {
    /// This prism.
    @_alwaysEmitIntoClient
    public var asPrism: Prism<Whole, Part> { self }

    /// This prism as an affine, which cannot embed.
    @_alwaysEmitIntoClient
    public var asAffine: Affine<Whole, Part> {
        Affine(extract: read, modify: update)
    }
}
