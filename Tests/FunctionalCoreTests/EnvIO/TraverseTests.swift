import FunctionalCore
import PropertyTesting
import TestSupport
import Testing

@Suite("Traverse", .cases(200), .timeLimit(.minutes(10)))
struct TraverseTests {
    @Test("Traversing with pure programs equals map, in the order of the elements")
    func answers() async {
        await forAll(Gen.int.array(0...20)) { numbers in
            let all = numbers.traverse { EnvIO<Void, Never, String>.pure("\($0)") }
            #expect(all.runSync(()) == numbers.map { "\($0)" })
        }
    }

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

    @Test func eachProgramStartsAfterThePreviousOneEnds() throws {
        let world = World()
        let program = (1...3).traverse { number in step("\(number)").after(number).guarded("\(number)", winding: 1) }
        #expect(try world.outcome(of: program) == .value(["1", "2", "3"]))
        #expect(
            world.log.lines == [
                "0 open 1", "1 1", "2 close 1", "2 open 2", "4 2", "5 close 2", "5 open 3", "8 3", "9 close 3",
            ])
    }

    @Test func noProgramStartsAfterAFailure() throws {
        let world = World()
        let program = ["a", "b", "c"].traverse { name in name == "b" ? failing(name) : step(name) }
        #expect(try world.outcome(of: program) == .failure(Broken(name: "b")))
        #expect(world.log.lines == ["0 a", "0 b"])
    }

    @Test func aProgramThatRunsTwiceAtOnceKeepsItsValuesApart() throws {
        let world = World()
        let both = (1...3).traverse { number in step("\(number)").after(number) }
        #expect(try world.outcome(of: both.parZip(both).map { $0 + $1 }) == .value(["1", "2", "3", "1", "2", "3"]))
    }

    @Test func aRetriedTraversalRestartsFromTheFirstElement() throws {
        let world = World()
        let attempts = Ref(0)
        let program = ["a", "b"].traverse { name in
            step(name).flatMap { name in
                Step<String> { _ throws(Broken) in
                    let attempt = attempts.modify { count in
                        count += 1
                        return count
                    }
                    if attempt == 2 { throw Broken() }
                    return name
                }
            }
        }
        #expect(try world.outcome(of: program.retry(.recurs(1))) == .value(["a", "b"]))
        #expect(world.log.lines == ["0 a", "0 b", "0 a", "0 b"])
    }
}
