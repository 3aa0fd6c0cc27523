import FunctionalCore
import FunctionalLaws
import PropertyTesting
import Testing

private enum Make {
    static let array = Gen.int(in: 0...9).array(0...3)
    static let text = Gen.string(of: Gen.ascii, 0...3)
}

@Suite("Monoids: laws", .timeLimit(.minutes(10)))
struct MonoidLawTests {
    @Test(arguments: MonoidLaw.allCases)
    func standardTypesSatisfyTheMonoidLaws(_ law: MonoidLaw) async {
        await law.property(of: Make.array).check()
        await law.property(of: Make.text).check()
        await law.property(of: Make.text.optional).check()
        await law.property(of: Gen.int(in: 0...3).dictionary(of: Make.text, 0...3)).check()
    }

    @Test(arguments: MonoidLaw.allCases)
    func programsSatisfyTheMonoidLaws(_ law: MonoidLaw) async {
        await law.property(of: Gen.programPlan().map { plan in plan.program.map { [$0] } }) { left, right in
            await left.trace(3) == right.trace(3)
        }
        .check()
    }

    @Test(arguments: SemigroupLaw.allCases)
    func standardTypesSatisfyTheSemigroupLaws(_ law: SemigroupLaw) async {
        await law.property(of: Make.array).check()
        await law.property(of: Make.text.optional).check()
    }

    @Test func combinePutsTheLeftValueFirst() {
        #expect([1].combine([2]) == [1, 2])
        #expect("a".combine("b") == "ab")
        #expect(["k": "a"].combine(["k": "b"]) == ["k": "ab"])
    }
}
