extension Prism where Whole == Part? {
    /// A prism to the value of an optional that is not `nil`.
    ///
    /// An update changes the value in place.
    ///
    /// ```swift
    /// Prism<Int?, Int>.some.modify(&number) { $0 += 1 }  // nil stays nil
    /// ```
    @_alwaysEmitIntoClient
    public static var some: Prism {
        Prism(
            embed: { $0 },
            extract: { $0 },
            modify: { whole, change in
                guard whole != nil else { return }
                change(&whole!)
            }
        )
    }
}

extension PrismProtocol {
    /// Returns a prism to the value of the optional that is this optic's part.
    ///
    /// It does not match if the optional is `nil`.
    @_alwaysEmitIntoClient
    public func some<Wrapped>() -> Prism<Whole, Wrapped> where Part == Wrapped? {
        appending(Prism<Wrapped?, Wrapped>.some)
    }
}

extension AffineProtocol {
    /// Returns an affine to the value of the optional that is this optic's part.
    ///
    /// It does not match if the optional is `nil`.
    ///
    /// ```swift
    /// let user = Lens(\App.user).some()
    /// ```
    @_alwaysEmitIntoClient
    public func some<Wrapped>() -> Affine<Whole, Wrapped> where Part == Wrapped? {
        appending(Prism<Wrapped?, Wrapped>.some)
    }
}

extension TraversalProtocol {
    /// Returns a traversal of the values of the optionals that are this optic's parts.
    ///
    /// It skips optionals that are `nil`.
    @_alwaysEmitIntoClient
    public func some<Wrapped>() -> Traversal<Whole, Wrapped> where Part == Wrapped? {
        appending(Prism<Wrapped?, Wrapped>.some)
    }
}

extension FoldProtocol {
    /// Returns a fold of the values of the optionals that are this optic's parts.
    ///
    /// It skips optionals that are `nil`.
    @_alwaysEmitIntoClient
    public func some<Wrapped>() -> Fold<Whole, Wrapped> where Part == Wrapped? {
        appending(Prism<Wrapped?, Wrapped>.some)
    }
}
