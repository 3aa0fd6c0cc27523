import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("fork and background", .timeLimit(.minutes(10)))
struct FiberTests {
    private let world = World()

    @Test func anyNumberOfRunsJoinOneFiber() throws {
        let program = step("fiber").after(3).fork().flatMap { fiber in
            (0..<50).parTraverse { _ in fiber.join() }.zip(fiber.join())
        }
        let outcome = try world.outcome(of: program)
        #expect(outcome.value?.0.count == 50 && outcome.value?.1 == "fiber")
        #expect(world.log.lines == ["3 fiber"])
    }

    @Test func joinEndsAsTheFiberDidAndOutcomeSucceedsWithIt() throws {
        let ends: [Step<String>] = [step("a").after(1), failing("b").after(1), pause(1).followed(by: .cancelled)]
        for end in ends {
            let alone = try World().outcome(of: end)
            #expect(try World().outcome(of: end.fork().flatMap { $0.join() }) == alone)
            #expect(try World().outcome(of: end.fork().flatMap { $0.outcome() }) == .value(alone))
        }
    }

    @Test func aCancelledRunForksNothing() {
        #expect(lines(of: cancelling.followed(by: step("fiber").fork()).as(1)) == ["0 ended as cancelled"])
    }

    @Test func cancelWaitsForTheFinalizersAlsoWhenItsRunIsCancelled() {
        let program = step("never").after(100).guarded("fiber", winding: 3).fork().flatMap { fiber in
            pause(1).followed(by: fiber.cancel()).flatMap { step("cancelled") }
        }
        let log = lines(of: program, cancelledAfter: 2)
        #expect(log.prefix(2) == ["0 open fiber", "4 close fiber"])
        #expect(log.last?.hasPrefix("4 ended as") == true)
    }

    @Test func cancellingAnEndedFiberKeepsItsOutcome() throws {
        let program = step("a").fork().flatMap { fiber in
            fiber.join().followed(by: fiber.cancel()).followed(by: fiber.join())
        }
        #expect(try world.outcome(of: program) == .value("a"))
    }

    @Test func aSynchronousRunForks() async throws {
        let fiber = EnvIO<Int, Never, Int>.ask().map { $0 + 1 }.fork().runSync(1)
        #expect(await fiber.join().outcome(()) == .value(2))
        #expect(fiber.join().runSync(()) == 2)
    }

    @Test func aFiberInheritsTheExecutorAndTheBoundVariables() async throws {
        let place = PlaceExecutor()
        typealias Here = EnvIO<Void, Never, String>
        let name = Here.var()
        let here = Here { () async in
            await Task.yield()
            return "\(name.get) \(place.isCurrent)"
        }
        let program = binding(|<-Here.pure(""), name <- .pure("bound"), |<-Here.pure(""), yield: here.fork())
            .flatMap { _ in
                let fork = Here.var()
                return binding(name <- .pure("bound"), fork <- here.fork().flatMap { $0.join() }, yield: fork.get)
            }
        #expect(await program.on(place).outcome() == .value("bound true"))
    }

    @Test(arguments: ["value", "failure", "cancelled"])
    func backgroundEndsBeforeTheRunContinues(_ end: String) throws {
        let body: Step<String> = end == "value" ? step("a") : end == "failure" ? failing("a") : .cancelled
        let program = step("beat").after(2).guarded("beating", winding: 1).forever().background()
            .use { _ in body.after(4) }.guarantee(step("after").void)
        _ = try world.outcome(of: program)
        let beats = ["0 open beating", "2 beat", "3 close beating", "3 open beating"]
        #expect(world.log.lines.filter { $0 != "4 a" } == beats + ["5 close beating", "5 after"])
    }

    @Test func cancellingTheUseCancelsTheBackground() {
        let program = step("never").after(100).guarded("behind", winding: 2).background()
            .use { _ in step("use").after(50).guarded("use", winding: 1) }
        #expect(
            lines(of: program, cancelledAfter: 1) == [
                "0 open use", "0 open behind", "2 close use", "4 close behind", "4 ended as cancelled",
            ])
    }

    @Test func aFailedFiberDoesNotEndTheUse() throws {
        let program = failing("behind").background().use { fiber in
            step("use").after(2).flatMap { _ in fiber.join() }
        }
        #expect(try world.outcome(of: program) == .failure(Broken(name: "behind")))
        #expect(world.log.lines == ["0 behind", "2 use"])
    }

    @Test func fibersAreFreed() {
        let counter = Tracked.Counter()
        let scheduler = VirtualScheduler()
        do {
            let wait = EnvIO<Tracked, Never, Void>.sleep(for: .seconds(60), clock: scheduler.clock)
            let ended = wait.followed(by: .ask()).fork().flatMap { fiber in
                fiber.join().map { [$0, Tracked(counter)] }.void
            }
            let cancelled = EnvIO<Tracked, Never, Tracked>.ask().flatTap { _ in wait }.fork().flatMap { fiber in
                wait.race(fiber.join().void).followed(by: fiber.cancel())
            }
            let dropped = EnvIO<Tracked, Never, Tracked>.ask().flatTap { _ in wait }.fork().void
            for program in [ended, cancelled, dropped] {
                for _ in 0..<100 { scheduler.start { await program.outcome(Tracked(counter)) } }
            }
            scheduler.drain()
            #expect(counter.count == 300)
            scheduler.advance(by: .seconds(30))
            scheduler.advance(by: .seconds(60))
        }
        #expect(scheduler.clock.sleeperCount == 0)
        #expect(counter.count == 0)
    }

    @Test func joiningAndCancellingAtOnceOnManyThreadsAgreeOnOneOutcome() async {
        for _ in 0..<200 {
            let program = EnvIO<Void, Never, Int> { _ async in
                await Task.yield()
                return 1
            }
            let outcomes = await program.fork().flatMap { fiber in
                (0..<8).parTraverse { number in
                    (number == 3 ? fiber.cancel() : EnvIO<Void, Never, Void>.pure(())).followed(by: fiber.outcome())
                }
            }
            .outcome().value
            #expect(outcomes?.count == 8)
            #expect(Set(outcomes ?? []).count == 1)
        }
    }
}
