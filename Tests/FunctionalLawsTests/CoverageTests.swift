import FunctionalLaws
import Optics
import PropertyTesting
import Testing

/// A law of an optic fails if the generated wholes do not exercise it.
@Suite("Coverage of the laws", .timeLimit(.minutes(10)))
struct CoverageTests {
    private let screen = Prism(Screen.loading) { if case .loading(let count) = $0 { count } else { nil } }
    private let first = Affine<[Int], Int>(
        extract: { $0.first }, modify: { numbers, change in if !numbers.isEmpty { change(&numbers[0]) } })
    private let idle = Gen.always(Screen.idle)
    private let none = Gen.always([Int]())

    @Test(arguments: PrismLaw.allCases)
    func aPrismMustHaveMatched(_ law: PrismLaw) async {
        let needsNoPart: Set<PrismLaw> = [.extractWhatYouEmbed, .aMissIsLeftAloneAndTheClosureNotCalled]
        let found = await law.property(of: screen, whole: idle, part: number).falsify()
        #expect(
            found?.description
                == (needsNoPart.contains(law)
                    ? nil
                    : """
                    Too few cases with "a part in the whole": 0 of 100, at least 1% wanted.
                        labels: 0% a part in the whole (100 cases)
                    """))
        #expect(await law.property(of: screen, whole: idle, part: number, atLeast: 0).falsify() == nil)
    }

    @Test func theLawAboutMissesMustHaveMetOne() async {
        let loading = number.map(Screen.loading)
        let prismLaw = PrismLaw.aMissIsLeftAloneAndTheClosureNotCalled
        #expect(
            await prismLaw.property(of: screen, whole: loading, part: number).falsify()?.description
                == """
                Too few cases with "no part in the whole": 0 of 100, at least 1% wanted.
                    labels: 0% no part in the whole (100 cases)
                """)
        #expect(await prismLaw.property(of: screen, whole: loading, part: number, atLeast: 0).falsify() == nil)
        let affineLaw = AffineLaw.whereThereIsNoPartNothingHappens
        let some = number.array(1...5)
        #expect(await affineLaw.property(of: first, whole: some, part: number).falsify() != nil)
        #expect(await affineLaw.property(of: first, whole: some, part: number, atLeast: 0).falsify() == nil)
    }

    @Test(arguments: AffineLaw.allCases)
    func anAffineMustHaveFoundAPart(_ law: AffineLaw) async {
        let found = await law.property(of: first, whole: none, part: number).falsify()
        #expect((found == nil) == (law == .whereThereIsNoPartNothingHappens))
        #expect(await law.property(of: first, whole: none, part: number, atLeast: 0).falsify() == nil)
    }

    @Test(arguments: TraversalLaw.allCases)
    func aTraversalMustHaveVisitedAPart(_ law: TraversalLaw) async {
        let each = Traversal<[Int], Int>.each
        #expect(await isNotCovered(law.property(of: each, whole: none, part: number)))
        #expect(await law.property(of: each, whole: none, part: number, atLeast: 0).falsify() == nil)
    }

    @Test(arguments: FoldLaw.allCases)
    func aFoldMustHaveVisitedAPart(_ law: FoldLaw) async {
        let each = Fold<[Int], Int>.each
        #expect(await isNotCovered(law.property(of: each, whole: none, part: number)))
        #expect(await law.property(of: each, whole: none, part: number, atLeast: 0).falsify() == nil)
    }

    private func isNotCovered(_ property: Property) async -> Bool {
        if case .notCovered? = await property.falsify()?.reason { true } else { false }
    }
}
