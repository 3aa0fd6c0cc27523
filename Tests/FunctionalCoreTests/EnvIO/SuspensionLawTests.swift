import FunctionalCore
import PropertyTesting
import TestSupport
import Testing

@Suite("Laws: creation and callbacks", .cases(200), .timeLimit(.minutes(10)))
struct SuspensionLawTests {
    @Test("SU1. Creating a program runs nothing")
    func building() async {
        await forAll(Gen.programPlan(), Gen.programPlan()) { x, y in
            let world = ProgramWorld(number: 1)
            let (x, y) = (x.program.contramap { (_: Int) in world }, y.program.contramap { (_: Int) in world })
            _ = x.map { $0 + 1 }.flatMap { _ in y }.attempt()
            _ = x.race(y).parZip(y.uncancellable().onCancel(x.void).guarantee(y.void))
            _ = [x, y].parSequence(limit: 1)
            _ = EnvIO<Int, ProgramFailure, Int>.suspend { x }
            #expect(world.log.lines.isEmpty)
        }
    }

    @Test("SU2. Nothing is cached: each run executes the whole program")
    func notRemembered() async {
        await EnvIOLaw.notMemoized.check()
        await forAll(Gen.programPlan()) { plan in
            let once = await plan.program.trace(7)
            let world = ProgramWorld(number: 7)
            await Reporting.$isSilent.withValue(true) {
                for _ in 0..<2 { #expect(await plan.program.outcome(world) == once.outcome) }
            }
            #expect(world.log.lines == once.log + once.log)
        }
    }

    @Test("SU3. A program that is created but not composed has no effect")
    func notComposed() async {
        await forAll(Gen.programPlan(), Gen.programPlan()) { x, y in
            let program = x.program.flatMap { value in
                _ = y.program.map { $0 &+ value }
                return .pure(value)
            }
            #expect(await program.trace(7) == x.program.trace(7))
        }
    }

    @Test("SU4. suspend does not change a program")
    func suspended() async { await EnvIOLaw.check(.suspend) }

    @Test("AS1. If the callback is called immediately, the program ends with its result")
    func calledBack() async { await EnvIOLaw.check(.asyncIsResult) }

    @Test("AS2. The second call of the callback is ignored")
    func calledTwice() async { await EnvIOLaw.check(.asyncOnce) }
}
