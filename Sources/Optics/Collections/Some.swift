extension Prism where Whole == Part? {
    /// The value of an optional that is not `nil`. In place.
    ///
    /// ```swift
    /// Prism<Int?, Int>.some.modify(&number) { $0 += 1 }  // nothing happens to nil
    /// ```
    @inlinable
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

extension PrismConvertible {
    /// The value of the optional this optic leads to, where it is not `nil`.
    @inlinable
    public func some<Wrapped>() -> Prism<Whole, Wrapped> where Part == Wrapped? {
        appending(Prism<Wrapped?, Wrapped>.some)
    }
}

extension AffineConvertible {
    /// The value of the optional this optic leads to, where it is not `nil`.
    ///
    /// ```swift
    /// let user = Lens(\App.user).some()
    /// ```
    @inlinable
    public func some<Wrapped>() -> Affine<Whole, Wrapped> where Part == Wrapped? {
        appending(Prism<Wrapped?, Wrapped>.some)
    }
}

extension TraversalConvertible {
    /// The value of each optional this optic leads to that is not `nil`.
    @inlinable
    public func some<Wrapped>() -> Traversal<Whole, Wrapped> where Part == Wrapped? {
        appending(Prism<Wrapped?, Wrapped>.some)
    }
}
