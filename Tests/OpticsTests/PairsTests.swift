import FunctionalLaws
import Optics
import PropertyTesting
import Testing

@Suite("Optics lifted to pairs", .cases(200), .timeLimit(.minutes(10)))
struct PairsTests {
    private let name = Lens(\Row.name)

    @Test func aLensIsLiftedToPairs() {
        let first = Lens<(Row, Int), (String, Int)>.first(name)
        let second = Lens<(Int, Row), (Int, String)>.second(name)
        let row = Row(name: "Ann")

        #expect(first.get((row, 1)) == ("Ann", 1) && second.get((1, row)) == (1, "Ann"))
        #expect(first.setting((row, 1), ("Zoe", 2)) == (Row(name: "Zoe"), 2))
        #expect(second.setting((1, row), (2, "Zoe")) == (2, Row(name: "Zoe")))
    }

    /// The type of the other element follows from the optic before it.
    @Test func theOtherElementIsInferredWhereALensIsAppended() {
        struct Versioned { var pair = (Row(name: "Ann"), 1) }
        let part = Lens(\Versioned.pair).appending(Lens.first(name))
        var versioned = Versioned()

        part.modify(&versioned) { pair in
            pair.0 += "!"
            pair.1 += 1
        }
        #expect(versioned.pair == (Row(name: "Ann!"), 2))
    }

    @Test func anAbsentPartOfAnAffineLeavesThePair() {
        let first = Affine<(Screen, Int), (Int, Int)>.first(Optic.loaded.id)
        let second = Affine<(Int, Screen), (Int, Int)>.second(Optic.loaded.id)

        #expect(first.extract((.idle, 1)) == nil && second.extract((1, .idle)) == nil)
        #expect(first.setting((.idle, 1), (2, 2)) == (.idle, 1) && second.setting((1, .idle), (2, 2)) == (1, .idle))
        #expect(first.setting((.loaded(Row(id: 1)), 1), (2, 3)) == (.loaded(Row(id: 2)), 3))
        #expect(second.setting((1, .loaded(Row(id: 1))), (3, 2)) == (3, .loaded(Row(id: 2))))
    }

    @Test func aPrismIsLiftedToPairs() throws {
        let first = Prism<(Screen, String), (Int, String)>.first(Optic.loading)
        let second = Prism<(String, Screen), (String, Int)>.second(Optic.loading)

        #expect(first.embed((1, "a")) == (.loading(1), "a") && second.embed(("a", 1)) == ("a", .loading(1)))
        #expect(try #require(first.extract((.loading(1), "a"))) == (1, "a") && first.extract((.idle, "a")) == nil)
        #expect(try #require(second.extract(("a", .loading(1)))) == ("a", 1) && second.extract(("a", .idle)) == nil)
        #expect(first.setting((.loading(1), "a"), (2, "b")) == (.loading(2), "b"))
        #expect(second.setting(("a", .idle), ("b", 2)) == ("a", .idle))
    }

    @Test(arguments: LensLaw.allCases)
    func lensesOfPairsSatisfyTheirLaws(_ law: LensLaw) async {
        let first = Lens<(Row, Int), (String, Int)>.first(name)
        let second = Lens<(Int, Row), (Int, String)>.second(name)
        await law.property(
            of: first, whole: .zip(Row.gen, Int.gen), part: .zip(String.gen, Int.gen), wholes: { $0 == $1 },
            parts: { $0 == $1 }
        ).check()
        await law.property(
            of: second, whole: .zip(Int.gen, Row.gen), part: .zip(Int.gen, String.gen), wholes: { $0 == $1 },
            parts: { $0 == $1 }
        ).check()
    }

    @Test(arguments: AffineLaw.allCases)
    func affinesOfPairsSatisfyTheirLaws(_ law: AffineLaw) async {
        let first = Affine<(Screen, Int), (String, Int)>.first(Optic.loaded.name)
        let second = Affine<(Int, Screen), (Int, String)>.second(Optic.loaded.name)
        await law.property(
            of: first, whole: .zip(Screen.gen, Int.gen), part: .zip(String.gen, Int.gen), wholes: { $0 == $1 },
            parts: { $0 == $1 }
        ).check()
        await law.property(
            of: second, whole: .zip(Int.gen, Screen.gen), part: .zip(Int.gen, String.gen), wholes: { $0 == $1 },
            parts: { $0 == $1 }
        ).check()
    }

    @Test(arguments: PrismLaw.allCases)
    func prismsOfPairsSatisfyTheirLaws(_ law: PrismLaw) async {
        let first = Prism<(Screen, Int), (Row, Int)>.first(Optic.loaded)
        let second = Prism<(Int, Screen), (Int, Row)>.second(Optic.loaded)
        await law.property(
            of: first, whole: .zip(Screen.gen, Int.gen), part: .zip(Row.gen, Int.gen), wholes: { $0 == $1 },
            parts: { $0 == $1 }
        ).check()
        await law.property(
            of: second, whole: .zip(Int.gen, Screen.gen), part: .zip(Int.gen, Row.gen), wholes: { $0 == $1 },
            parts: { $0 == $1 }
        ).check()
    }
}
