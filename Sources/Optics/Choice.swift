public import FunctionalCore

// These are static functions, because an instance member would hide a property of the part with the same name.

extension Lens {
    /// Returns a lens to the part of one of two wholes, whichever an `Either` holds.
    ///
    /// An update is in place if both lenses update in place. The operation is `choice` of Monocle, Arrow and Bow.
    ///
    /// ```swift
    /// let name = Lens.choice(Lens(\Cat.name), Lens(\Dog.name))  // Lens<Either<Cat, Dog>, String>
    /// ```
    ///
    /// - Parameters:
    ///   - left: A lens to the part of a `left` value.
    ///   - right: A lens to the part of a `right` value.
    @_alwaysEmitIntoClient
    public static func choice<Left, Right>(_ left: Lens<Left, Part>, _ right: Lens<Right, Part>) -> Lens
    where Whole == Either<Left, Right> {
        // Each lens finds its part in every whole, so the affine finds one of the two.
        let choice = Affine.choice(left, right)
        return Lens(get: { choice.read($0)! }, modify: choice.update)
    }
}

extension Affine {
    /// Returns an affine to the part of one of two wholes, whichever an `Either` holds.
    ///
    /// Each of the two optics may be a lens, a prism, an affine or an iso. An update is in place if both optics update
    /// in place. The operation is `choice` of Monocle's `Optional`.
    ///
    /// ```swift
    /// let phone = Affine.choice(Lens(\Cat.phone), Lens(\Dog.owner).some().phone)
    /// ```
    ///
    /// - Parameters:
    ///   - left: An optic to the part of a `left` value.
    ///   - right: An optic to the part of a `right` value.
    @_alwaysEmitIntoClient
    public static func choice<Left, Right>(
        _ left: some AffineProtocol<Left, Part>, _ right: some AffineProtocol<Right, Part>
    ) -> Affine where Whole == Either<Left, Right> {
        Prism.left().appending(left).orElse(Prism.right().appending(right))
    }
}
