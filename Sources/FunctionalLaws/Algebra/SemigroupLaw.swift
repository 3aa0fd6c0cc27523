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
        let verdict = Verdict(law: rawValue)
        switch self {
        case .associativity:
            return Property(Gen.zip(values, values, values).map { (a: $0, b: $1, c: $2) }) { a, b, c in
                let (left, right) = (a.combine(b).combine(c), a.combine(b.combine(c)))
                let isSame = await isEqual(left, right)
                try verdict.same(left, right) { _, _ in isSame }
            }
        case .repeatability:
            // The twins were not combined before. The results are compared with theirs, because an object that combining
            // changes may be both results.
            return Property(Gen.zip(values.twins, values.twins).map { (a: $0, b: $1) }) { a, b in
                _ = a.0.combine(b.0)
                let (left, right) = (a.0.combine(b.0), a.1.combine(b.1))
                let isSame = await isEqual(left, right)
                try verdict.same(left, right) { _, _ in isSame }
            }
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
