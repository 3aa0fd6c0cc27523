/// An optic that is at least a prism: ``Prism`` and ``Iso``.
///
/// Not meant to be adopted by other types: it carries the composition of the two.
public protocol PrismConvertible<Whole, Part>: AffineConvertible {
    /// This optic as a prism.
    var asPrism: Prism<Whole, Part> { get }
}

extension PrismConvertible {
    /// The part of the part: a prism and a prism make a prism.
    ///
    /// It matches where both do, and embeds through both. A change is made in place through both.
    ///
    /// ```swift
    /// let tap = App.prism(for: App.screen).appending(Screen.prism(for: Screen.tap))
    /// ```
    @inlinable
    public func appending<Next>(_ next: some PrismConvertible<Part, Next>) -> Prism<Whole, Next> {
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
            // What the outer prism rules out, both do.
            reader: nil,
            routing: outer.routing?.appended()
        )
    }
}

extension Prism: PrismConvertible {
    /// This prism.
    @inlinable
    public var asPrism: Prism<Whole, Part> { self }

    /// This prism as an affine, which can no longer embed.
    @inlinable
    public var asAffine: Affine<Whole, Part> {
        Affine(extract: read, modify: update)
    }
}
