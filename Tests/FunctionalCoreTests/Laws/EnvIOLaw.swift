import FunctionalCore
import PropertyTesting
import Testing

/// The laws of `EnvIO` programs, which the article on the laws of programs states.
enum EnvIOLaw: CaseIterable {
    // Mapping and sequencing
    case mapIdentity, mapComposition, void, asIsMap, zipIsFlatMap, leftIdentity, rightIdentity, associativity
    case mapIsFlatMap, flatten, comprehension, followed, traverseIsZip, traverseIsLazy, sequenceIsZip
    case tapIsMap, flatTapIsFlatMap, whenIsAChoice, unlessIsWhen, foreverRepeats, timedIsMap
    case suspend, suspendIsLazy, notMemoized, startIsOutcome
    // Failures
    case raiseFlatMap, raiseHandle, pureHandle, handleIsHandleWith, attemptFail, attemptPure, attemptRethrow
    case fromResult, throwingIsFail, ensure, mapErrorFail, mapErrorIdentity, tapErrorIsMapError
    case orElseIsHandleErrorWith, bimapIsMapErrorAndMap, failingZip
    // Environment
    case askTwice, accessIsAsk, accessMIsAsk, localAsk, localPure, localFlatMap, localIdentity, localComposition
    case localStays, provide
    // Callbacks
    case asyncIsResult, asyncOnce, cancelledAsync
    // Finalizers
    case bracketUnit, guaranteeIsBracket, bracketIsBracketCase, resourceIsBracket, guaranteeIsGuaranteeCase
    case guaranteeCaseGetsTheOutcome, releaseGetsTheOutcome, resourceReleaseGetsTheOutcome
    case guaranteeOnCancel, finalizerIsNotCancelled, guaranteeCaseOnCancel, releaseOnCancel, resourceReleaseOnCancel
    case acquireIsNotCancelled, releaseIsNotCancelled, resourceAcquireIsNotCancelled, resourceReleaseIsNotCancelled
    // Cancellation
    case cancelledFlatMap, cancelledHandle, cancelledWhileItWaits, cancelledBeforeTheNext, cancellationIsNoFailure
    case cancelledAttempt, cancelledForever
    case onCancelOfEnded, onCancelRuns, onCancelOrder, onCancelIsNotCancelled, onCancelInARegion
    case pollIsIdentity, pollIsCancelled, innerPollOpensNothing, regionsNest, regionIsNotCancelled
    // Parallel programs
    case raceLeft, raceRight, raceCancelsTheLoser, cancelledRace
    case parZipIsZip, parZipCommutes, parZipCancelsTheOther, cancelledParZip
    case parSequenceIsZip, parSequenceKeepsItsLimit, parSequenceCancelsTheOthers, cancelledParSequence
    // Fibers and memoized programs
    case forkJoin, forkOutcome, forkRunsAtOnce, forkIsNotCancelled, fiberCancel, cancelledJoin
    case backgroundJoin, backgroundEndsWithItsUse, cancelledBackground
    case memoizeRunsNothing, memoizeKeepsTheResult, memoizeAtOnce, cancelledMemoize, memoizeIsNotCancelled
}

extension EnvIOLaw {
    /// Checks each of the laws.
    static func check(_ laws: EnvIOLaw...) async {
        for law in laws { await law.check() }
    }

    /// Checks the law for generated programs, functions and environments.
    ///
    /// An equation holds if both sides have the same outcome and write the same lines.
    func check() async {
        await forAll(EnvIOSample.gen) { sample in
            if let (left, right) = equation(sample) ?? operatorEquation(sample) {
                #expect(await left.trace(sample.world) == right.trace(sample.world))
            } else {
                let parts = CancellingParts(sample: sample)
                let (program, expected) = try #require(parts.run(self), "The law has no programs.")
                #expect(CancelledRun(of: program, in: sample.world, opening: parts.gate) == expected)
            }
        }
    }
}

/// The generated input of a law of programs.
struct EnvIOSample: Sendable {
    var x: ProgramPlan
    var y: ProgramPlan
    var first: GeneratedFunction<Int, ProgramPlan>
    var second: GeneratedFunction<Int, ProgramPlan>
    var number: Int
    var world: Int

    static let gen: Gen<EnvIOSample> = {
        let plan = Gen<ProgramPlan>.programPlan()
        let small = plan.resized { min($0, 4) }
        return Gen.zip(
            plan, plan, small.function(of: Int.self), small.function(of: Int.self), Gen.int(in: 0...99),
            Gen.int(in: -50...50)
        )
        .map { EnvIOSample(x: $0, y: $1, first: $2, second: $3, number: $4, world: $5) }
    }()

    /// A function from a value to a program that depends on the value.
    var k: @Sendable (Int) -> GeneratedProgram { continuation(first) }
    var h: @Sendable (Int) -> GeneratedProgram { continuation(second) }

    private func continuation(
        _ function: GeneratedFunction<Int, ProgramPlan>
    ) -> @Sendable (Int) -> GeneratedProgram {
        { value in function(value).program.map { $0 &+ value } }
    }
}
