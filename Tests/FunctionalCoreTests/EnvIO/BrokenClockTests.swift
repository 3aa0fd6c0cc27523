import FunctionalCore
import TestSupport
import Testing
import VirtualTime

private struct ClockFailure: Error {}
private struct OtherFailure: Error {}

/// A clock that throws `ClockFailure` when the task that sleeps is cancelled.
private struct RenamingClock: Clock {
    let base: VirtualClock

    var now: VirtualClock.Instant { base.now }
    var minimumResolution: Duration { base.minimumResolution }

    func sleep(until deadline: VirtualClock.Instant, tolerance: Duration?) async throws {
        do { try await base.sleep(until: deadline) } catch { throw ClockFailure() }
    }
}

/// Returns the programs that wait for a clock. Those that retry fail with `failure` before.
private func programs<Failure: Error>(
    failing failure: Failure, clock: some Clock<Duration>
) -> [EnvIO<Void, Failure, Int>] {
    let (second, failing) = (Schedule<Int>.spaced(.seconds(1)), Schedule<Failure>.spaced(.seconds(1)))
    return [
        EnvIO<Void, Failure, Void>.sleep(for: .seconds(1), clock: clock).map { 1 },
        .pure(1).delay(for: .seconds(1), clock: clock),
        .never.timeout(.seconds(1), clock: clock, otherwise: .pure(1)),
        .fail(failure).retry(failing, clock: clock),
        .pure(1).repeat(second, clock: clock),
        // Programs of one asynchronous closure are repeated in another way.
        EnvIO { () async throws(Failure) -> Int in throw failure }.retry(failing, clock: clock),
        EnvIO { () async throws(Failure) -> Int in 1 }.repeat(second, clock: clock),
    ]
}

@Suite("Clocks that throw", .timeLimit(.minutes(10)))
struct BrokenClockTests {
    private static let kinds = programs(failing: OtherFailure(), clock: VirtualClock()).indices

    @Test("A program fails with the error of its clock", arguments: kinds)
    func failure(_ kind: Int) async {
        let program = programs(failing: OtherFailure() as any Error, clock: BrokenClock(ClockFailure()))[kind]
        await #expect(throws: ClockFailure.self) { try await program.run(()) }
    }

    @Test("A program of a failure type that the error of its clock has fails with it, too", arguments: kinds)
    func typedFailure(_ kind: Int) async {
        let outcome = await programs(failing: OtherFailure(), clock: BrokenClock(OtherFailure()))[kind].outcome(())
        #expect("\(outcome)" == "\(Outcome<Int, OtherFailure>.failure(OtherFailure()))")
    }

    @Test("A program that cannot fail with the error of its clock is cancelled, and the error is reported", .promptly)
    func otherFailureType() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            for program in programs(failing: OtherFailure(), clock: BrokenClock(ClockFailure())) {
                if case .cancelled = await program.outcome(()) { continue }
                fatalError("The run was not cancelled.")
            }
        }
        let line =
            "A clock threw an error with which its program cannot fail, so the run ends as cancelled: ClockFailure()\n"
        #expect(result.standardErrorText == String(repeating: line, count: Self.kinds.count))
    }

    @Test("A cancelled run ends as cancelled, whatever the clock throws", arguments: kinds)
    func cancellation(_ kind: Int) {
        let (scheduler, log) = (VirtualScheduler(), Log())
        let program = programs(failing: OtherFailure() as any Error, clock: RenamingClock(base: scheduler.clock))[kind]
        let run = scheduler.start { log.append("\(await program.outcome(()))") }
        scheduler.drain()
        #expect(scheduler.clock.sleeperCount == 1)
        run.cancel()
        scheduler.drain()
        #expect(log.lines == ["cancelled"])
    }
}
