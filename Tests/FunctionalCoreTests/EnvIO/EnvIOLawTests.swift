import FunctionalCore
import PropertyTesting
import TestSupport
import Testing

@Suite("EnvIO: laws", .cases(200), .timeLimit(.minutes(10)))
struct EnvIOLawTests {
    @Test(arguments: EnvIOLaw.allCases)
    func aLawOfProgramsHolds(_ law: EnvIOLaw) async {
        await law.check()
    }

    @Test(.cases(3_000)) func programsBehaveLikeTheirModel() async {
        await forAll(Gen.programPlan(), Gen.int(in: -50...50)) { plan, number in
            var log: [String] = []
            let expected = plan.model(number, &log)
            let trace = await plan.program.trace(number)
            #expect(trace == ProgramTrace(outcome: Outcome(expected), log: log))
        }
    }

    @Test(.cases(2_000)) func runSyncAndStartAgreeWithOutcome() async {
        await forAll(Gen.programPlan(isSynchronous: true)) { plan in
            let expected = await plan.program.trace(7)
            let world = ProgramWorld(number: 7)
            let synchronous = Reporting.$isSilent.withValue(true) {
                Result { () throws(ProgramFailure) in try plan.program.runSync(world) }
            }
            #expect(ProgramTrace(outcome: Outcome(synchronous), log: world.log.lines) == expected)
            let other = ProgramWorld(number: 7)
            let started = Reporting.$isSilent.withValue(true) { plan.program.start(other, isolation: nil) }
            guard case .finished(let outcome) = started else {
                Issue.record("start(_:) did not finish a program that never suspends.")
                return
            }
            #expect(ProgramTrace(outcome: outcome, log: other.log.lines) == expected)
        }
    }
}

extension Outcome {
    init(_ result: Result<Value, Failure>) {
        switch result {
        case .success(let value): self = .value(value)
        case .failure(let failure): self = .failure(failure)
        }
    }
}
