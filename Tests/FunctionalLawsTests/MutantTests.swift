import DispatcherLaws
import FunctionalLaws
import PropertyTesting
import Testing

/// Tests of the law kit itself: its laws must notice each broken instance.
@Suite("Mutants", .timeLimit(.minutes(10)))
struct MutantTests {
    @Test(arguments: Mutant.all)
    func aBrokenInstanceIsNoticedByItsLaws(_ mutant: Mutant) async {
        for (name, property) in mutant.laws {
            let found = await property.falsify(settings: .init(cases: 60, seed: 1, shrinkTries: 0))
            switch found?.reason {
            case .failed, .flaky: break
            // A law with too few relevant inputs notices nothing.
            case .discarded, .notCovered, .cancelled, nil: Issue.record("\(name) notices nothing.")
            }
        }
    }

    @Test(arguments: Mutant.all.filter { $0.counterexample != nil })
    func aCounterexampleShowsTheSmallestInput(_ mutant: Mutant) async throws {
        let found = await mutant.laws.first?.property.falsify(settings: .init(seed: 1))
        #expect(found?.counterexample == mutant.counterexample)
    }

    @Test func eachLawHasABrokenInstance() {
        func laws<Law: CaseIterable>(_ kit: Law.Type) -> [String] { Law.allCases.map { "\(kit).\($0)" } }
        let all =
            laws(SemigroupLaw.self) + laws(MonoidLaw.self) + laws(LensLaw.self) + laws(PrismLaw.self)
            + laws(AffineLaw.self) + laws(IsoLaw.self) + laws(TraversalLaw.self) + laws(FoldLaw.self)
            + laws(CombineLaw.self) + laws(WidenLaw.self) + laws(ReducerLaw.self)
        let noticing = Set(Mutant.all.flatMap { mutant in mutant.laws.map { "\(mutant.kit).\($0.name)" } })
        #expect(all.filter { !noticing.contains($0) } == [])
    }
}
