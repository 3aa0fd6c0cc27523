/// A lossless conversion between two types, in both directions.
///
/// ```swift
/// let celsius = Iso<Kelvin, Celsius>(get: { Celsius($0.degrees - 273) }, reverseGet: { Kelvin($0.degrees + 273) })
/// celsius.reversed.get(Celsius(0))
/// ```
///
/// An iso stores neither a whole nor a part. It is `Sendable`. Its operations run on the caller's thread. They access
/// only their arguments.
///
/// An iso must satisfy two laws, which come from Monocle: `reverseGet(get(whole))` equals `whole`, and
/// `get(reverseGet(part))` equals `part`. `IsoLaw` in `FunctionalLaws` tests them.
///
/// An iso can be used as a lens and as a prism. Composing it with another optic yields an optic of that optic's kind.
@frozen
public struct Iso<Whole, Part>: Sendable {
    @usableFromInline let forth: @Sendable (Whole) -> Part
    @usableFromInline let back: @Sendable (Part) -> Whole

    /// Creates an iso from two functions that are inverses of each other.
    @_alwaysEmitIntoClient
    public init(get: @escaping @Sendable (Whole) -> Part, reverseGet: @escaping @Sendable (Part) -> Whole) {
        self.forth = get
        self.back = reverseGet
    }

    /// Returns `whole`, converted to a `Part`.
    @_alwaysEmitIntoClient
    public func get(_ whole: Whole) -> Part {
        forth(whole)
    }

    /// Returns `part`, converted to a `Whole`.
    @_alwaysEmitIntoClient
    public func reverseGet(_ part: Part) -> Whole {
        back(part)
    }

    /// The iso with the two directions exchanged.
    @_alwaysEmitIntoClient
    public var reversed: Iso<Part, Whole> {
        Iso<Part, Whole>(get: back, reverseGet: forth)
    }

    /// Replaces `whole` by `part`, converted to a `Whole`.
    @_alwaysEmitIntoClient
    public func set(_ whole: inout Whole, _ part: Part) {
        whole = back(part)
    }

    /// Returns `part`, converted to a `Whole`. The result does not depend on `whole`.
    ///
    /// This is the counterpart of ``LensProtocol/setting(_:_:)``.
    @_alwaysEmitIntoClient
    public func setting(_ whole: Whole, _ part: Part) -> Whole {
        back(part)
    }

    /// Returns the composition of two isos: this conversion followed by `next`.
    @_alwaysEmitIntoClient
    public func appending<Next>(_ next: Iso<Part, Next>) -> Iso<Whole, Next> {
        let outer = self
        return Iso<Whole, Next>(get: { next.forth(outer.forth($0)) }, reverseGet: { outer.back(next.back($0)) })
    }
}

extension Iso where Whole == Part {
    /// The iso that converts each value to itself.
    ///
    /// Composing it with another iso, in either order, yields an iso that behaves like the other iso.
    @_alwaysEmitIntoClient
    public static var identity: Iso<Whole, Whole> {
        Iso(get: { $0 }, reverseGet: { $0 })
    }
}

extension Iso: LensProtocol, PrismProtocol {
    /// This iso as a lens.
    ///
    /// An update converts the whole, releases the whole, and then changes the converted value. A collection that the
    /// two values share is copied only if something else retains it.
    @_alwaysEmitIntoClient
    public var asLens: Lens<Whole, Part> {
        let (forth, back) = (forth, back)
        return Lens(
            get: forth,
            modify: { whole, change in
                var part = forth(whole)
                _ = consume whole
                change(&part)
                whole = back(part)
            }
        )
    }

    /// This iso as a prism that matches every whole.
    @_alwaysEmitIntoClient
    public var asPrism: Prism<Whole, Part> {
        Prism(embed: back, extract: forth, modify: asLens.update)
    }

    /// This iso as an affine that matches every whole.
    @_alwaysEmitIntoClient
    public var asAffine: Affine<Whole, Part> {
        asLens.asAffine
    }
}
