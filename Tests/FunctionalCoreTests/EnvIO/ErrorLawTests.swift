import FunctionalCore
import PropertyTesting
import TestSupport
import Testing

@Suite("Laws: failures", .cases(200), .timeLimit(.minutes(10)))
struct ErrorLawTests {
    @Test("ER1. The steps after a failure do not run")
    func failing() async { await EnvIOLaw.check(.raiseFlatMap) }

    @Test("ER2. A handler receives the failure, and its program replaces the failed one")
    func handled() async { await EnvIOLaw.check(.raiseHandle, .handleIsHandleWith) }

    @Test("ER3. A handler is not called if nothing failed")
    func notHandled() async { await EnvIOLaw.check(.pureHandle) }

    @Test("ER4. attempt() succeeds with the failure or with the value")
    func attempted() async { await EnvIOLaw.check(.attemptFail, .attemptPure) }

    @Test("ER5. rethrow() undoes attempt(), and a Result as a program ends with its contents")
    func rethrown() async { await EnvIOLaw.check(.attemptRethrow, .fromResult) }

    @Test("ER6. A closure that throws fails, and one that returns succeeds, synchronous or async")
    func throwing() async {
        await EnvIOLaw.throwingIsFail.check()
        await forAll(Gen.int(in: 0...99)) { number in
            let value = await GeneratedProgram { (_: ProgramWorld) in number }.trace(0)
            #expect(value == ProgramTrace(outcome: .value(number), log: []))
            let waiting = await GeneratedProgram { (_: ProgramWorld) async throws(ProgramFailure) -> Int in
                throw ProgramFailure(code: number)
            }
            .trace(0)
            #expect(waiting == ProgramTrace(outcome: .failure(ProgramFailure(code: number)), log: []))
        }
    }

    @Test("ER7. ensure fails if the value does not satisfy the predicate")
    func ensured() async { await EnvIOLaw.check(.ensure) }

    @Test("ER8. Switching over an attempt equals mapping the value and handling the failure")
    func folded() async {
        await forAll(Gen.programPlan(), Gen.int(in: -50...50)) { plan, number in
            let x = plan.program
            let both = x.attempt().setFailureType(to: ProgramFailure.self).map { result in
                switch result {
                case .success(let value): value &* 2
                case .failure(let failure): -failure.code
                }
            }
            #expect(await both.trace(number) == x.map { $0 &* 2 }.handleError { -$0.code }.trace(number))
            let next: @Sendable (Int) -> GeneratedProgram = { value in writing("went on").as(value &* 2) }
            let going = x.attempt().setFailureType(to: ProgramFailure.self).flatMap { result in
                switch result {
                case .success(let value): next(value)
                case .failure(let failure): next(-failure.code)
                }
            }
            #expect(await going.trace(number) == x.handleError { -$0.code }.flatMap(next).trace(number))
        }
    }

    @Test("ER9. A failure can be transformed and observed, and a value is not affected")
    func mapped() async {
        await EnvIOLaw.check(.mapErrorFail, .mapErrorIdentity)
        await forAll(Gen.programPlan(), Gen.int(in: -50...50)) { plan, number in
            let seen = plan.program.handleErrorWith { failure in writing("seen").followed(by: .fail(failure)) }
            let (alone, trace) = (await plan.program.trace(number), await seen.trace(number))
            var expected = alone
            if case .failure = alone.outcome { expected.log.append("seen") }
            #expect(trace == expected)
        }
    }

    @Test("ER10. A zip fails with its first failure and starts nothing after it")
    func zipped() async {
        await EnvIOLaw.failingZip.check()
        await forAll(Gen.programPlan()) { plan in
            let failure = ProgramFailure(code: 1)
            let alone = await plan.program.trace(7)
            let zipped = await plan.program.zip(GeneratedProgram.fail(failure)).map { $0 &+ $1 }.trace(7)
            #expect(zipped.log == alone.log)
            if case .value = alone.outcome {
                #expect(zipped.outcome == .failure(failure))
            } else {
                #expect(zipped.outcome == alone.outcome)
            }
        }
    }

    @Test("ER11. Cancellation is not a failure: no handler is called, whenever it happens")
    func cancellation() async {
        await EnvIOLaw.cancelledHandle.check()
        await forAll(Gen.programPlan(), Gen.int(in: 0...20)) { plan, turns in
            let alone = try VirtualWorld().trace(of: plan.program, cancelledAfter: turns)
            let handled =
                plan.program.mapError { ProgramFailure(code: $0.code &+ 100) }
                .handleErrorWith { failure in writing("handled").as(failure.code) }
                .attempt().rethrow() as GeneratedProgram
            let trace = try VirtualWorld().trace(of: handled, cancelledAfter: turns)
            switch alone.outcome {
            case .cancelled: #expect(trace == alone)
            case .value: #expect(trace == alone)
            case .failure: #expect(trace.log == alone.log + ["handled"])
            }
        }
    }
}
