import FunctionalCore
import PropertyTesting

/// What every semigroup must keep.
public enum SemigroupLaw: String, CaseIterable, Sendable {
    /// `(a <> b) <> c == a <> (b <> c)`
    case associativity = "(a <> b) <> c == a <> (b <> c)"
    /// Combining changes neither of the two: `a <> b` is the same each time.
    case repeatability = "a <> b == a <> b"
}

extension SemigroupLaw {
    /// The law for a semigroup of yours; `isEqual` says when two values are the same, such as functions or programs.
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

    /// The law for a semigroup of yours, whose values are compared by `==`, and text in them by its Unicode scalars.
    public func property<Value: Semigroup & Equatable>(of values: Gen<Value>) -> Property {
        property(of: values) { isSame($0, $1) }
    }
}
