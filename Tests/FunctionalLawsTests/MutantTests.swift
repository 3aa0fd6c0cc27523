import FunctionalLaws
import PropertyTesting
import Testing

/// Tests of the law kit itself: its laws must catch each mutant.
@Suite("Mutants", .timeLimit(.minutes(10)))
struct MutantTests {
    static let all: [Mutant] =
        DispatcherMutant.allCases.map { mutant in
            Mutant("dispatcher \(mutant.rawValue)", mutant.caughtBy) { $0.property(of: mutant) }
        } + WidenMutants.all + CombineMutants.all + OpticMutants.all + MonoidMutants.all + StateMutants.all
        + ProgramMutants.all + OperatorMutants.all + CancellationMutants.all + TextMutants.all
        + ReducerMutants.all

    /// Prints a table of the mutants and the laws that catch them.
    @Test func eachMutantIsCaughtByItsExpectedLaws() async {
        let caught = await withTaskGroup(of: (Int, [String]).self) { group in
            for (index, mutant) in Self.all.enumerated() { group.addTask { (index, await mutant.caughtBy()) } }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        let table = Self.all.enumerated().map { index, mutant in (mutant.name, caught[index] ?? []) }
        for (mutant, (_, laws)) in zip(Self.all, table) {
            #expect(
                Set(laws).isSuperset(of: mutant.expected),
                "\(mutant.name): expected \(mutant.expected), caught by \(laws)")
        }
        let width = table.map(\.0.count).max() ?? 0
        let lines = table.map { name, laws in
            name + String(repeating: " ", count: width - name.count) + "  " + laws.joined(separator: " ")
        }
        print("What is broken, and the laws that notice:\n" + lines.joined(separator: "\n"))
    }

    @Test func eachKindHasEnoughMutants() {
        for kind in [
            "lens", "prism", "affine", "iso", "traversal", "fold", "monoid", "state", "program", "reducer", "widen",
        ] {
            #expect(Self.all.count { $0.name.hasPrefix(kind) } >= 3, "\(kind)")
        }
        #expect(Self.all.count { $0.name.hasPrefix("dispatcher") } >= 15)
    }

    /// The laws that have no mutant, each with the reason.
    static let withoutMutant = [
        "EnvIOLaw.startIsOutcome": "both sides are the one interpreter's: there is no operation to replace"
    ]

    @Test func eachLawCatchesAMutantOrIsListed() {
        var laws: [String] = []
        func add<Law: CaseIterable>(_ kit: Law.Type) { laws += Law.allCases.map { "\(kit).\($0)" } }
        add(SemigroupLaw.self)
        add(MonoidLaw.self)
        add(StateLaw.self)
        add(EnvIOLaw.self)
        add(LensLaw.self)
        add(PrismLaw.self)
        add(AffineLaw.self)
        add(IsoLaw.self)
        add(TraversalLaw.self)
        add(FoldLaw.self)
        add(DispatcherLaw.self)
        add(CombineLaw.self)
        add(WidenLaw.self)
        add(ReducerLaw.self)
        let named = Set(Self.all.flatMap { mutant in mutant.expected.map { "\(mutant.kit).\($0)" } })
        #expect(laws.filter { !named.contains($0) } == Self.withoutMutant.keys.sorted())
    }
}
