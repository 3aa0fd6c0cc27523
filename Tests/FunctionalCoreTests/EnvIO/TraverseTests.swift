import FunctionalCore
import PropertyTesting
import TestSupport
import Testing

@Suite("Traverse", .cases(200), .timeLimit(.minutes(10)))
struct TraverseTests {
    @Test("Traversing equals a chain of flatMaps")
    func chains() async {
        await forAll(Gen.programPlan().array(0...8), Gen.int(in: -50...50)) { plans, number in
            let chain = plans.reduce(EnvIO<ProgramWorld, ProgramFailure, [Int]>.pure([])) { values, plan in
                values.flatMap { values in plan.program.map { values + [$0] } }
            }
            let expected = await chain.trace(number)
            #expect(await plans.traverse(\.program).trace(number) == expected)
        }
    }

    @Test func aProgramThatRunsTwiceAtOnceKeepsItsValuesApart() throws {
        let both = (1...3).traverse { number in step("\(number)").after(number) }
        #expect(try World().outcome(of: both.parZip(both).map { $0 + $1 }) == .value(["1", "2", "3", "1", "2", "3"]))
    }

    @Test func aRetriedTraversalRestartsFromTheFirstElement() throws {
        let (world, attempts) = (World(), Guarded(0))
        let program = ["a", "b"].traverse { name in
            step(name).flatMap { name in attempts.increment() == 2 ? .fail(Broken()) : .pure(name) }
        }
        #expect(try world.outcome(of: program.retry(.recurs(1))) == .value(["a", "b"]))
        #expect(world.log.lines == ["0 a", "0 b", "0 a", "0 b"])
    }
}
