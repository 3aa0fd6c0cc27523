import FunctionalCore
import FunctionalLaws
import PropertyTesting

/// Types that break a law of monoids or semigroups.
enum MonoidMutants {
    struct Difference: Monoid, Equatable {
        var value: Int
        func combine(_ other: Difference) -> Difference { Difference(value: value - other.value) }
        static let empty = Difference(value: 0)
    }

    struct WrongEmpty: Monoid, Equatable {
        var value: Int
        func combine(_ other: WrongEmpty) -> WrongEmpty { WrongEmpty(value: value + other.value) }
        static let empty = WrongEmpty(value: 1)
    }

    struct KeepsLeft: Monoid, Equatable {
        var value: Int
        func combine(_ other: KeepsLeft) -> KeepsLeft { self }
        static let empty = KeepsLeft(value: 0)
    }

    struct KeepsRight: Monoid, Equatable {
        var value: Int
        func combine(_ other: KeepsRight) -> KeepsRight { other }
        static let empty = KeepsRight(value: 0)
    }

    struct CountsEmpties: Monoid, Equatable {
        private static let count = Counter()
        var value: Int
        func combine(_ other: CountsEmpties) -> CountsEmpties { CountsEmpties(value: value + other.value) }
        static var empty: CountsEmpties { CountsEmpties(value: count.next()) }
    }

    struct CountsCombinations: Semigroup, Equatable {
        private static let count = Counter()
        var value: Int
        func combine(_ other: CountsCombinations) -> CountsCombinations {
            CountsCombinations(value: value + other.value + Self.count.next())
        }
    }

    /// An object that appends another one to itself.
    final class AppendsInPlace: Semigroup, Equatable, @unchecked Sendable {
        // Unchecked: a property runs its cases one after another.
        private var values: [Int]

        init(value: Int) { values = [value] }

        func combine(_ other: AppendsInPlace) -> AppendsInPlace {
            values += other.values
            return self
        }

        static func == (left: AppendsInPlace, right: AppendsInPlace) -> Bool { left.values == right.values }
    }

    static var all: [Mutant] {
        [
            monoid(
                "subtracts", [.associativity, .leftIdentity], Difference.init,
                counterexample: "(a: Difference(value: 0), b: Difference(value: 0), c: Difference(value: 1))"),
            monoid("has a wrong empty", [.leftIdentity, .rightIdentity, .combineAll], WrongEmpty.init),
            monoid("keeps the left", [.leftIdentity], KeepsLeft.init),
            monoid("keeps the right", [.rightIdentity], KeepsRight.init),
            monoid("has another empty each time", [.combineAllOfNone], CountsEmpties.init),
            semigroup("subtracts", .associativity, Difference.init),
            semigroup("counts its combinations", .repeatability, CountsCombinations.init),
            semigroup("changes its left object", .repeatability, AppendsInPlace.init),
        ]
    }

    private static func monoid<Value: Monoid & Equatable>(
        _ name: String, _ laws: [MonoidLaw], _ make: @escaping @Sendable (Int) -> Value, counterexample: String? = nil
    ) -> Mutant {
        Mutant("A monoid \(name)", laws, counterexample: counterexample) { $0.property(of: number.map(make)) }
    }

    private static func semigroup<Value: Semigroup & Equatable>(
        _ name: String, _ law: SemigroupLaw, _ make: @escaping @Sendable (Int) -> Value
    ) -> Mutant {
        Mutant("A semigroup \(name)", [law]) { $0.property(of: number.map(make)) }
    }
}
