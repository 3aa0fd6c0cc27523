/// Two types that say the same: how to get from each to the other without loss.
///
/// ```swift
/// let celsius = Iso<Kelvin, Celsius>(get: { Celsius($0.degrees - 273) }, reverseGet: { Kelvin($0.degrees + 273) })
/// celsius.reversed.get(Celsius(0))
/// ```
///
/// Pure, on the caller's thread, usable from any. An iso must keep two laws, those of Monocle: there and back is where
/// one was, from both sides.
@frozen
public struct Iso<Whole, Part>: Sendable {
    @usableFromInline let forth: @Sendable (Whole) -> Part
    @usableFromInline let back: @Sendable (Part) -> Whole

    /// An iso from its two directions, each of which undoes the other.
    @inlinable
    public init(get: @escaping @Sendable (Whole) -> Part, reverseGet: @escaping @Sendable (Part) -> Whole) {
        self.forth = get
        self.back = reverseGet
    }

    /// `whole` as the other type.
    @inlinable
    public func get(_ whole: Whole) -> Part {
        forth(whole)
    }

    /// `part` as the first type.
    @inlinable
    public func reverseGet(_ part: Part) -> Whole {
        back(part)
    }

    /// The same iso seen from the other side.
    @inlinable
    public var reversed: Iso<Part, Whole> {
        Iso<Part, Whole>(get: back, reverseGet: forth)
    }

    /// Replaces `whole` by what `part` says.
    @inlinable
    public func set(_ whole: inout Whole, _ part: Part) {
        whole = back(part)
    }

    /// What `part` says, as the first type; the counterpart of ``Lens/setting(_:_:)``.
    @inlinable
    public func setting(_ whole: Whole, _ part: Part) -> Whole {
        back(part)
    }

    /// Changes `whole` as seen through this iso, and returns what `change` returns.
    ///
    /// `change` is called exactly once. If it throws, the error is thrown on, and `whole` is what `change` left.
    @inlinable
    @discardableResult
    public func modify<Output, Failure: Error>(
        _ whole: inout Whole,
        _ change: (inout Part) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        try asLens.modify(&whole, change)
    }

    /// `whole` changed as seen through this iso. `whole` itself stays as it is; an error of `change` is thrown on.
    @inlinable
    public func modifying<Failure: Error>(
        _ whole: Whole,
        _ change: (inout Part) throws(Failure) -> Void
    ) throws(Failure) -> Whole {
        try asLens.modifying(whole, change)
    }

    /// The part of the part: an iso and an iso make an iso.
    ///
    /// With any other optic the result is of that optic's kind: an iso changes how the whole is seen, nothing else.
    @inlinable
    public func appending<Next>(_ next: Iso<Part, Next>) -> Iso<Whole, Next> {
        let outer = self
        return Iso<Whole, Next>(get: { next.forth(outer.forth($0)) }, reverseGet: { outer.back(next.back($0)) })
    }
}

extension Iso where Whole == Part {
    /// The iso that changes nothing: neutral for `appending`, on either side.
    @inlinable
    public static var identity: Iso<Whole, Whole> {
        Iso(get: { $0 }, reverseGet: { $0 })
    }
}

extension Iso: LensConvertible, PrismConvertible {
    /// This iso as a lens.
    ///
    /// A change lets go of the whole before the part is changed, so that a collection inside is not copied.
    @inlinable
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

    /// This iso as a prism that always matches.
    @inlinable
    public var asPrism: Prism<Whole, Part> {
        Prism(embed: back, extract: forth, modify: asLens.update)
    }

    /// This iso as an affine that always matches.
    @inlinable
    public var asAffine: Affine<Whole, Part> {
        asLens.asAffine
    }
}
