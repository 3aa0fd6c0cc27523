import FunctionalLaws
import Optics
import PropertyTesting
import Testing

@Suite("Optics lifted to pairs", .cases(200), .timeLimit(.minutes(10)))
struct PairsTests {
    private let name = Lens(\Row.name)

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

    @Test(arguments: LensLaw.allCases)
    func lensesOfPairsSatisfyTheirLaws(_ law: LensLaw) async {
        await law.property(
            of: Lens<(Row, Int), (String, Int)>.first(name), whole: .zip(Row.gen, Int.gen),
            part: .zip(String.gen, Int.gen), wholes: { $0 == $1 }, parts: { $0 == $1 }
        ).check()
        await law.property(
            of: Lens<(Int, Row), (Int, String)>.second(name), whole: .zip(Int.gen, Row.gen),
            part: .zip(Int.gen, String.gen), wholes: { $0 == $1 }, parts: { $0 == $1 }
        ).check()
    }

    @Test(arguments: AffineLaw.allCases)
    func affinesOfPairsSatisfyTheirLaws(_ law: AffineLaw) async {
        await law.property(
            of: Affine<(Screen, Int), (String, Int)>.first(Optic.loaded.name), whole: .zip(Screen.gen, Int.gen),
            part: .zip(String.gen, Int.gen), wholes: { $0 == $1 }, parts: { $0 == $1 }
        ).check()
        await law.property(
            of: Affine<(Int, Screen), (Int, String)>.second(Optic.loaded.name), whole: .zip(Int.gen, Screen.gen),
            part: .zip(Int.gen, String.gen), wholes: { $0 == $1 }, parts: { $0 == $1 }
        ).check()
    }

    @Test(arguments: PrismLaw.allCases)
    func prismsOfPairsSatisfyTheirLaws(_ law: PrismLaw) async {
        await law.property(
            of: Prism<(Screen, Int), (Row, Int)>.first(Optic.loaded), whole: .zip(Screen.gen, Int.gen),
            part: .zip(Row.gen, Int.gen), wholes: { $0 == $1 }, parts: { $0 == $1 }
        ).check()
        await law.property(
            of: Prism<(Int, Screen), (Int, Row)>.second(Optic.loaded), whole: .zip(Int.gen, Screen.gen),
            part: .zip(Int.gen, Row.gen), wholes: { $0 == $1 }, parts: { $0 == $1 }
        ).check()
    }
}
