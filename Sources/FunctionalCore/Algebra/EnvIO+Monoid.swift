extension EnvIO: Semigroup where Value: Semigroup {
    /// Returns a program that runs this program and then `other`, and combines their values.
    @inlinable
    public func combine(_ other: EnvIO) -> EnvIO {
        zip(other).map { left, right in left.combine(right) }
    }
}

extension EnvIO: Monoid where Value: Monoid {
    /// A program that does nothing and succeeds with the neutral element.
    @inlinable
    public static var empty: EnvIO {
        EnvIO(form: .sync({ _ throws(Failure) in .empty }, depth: 1))
    }
}
