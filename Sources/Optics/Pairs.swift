// These are static functions, because an instance member would hide a property of the part with the same name.

extension Lens {
    /// Returns a lens from a pair to the pair in which the part of `lens` replaces the first element.
    ///
    /// The part of the returned lens consists of the part of `lens` and the second element. An update may change both.
    /// The operation is `first` of Monocle, Arrow and Bow.
    ///
    /// An update copies collections in the part. To update only the part of `lens`, write `Lens(\.0).appending(lens)`,
    /// which updates in place.
    ///
    /// ```swift
    /// let text = Lens<(Draft, Int), (String, Int)>.first(Lens(\Draft.text))
    /// text.get((Draft(text: "a"), 1))  // ("a", 1)
    /// ```
    @_alwaysEmitIntoClient
    public static func first<Outer, Inner, Other>(_ lens: Lens<Outer, Inner>) -> Lens
    where Whole == (Outer, Other), Part == (Inner, Other) {
        Lens(get: { (lens.get($0.0), $0.1) }, set: { (lens.setting($0.0, $1.0), $1.1) })
    }

    /// Returns a lens from a pair to the pair in which the part of `lens` replaces the second element.
    ///
    /// In all other respects it behaves like ``first(_:)``.
    @_alwaysEmitIntoClient
    public static func second<Outer, Inner, Other>(_ lens: Lens<Outer, Inner>) -> Lens
    where Whole == (Other, Outer), Part == (Other, Inner) {
        Lens(get: { ($0.0, lens.get($0.1)) }, set: { ($1.0, lens.setting($0.1, $1.1)) })
    }
}

extension Affine {
    /// Returns an affine from a pair to the pair in which the part of `optic` replaces the first element.
    ///
    /// The part of the returned affine consists of the part of `optic` and the second element. An update may change
    /// both. If `optic` finds no part, the affine finds no part, and an update changes neither element. An update
    /// copies collections in the part. The operation is `first` of Monocle's `Optional`.
    ///
    /// ```swift
    /// let link = Affine<(Draft, Int), (String, Int)>.first(Lens(\Draft.link).some())
    /// ```
    @_alwaysEmitIntoClient
    public static func first<Outer, Inner, Other>(_ optic: Affine<Outer, Inner>) -> Affine
    where Whole == (Outer, Other), Part == (Inner, Other) {
        Affine(extract: { pair in optic.read(pair.0).map { ($0, pair.1) } }, set: { (optic.setting($0.0, $1.0), $1.1) })
    }

    /// Returns an affine from a pair to the pair in which the part of `optic` replaces the second element.
    ///
    /// In all other respects it behaves like ``first(_:)``.
    @_alwaysEmitIntoClient
    public static func second<Outer, Inner, Other>(_ optic: Affine<Outer, Inner>) -> Affine
    where Whole == (Other, Outer), Part == (Other, Inner) {
        Affine(extract: { pair in optic.read(pair.1).map { (pair.0, $0) } }, set: { ($1.0, optic.setting($0.1, $1.1)) })
    }
}

extension Prism {
    /// Returns a prism from a pair to the pair in which the part of `prism` replaces the first element.
    ///
    /// The part of the returned prism consists of the part of `prism` and the second element. A pair matches if `prism`
    /// matches its first element. The operation is `first` of Monocle's `Prism`.
    ///
    /// ```swift
    /// let number = Prism<(Payment, Int), (String, Int)>.first(Payment.prism(for: Payment.card))
    /// number.embed(("1234", 5))  // (Payment.card(number: "1234"), 5)
    /// ```
    @_alwaysEmitIntoClient
    public static func first<Outer, Inner, Other>(_ prism: Prism<Outer, Inner>) -> Prism
    where Whole == (Outer, Other), Part == (Inner, Other) {
        Prism(embed: { (prism.embed($0.0), $0.1) }, extract: { pair in prism.extract(pair.0).map { ($0, pair.1) } })
    }

    /// Returns a prism from a pair to the pair in which the part of `prism` replaces the second element.
    ///
    /// A pair matches if `prism` matches its second element. In all other respects it behaves like ``first(_:)``.
    @_alwaysEmitIntoClient
    public static func second<Outer, Inner, Other>(_ prism: Prism<Outer, Inner>) -> Prism
    where Whole == (Other, Outer), Part == (Other, Inner) {
        Prism(embed: { ($0.0, prism.embed($0.1)) }, extract: { pair in prism.extract(pair.1).map { (pair.0, $0) } })
    }
}
