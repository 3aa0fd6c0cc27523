import FunctionalCore
import PropertyTesting

/// What every monoid must keep besides ``SemigroupLaw``.
///
/// ```swift
/// @Test(arguments: MonoidLaw.allCases) func money(_ law: MonoidLaw) async {
///     await law.property(of: Gen.int.map(Money.init)).check()
/// }
/// ```
public enum MonoidLaw: String, CaseIterable, Sendable {
    /// `(a <> b) <> c == a <> (b <> c)`
    case associativity = "(a <> b) <> c == a <> (b <> c)"
    /// `empty <> a == a`
    case leftIdentity = "empty <> a == a"
    /// `a <> empty == a`
    case rightIdentity = "a <> empty == a"
    /// `combineAll([a, b, c]) == a <> b <> c`
    case combineAll = "combineAll([a, b, c]) == a <> b <> c"
    /// `combineAll([]) == empty`
    case combineAllOfNone = "combineAll([]) == empty"
}

extension MonoidLaw {
    /// The law for a monoid of yours; `isEqual` says when two values are the same, such as functions or programs.
    public func property<Value: Monoid>(
        of values: Gen<Value>, by isEqual: nonisolated(nonsending) @escaping @Sendable (Value, Value) async -> Bool
    ) -> Property {
        Property(Gen.zip(values, values, values).map { (a: $0, b: $1, c: $2) }) { sample in
            let (a, b, c) = sample
            let (left, right) =
                switch self {
                case .associativity: (a.combine(b).combine(c), a.combine(b.combine(c)))
                case .leftIdentity: (Value.empty.combine(a), a)
                case .rightIdentity: (a.combine(.empty), a)
                case .combineAll: (Value.combineAll([a, b, c]), a.combine(b).combine(c))
                case .combineAllOfNone: (Value.combineAll([]), .empty)
                }
            let isSame = await isEqual(left, right)
            try Verdict(law: rawValue).same(left, right) { _, _ in isSame }
        }
    }

    /// The law for a monoid of yours, whose values are compared by `==`, and text in them by its Unicode scalars.
    public func property<Value: Monoid & Equatable>(of values: Gen<Value>) -> Property {
        property(of: values) { isSame($0, $1) }
    }
}
