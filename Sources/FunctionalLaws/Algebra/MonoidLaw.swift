import FunctionalCore
import PropertyTesting

/// The laws of monoids.
///
/// Check ``SemigroupLaw`` as well: both include associativity, but only ``SemigroupLaw`` includes repeatability.
///
/// ```swift
/// @Test(arguments: MonoidLaw.allCases) func money(_ law: MonoidLaw) async {
///     await law.property(of: Gen.int.map(Money.init)).check()
/// }
/// ```
public enum MonoidLaw: String, CaseIterable, Sendable {
    case associativity = "(a <> b) <> c == a <> (b <> c)"
    case leftIdentity = "empty <> a == a"
    case rightIdentity = "a <> empty == a"
    case combineAll = "combineAll([a, b, c]) == a <> b <> c"
    case combineAllOfNone = "combineAll([]) == empty"
}

extension MonoidLaw {
    /// Returns a property that checks this law for a monoid, with a closure that compares its values.
    ///
    /// Use it for values without `==`, such as functions or programs.
    ///
    /// - Parameters:
    ///   - values: Generates the values to combine.
    ///   - isEqual: Returns whether two values are equal.
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

    /// Returns a property that checks this law for a monoid whose values are `Equatable`.
    ///
    /// Two values are equal if `==` returns `true` and their text has the same Unicode scalars. NaN is equal to NaN.
    /// The overview of ``FunctionalLaws`` states the exceptions.
    ///
    /// - Parameter values: Generates the values to combine.
    public func property<Value: Monoid & Equatable>(of values: Gen<Value>) -> Property {
        property(of: values) { isSame($0, $1) }
    }
}
