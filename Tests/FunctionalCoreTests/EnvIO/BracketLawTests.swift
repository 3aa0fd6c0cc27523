import FunctionalCore
import PropertyTesting
import TestSupport
import Testing

@Suite("Laws: finalizers and cancellation", .cases(200), .timeLimit(.minutes(10)))
struct BracketLawTests {
    /// The number of turns before the cancellation, or `nil` for no cancellation.
    private static let turns = Gen.int(in: 0...30).optional

    @Test("BR1. A bracket whose release does nothing equals a flatMap")
    func withoutRelease() async { await EnvIOLaw.check(.bracketUnit) }

    @Test("BR2. If the acquisition fails, nothing is used or released")
    func failingAcquire() async {
        await forAll(Gen.programPlan(), Gen.programPlan()) { x, y in
            let failure = ProgramFailure(code: 1)
            let acquire = x.program.flatMap { _ in GeneratedProgram.fail(failure) }
            let program = GeneratedProgram.bracket(
                acquire: acquire, release: { _ in y.program.void }, use: { .pure($0) })
            #expect(await program.trace(7) == acquire.trace(7))
        }
    }

    @Test("BR3. If the use fails, the release runs once and the failure stays the same")
    func failingUse() async {
        await forAll(Gen.programPlan()) { plan in
            let failing = plan.program.flatMap { GeneratedProgram.fail(ProgramFailure(code: $0)) }
            let alone = await failing.trace(7)
            let program = GeneratedProgram.bracket(
                acquire: .pure(1), release: { _ in waitingAndWriting("released") }, use: { _ in failing })
            #expect(await program.trace(7) == ProgramTrace(outcome: alone.outcome, log: alone.log + ["released"]))
        }
    }

    @Test("BR4. bracket is bracketCase that ignores the outcome; guarantee is a bracket that acquires nothing")
    func cases() async { await EnvIOLaw.check(.bracketIsBracketCase, .guaranteeIsBracket, .guaranteeIsGuaranteeCase) }

    @Test("BR4. The release of bracketCase and the finalizer of guaranteeCase receive the outcome")
    func outcomes() async { await EnvIOLaw.check(.releaseGetsTheOutcome, .guaranteeCaseGetsTheOutcome) }

    @Test("BR5. A guaranteed finalizer runs exactly once before the run returns, whenever it is cancelled")
    func exactlyOnce() async {
        await forAll(Gen.programPlan(), Self.turns) { plan, turns in
            let program = writing("begun").followed(by: plan.program).guarantee(waitingAndWriting("guaranteed"))
            let trace = try VirtualWorld().trace(of: program, cancelledAfter: turns)
            if trace.log.contains("begun") {
                #expect(trace.log.last == "guaranteed")
                #expect(trace.log.count { $0 == "guaranteed" } == 1)
                #expect(!trace.log.contains("cut short"))
            } else {
                #expect(trace.outcome == .cancelled)
            }
        }
    }

    @Test("BR6. If use and release fail, the use's failure stays and the release's is reported", .promptly)
    func bothFail() async {
        await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let program = EnvIO<Void, Broken, Int>.bracket(
                acquire: EnvIO<Void, Broken, Int>.pure(1), release: { _ in .fail(Broken(name: "release")) },
                use: { _ in .fail(Broken(name: "use")) })
            guard await program.outcome() == .failure(Broken(name: "use")) else { fatalError("another failure") }
        }?.expectError(
            """
            A finalizer's error was ignored, because its program had already failed or been cancelled: \
            Broken(name: "release")
            """)
    }

    @Test("BR7. Cancellation affects the use, but neither acquisition nor release, whenever it happens")
    func notCancelled() async {
        await forAll(Gen.programPlan(), Gen.programPlan(), Self.turns) { x, y, turns in
            let acquire = writing("acquiring").followed(by: x.program.attempt().setFailureType())
                .followed(by: waitingAndWriting("acquired"))
            let release = y.program.attempt().setFailureType(to: ProgramFailure.self).void
                .followed(by: waitingAndWriting("released"))
            let program = EnvIO<ProgramWorld, ProgramFailure, Int>.bracket(
                acquire: acquire, release: { _ in release },
                use: { EnvIO<ProgramWorld, ProgramFailure, Void> { _ async in await Task.yield() }.as(1) })
            let trace = try VirtualWorld().trace(of: program, cancelledAfter: turns)
            var log: [String] = []
            if trace.log.contains("acquiring") {
                log = ["acquiring"]
                _ = x.model(7, &log)
                log.append("acquired")
                _ = y.model(7, &log)
                log.append("released")
            }
            #expect(trace.log == log)
            // This use ends only if it is cancelled.
            let endless = EnvIO<ProgramWorld, ProgramFailure, Int>.bracket(
                acquire: acquire, release: { _ in release }, use: { .never })
            let cancelled = try VirtualWorld().trace(of: endless, cancelledAfter: turns ?? 31)
            #expect(cancelled.outcome == .cancelled)
            #expect(cancelled.log.isEmpty || cancelled.log.last == "released")
        }
    }

    @Test("BR8. Nested brackets release in reverse order, and only what was acquired")
    func reverseOrder() async {
        await forAll(Gen.programPlan().array(1...5), Self.turns) { plans, turns in
            let program = plans.enumerated().reversed().reduce(GeneratedProgram.pure(0)) { inner, plan in
                .bracket(
                    acquire: writing("open \(plan.offset)"),
                    release: { waitingAndWriting("close \(plan.offset)") },
                    use: { plan.element.program.followed(by: inner) })
            }
            let log = try VirtualWorld().trace(of: program, cancelledAfter: turns).log
            #expect(names(after: "close ", in: log) == names(after: "open ", in: log).reversed())
        }
    }

    @Test("CA3. The steps after cancellation do not run")
    func afterCancellation() async { await EnvIOLaw.check(.cancelledFlatMap) }

    @Test("CA4. A region that is polled completely equals no region, and nested regions equal one")
    func polling() async {
        await EnvIOLaw.check(.pollIsIdentity, .regionsNest)
        await forAll(Gen.programPlan(), Self.turns) { plan, turns in
            let polled = GeneratedProgram.uncancellable { poll in poll(plan.program) }
            let (left, right) = try (
                VirtualWorld().trace(of: polled, cancelledAfter: turns),
                VirtualWorld().trace(of: plan.program, cancelledAfter: turns)
            )
            #expect(left == right)
        }
    }

    @Test("CA5. A region runs to its end, and none of its cancellation finalizers runs")
    func inARegion() async {
        await forAll(Gen.programPlan(), Self.turns) { plan, turns in
            let region = plan.program.onCancel(writing("finalizer")).uncancellable()
            let trace = try VirtualWorld().trace(of: writing("begun").followed(by: region), cancelledAfter: turns)
            let whole = try VirtualWorld().trace(of: writing("begun").followed(by: plan.program.uncancellable()))
            if trace.log.isEmpty { #expect(trace.outcome == .cancelled) } else { #expect(trace == whole) }
        }
    }

    @Test("CA6. Cancellation finalizers run in order, once, and to their end")
    func inOrder() async {
        await forAll(Gen.programPlan(), Self.turns) { plan, turns in
            let program = plan.program.onCancel(waitingAndWriting("first")).onCancel(waitingAndWriting("second"))
            let trace = try VirtualWorld().trace(of: writing("begun").followed(by: program), cancelledAfter: turns)
            let finalizers = trace.log.filter { ["first", "second", "cut short"].contains($0) }
            #expect(finalizers == (trace.outcome == .cancelled && !trace.log.isEmpty ? ["first", "second"] : []))
        }
    }

    @Test("CA8. A program that has ended runs no cancellation finalizer")
    func notAfterTheEnd() async { await EnvIOLaw.check(.onCancelOfEnded) }
}
