import FunctionalCore
import TestSupport
import Testing

/// The laws of semigroups and monoids. `==` is given, for values that have none of their own.
enum MonoidLaw: String, CaseIterable, Sendable {
    case associativity = "(a <> b) <> c == a <> (b <> c)"
    case leftIdentity = "empty <> a == a"
    case rightIdentity = "a <> empty == a"
    case combineAll = "combineAll(xs) == xs.reduce(empty, <>)"
    case combineAllOfNone = "combineAll([]) == empty"

    func holds<M: Monoid>(_ make: (inout SeededGenerator) -> M, _ isEqual: (M, M) async -> Bool) async -> Bool {
        for seed in 0..<100 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let (a, b, c) = (make(&random), make(&random), make(&random))
            let sides: (M, M) =
                switch self {
                case .associativity: (a.combine(b).combine(c), a.combine(b.combine(c)))
                case .leftIdentity: (M.empty.combine(a), a)
                case .rightIdentity: (a.combine(.empty), a)
                case .combineAll: (M.combineAll([a, b, c]), M.empty.combine(a).combine(b).combine(c))
                case .combineAllOfNone: (M.combineAll([]), .empty)
                }
            guard await isEqual(sides.0, sides.1) else { return false }
        }
        return true
    }
}

extension SeededGenerator {
    mutating func array() -> [Int] {
        (0..<Int.random(in: 0...3, using: &self)).map { _ in Int.random(in: 0...9, using: &self) }
    }

    mutating func text() -> String {
        String(array().map { Character("\($0)") })
    }

    mutating func function() -> Function<Int, [Int]> {
        let (threshold, low, high) = (Int.random(in: 0...9, using: &self), array(), array())
        return Function { $0 < threshold ? low : high }
    }

    mutating func endo() -> Endo<Int> {
        let (factor, term) = (Int.random(in: 0...9, using: &self), Int.random(in: 0...9, using: &self))
        return Endo { $0 &* factor &+ term }
    }
}

@Suite("Monoids: laws")
struct MonoidLawTests {
    @Test(arguments: MonoidLaw.allCases)
    func standardTypes(_ law: MonoidLaw) async {
        #expect(await law.holds({ $0.array() }, ==))
        #expect(await law.holds({ $0.text() }, ==))
        #expect(await law.holds({ random in Bool.random(using: &random) ? random.text() : nil as String? }, ==))
        #expect(
            await law.holds(
                { random in Dictionary(random.array().map { ($0, random.text()) }, uniquingKeysWith: { $1 }) }, ==))
    }

    @Test(arguments: MonoidLaw.allCases)
    func wrappers(_ law: MonoidLaw) async {
        #expect(await law.holds({ Pair($0.array(), $0.text()) }, ==))
        #expect(await law.holds({ $0.function() }, { left, right in (0...9).allSatisfy { left($0) == right($0) } }))
        #expect(await law.holds({ $0.endo() }, { left, right in (-5...5).allSatisfy { left($0) == right($0) } }))
    }

    @Test(arguments: MonoidLaw.allCases)
    func programs(_ law: MonoidLaw) async {
        #expect(
            await law.holds(
                { random in random.plan().program.map { [$0] } },
                { left, right in await left.trace(3) == right.trace(3) }))
    }

    /// Not associative, not neutral: what the laws are there to notice.
    @Test func brokenMonoidsAreCaught() async {
        struct Difference: Monoid, Equatable {
            var value: Int
            func combine(_ other: Difference) -> Difference { Difference(value: value - other.value) }
            static var empty: Difference { Difference(value: 0) }
        }
        struct WrongEmpty: Monoid, Equatable {
            var value: Int
            func combine(_ other: WrongEmpty) -> WrongEmpty { WrongEmpty(value: value + other.value) }
            static var empty: WrongEmpty { WrongEmpty(value: 1) }
        }
        struct KeepsLeft: Monoid, Equatable {
            var value: Int
            func combine(_ other: KeepsLeft) -> KeepsLeft { self }
            static var empty: KeepsLeft { KeepsLeft(value: 0) }
        }
        func broken<M: Monoid & Equatable>(_ make: (inout SeededGenerator) -> M) async -> Set<MonoidLaw> {
            var broken: Set<MonoidLaw> = []
            for law in MonoidLaw.allCases where await !law.holds(make, ==) { broken.insert(law) }
            return broken
        }
        #expect(await broken { Difference(value: .random(in: 0...9, using: &$0)) }.contains(.associativity))
        #expect(
            await broken { WrongEmpty(value: .random(in: 0...9, using: &$0)) }.isSuperset(of: [
                .leftIdentity, .rightIdentity,
            ]))
        #expect(await broken { KeepsLeft(value: .random(in: 0...9, using: &$0)) }.contains(.leftIdentity))
    }

    @Test func theLeftComesFirst() {
        #expect([1].combine([2]) == [1, 2])
        #expect("a".combine("b") == "ab")
        #expect(Endo<Int> { $0 + 1 }.combine(Endo { $0 * 2 })(3) == 8)
        #expect(["k": "a"].combine(["k": "b"]) == ["k": "ab"])
    }
}
