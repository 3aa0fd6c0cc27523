extension EnvIO: Semigroup where Value: Semigroup {
    /// This program and then `other`, and their values combined.
    @inlinable
    public func combine(_ other: EnvIO) -> EnvIO {
        zip(other).map { left, right in left.combine(right) }
    }
}

extension EnvIO: Monoid where Value: Monoid {
    /// The program that does nothing and ends in the neutral value.
    @inlinable
    public static var empty: EnvIO {
        EnvIO(form: .sync({ _ throws(Failure) in .empty }, depth: 1))
    }
}
