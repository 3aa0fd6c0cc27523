import FunctionalCore
import PropertyTesting

/// The laws of semigroups.
///
/// A type that is also a monoid must satisfy ``MonoidLaw`` as well.
public enum SemigroupLaw: String, CaseIterable, Sendable {
    case associativity = "(a <> b) <> c == a <> (b <> c)"
    /// Combining the same two values again gives an equal result, because combining changes neither of them.
    case repeatability = "a <> b == a <> b"
}

extension SemigroupLaw {
    /// Returns a property that checks this law for a semigroup, with a closure that compares its values.
    ///
    /// Use it for values without `==`, such as functions or programs.
    ///
    /// - Parameters:
    ///   - values: Generates the values to combine.
    ///   - isEqual: Returns whether two values are equal.
    public func property<Value: Semigroup>(
        of values: Gen<Value>, by isEqual: nonisolated(nonsending) @escaping @Sendable (Value, Value) async -> Bool
    ) -> Property {
        Property(Gen.zip(values, values, values).map { (a: $0, b: $1, c: $2) }) { sample in
            let (a, b, c) = sample
            let (left, right) =
                switch self {
                case .associativity: (a.combine(b).combine(c), a.combine(b.combine(c)))
                case .repeatability: (a.combine(b), a.combine(b))
                }
            let isSame = await isEqual(left, right)
            try Verdict(law: rawValue).same(left, right) { _, _ in isSame }
        }
    }

    /// Returns a property that checks this law for a semigroup whose values are `Equatable`.
    ///
    /// Two values are equal if `==` returns `true` and their text has the same Unicode scalars. NaN is equal to NaN.
    /// The overview of ``FunctionalLaws`` states the exceptions.
    ///
    /// - Parameter values: Generates the values to combine.
    public func property<Value: Semigroup & Equatable>(of values: Gen<Value>) -> Property {
        property(of: values) { isSame($0, $1) }
    }
}
