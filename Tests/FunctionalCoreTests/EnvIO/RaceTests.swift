import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("Race", .timeLimit(.minutes(10)))
struct RaceTests {
    private let world = World()
    private var clock: VirtualClock { world.scheduler.clock }

    @Test func aSideThatEndsAsCancelledEndsTheRaceAsCancelled() throws {
        let race = Step<String>.cancelled.after(1).race(step("never").after(100).guarded("other"))
        #expect(try world.outcome(of: race) == .cancelled)
        #expect(world.log.lines == ["0 open other", "1 close other"])
    }

    @Test func aCancelledRaceEndsAfterBothSides() {
        let slow = step("never").after(100)
        #expect(
            lines(of: slow.guarded("a", winding: 1).race(slow.guarded("b", winding: 3)))
                == ["0 open a", "0 open b", "1 close a", "3 close b", "3 ended as cancelled"])
    }

    @Test func raceResultNamesTheWinningSide() throws {
        let number = Step<Int>.pure(1)
        #expect(try world.outcome(of: number.after(1).raceResult(step("b").after(2))) == .value(.left(1)))
        #expect(try world.outcome(of: number.after(2).raceResult(step("b").after(1))) == .value(.right("b")))
    }

    @Test("RA5. A timely program keeps its outcome, and a late one is cancelled and fails")
    func timeout() throws {
        let slow = step("ended").after(5).guarded("it", winding: 1)
        let late = Broken(name: "late")
        for (limit, end) in [(7, Outcome<String, Broken>.value("ended")), (2, .failure(late))] {
            let program = slow.timeout(.seconds(limit), clock: clock, otherwise: .fail(late))
            #expect(try world.outcome(of: program) == end)
        }
        #expect(world.log.lines == ["0 open it", "5 ended", "6 close it", "6 open it", "9 close it"])
        #expect(clock.sleeperCount == 0)
    }

    @Test("RA5. A timeout runs the alternative in place of a slow program")
    func timeoutOtherwise() throws {
        let program = step("never").after(5).timeout(.seconds(2), clock: clock, otherwise: step("cached"))
        #expect(try world.outcome(of: program) == .value("cached"))
        #expect(world.log.lines == ["2 cached"])
        #expect(
            try world.outcome(of: failing("a").timeout(.seconds(2), clock: clock, otherwise: step("cached")))
                == .failure(Broken(name: "a")))
    }

    @Test("RA5. If the failure is any Error, a timeout throws a TimeoutError with the duration")
    func timeoutError() throws {
        let program = EnvIO<Void, any Error, Void>.sleep(for: .seconds(9), clock: clock)
            .timeout(.seconds(2), clock: clock)
        #expect(throws: TimeoutError(duration: .seconds(2))) { try world.scheduler.run { try await program.run() } }
        #expect("\(TimeoutError(duration: .seconds(2)))" == "The program did not end within 2.0 seconds.")
    }

    @Test("RA5. If the program cannot fail, a timeout is the only possible failure")
    func timeoutOfWhatCannotFail() throws {
        let program = EnvIO<Void, Never, Void>.sleep(for: .seconds(3), clock: clock).as(7)
        let (late, inTime) = (program.timeout(.seconds(2), clock: clock), program.timeout(.seconds(4), clock: clock))
        #expect(try world.scheduler.run { await late.outcome() } == .failure(TimeoutError(duration: .seconds(2))))
        #expect(try world.scheduler.run { await inTime.outcome() } == .value(7))
    }

    @Test func anEndlessDurationIsCappedAtAHundredYears() throws {
        let program = EnvIO<Void, any Error, String>.never.timeout(
            .seconds(Int64.max), clock: clock, otherwise: .pure("over"))
        #expect(try world.scheduler.run { try await program.run() } == "over")
        #expect(world.seconds == 100 * 365 * 24 * 60 * 60)
    }

    @Test func aDelayedProgramStartsAfterItsDelay() throws {
        let program = step("a").delay(for: .seconds(3), clock: clock)
        #expect(try world.outcome(of: program) == .value("a"))
        world.cancel(world.start(program))
        world.advance(by: 10)
        #expect(world.log.lines == ["3 a", "3 ended as cancelled"])
    }

    @Test func aRaceInAnUncancellableRegionCancelsItsLoser() {
        let race = step("won").after(5).race(step("never").after(100).guarded("loser"))
        #expect(
            lines(of: race.flatMap { _ in step("after") }.uncancellable()) == [
                "0 open loser", "5 won", "5 close loser", "5 after", "5 ended as after",
            ])
    }

    @Test func aThousandCancelledRacesReleaseEverything() {
        let counter = Tracked.Counter()
        let scheduler = VirtualScheduler()
        do {
            let race = EnvIO<Tracked, Never, Void>.suspend {
                let held = Tracked(counter)
                let side = EnvIO<Tracked, Never, Void>.sleep(for: .seconds(60), clock: scheduler.clock)
                    .map { withExtendedLifetime(held) {} }
                    .guarantee(.access { withExtendedLifetime(($0, held)) {} })
                return side.race(side.race(.never))
            }
            let tasks = (0..<1_000).map { _ in
                // A task-local value lives as long as the task and its children.
                LiveTask.$mark.withValue(Tracked(counter)) { scheduler.start { await race.outcome(Tracked(counter)) } }
            }
            scheduler.drain()
            #expect(counter.count == 3_000)
            #expect(scheduler.clock.sleeperCount == 2_000)
            for task in tasks { task.cancel() }
            scheduler.drain()
        }
        #expect(scheduler.clock.sleeperCount == 0)
        #expect(counter.count == 0)
    }
}

private enum LiveTask {
    @TaskLocal static var mark: Tracked?
}

@Suite("Inheritance by parallel programs", .timeLimit(.minutes(10)))
struct RunContextTests {
    @Test func parallelProgramsReadTheVariablesOfTheBinding() throws {
        let world = World()
        let (a, b) = (Step<String>.var(), Step<(String, [String])>.var())
        let program = binding(
            a <- step("bound"),
            b
                <- step("x").map { $0 + a.get }.race(.never).parZip(
                    [1, 2].parTraverse { number in
                        Step<String>.suspend { .pure("\(number) \(a.get)") }.uncancellable()
                    }),
            yield: "\(b.get) \(a.get)"
        )
        #expect(try world.outcome(of: program) == .value(#"("xbound", ["1 bound", "2 bound"]) bound"#))
    }

    @Test func parallelProgramsRunOnTheExecutorOfTheirParent() async throws {
        let (executor, place) = (PlaceExecutor(), PlaceExecutor())
        let here = EnvIO<Void, any Error, Int> { () async in
            await Task.yield()
            return executor.isCurrent ? 1 : place.isCurrent ? 2 : 0
        }
        let both = here.parZip(here.on(place).zip(here)).map { [$0, $1.0, $1.1] }
        let masked = here.uncancellable().race(.never)
        #expect(try await both.zip(masked).on(executor).map { $0 + [$1] }.run() == [1, 2, 1, 1])
        #expect(try await here.run() == 0)
    }
}
