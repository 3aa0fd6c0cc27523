import FunctionalLaws
import PropertyTesting
import Testing

/// The kit itself: whatever is broken is caught by the law that is there to catch it.
@Suite("Mutants")
struct MutantTests {
    static let all: [Mutant] =
        DispatcherMutant.allCases.map { mutant in
            Mutant("dispatcher \(mutant.rawValue)", mutant.caughtBy) { $0.property(of: mutant) }
        } + WidenMutants.all + OpticMutants.all + MonoidMutants.all + StateMutants.all + ProgramMutants.all
        + ReducerMutants.all

    /// Prints the table: which laws notice what.
    @Test func eachIsCaughtByTheLawsThatAreThereForIt() async {
        var table: [(String, [String])] = []
        for mutant in Self.all {
            let caught = await mutant.caughtBy()
            table.append((mutant.name, caught))
            #expect(
                Set(caught).isSuperset(of: mutant.expected),
                "\(mutant.name): expected \(mutant.expected), caught by \(caught)")
        }
        let width = table.map(\.0.count).max() ?? 0
        let lines = table.map { name, laws in
            name + String(repeating: " ", count: width - name.count) + "  " + laws.joined(separator: " ")
        }
        print("What is broken, and the laws that notice:\n" + lines.joined(separator: "\n"))
    }

    @Test func thereAreEnough() {
        for kind in ["lens", "prism", "affine", "iso", "traversal", "monoid", "state", "program", "reducer", "widen"] {
            #expect(Self.all.count { $0.name.hasPrefix(kind) } >= 3, "\(kind)")
        }
        #expect(Self.all.count { $0.name.hasPrefix("dispatcher") } >= 15)
    }
}
