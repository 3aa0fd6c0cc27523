import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("Cancellation", .timeLimit(.minutes(10)))
struct CancellationTests {
    @Test("CA1. EnvIO.never ends as cancelled when it is cancelled")
    func neverAndCancelled() async {
        guard case .waiting(let task) = EnvIO<Void, Never, Int>.never.start(()) else {
            Issue.record("The program ended before it was cancelled.")
            return
        }
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test("CA2. start(_:) reports a value, a failure or cancellation, with or without a suspension")
    func whatIsStarted() async {
        let wait = EnvIO<Void, Broken, Void> { () async in await Task.yield() }
        let ends: [(EnvIO<Void, Broken, Int>, Outcome<Int, Broken>)] = [
            (.pure(1), .value(1)), (.fail(Broken()), .failure(Broken())), (.cancelled, .cancelled),
        ]
        for (program, end) in ends {
            guard case .finished(let outcome) = program.start(()),
                case .waiting(let task) = wait.followed(by: program).start(())
            else {
                Issue.record("A program suspended without a wait, or did not suspend with one.")
                return
            }
            #expect(outcome == end)
            #expect(await task.value == end)
        }
    }

    /// A program with regions, and what its run logs that is cancelled at once, or at another second.
    struct Region: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let second: Int
        let log: [String]
        let program: Step<String>

        init(_ claim: String, cancelledAfter second: Int = 0, _ log: [String], _ program: Step<String>) {
            (testDescription, self.second, self.log, self.program) = (claim, second, log, program)
        }
    }

    private static let polling = Step<String>.uncancellable { poll in
        step("in").after(1).followed(by: poll(step("polled").after(10))).guarded("it", winding: 2)
    }

    static let regions = [
        Region(
            "What comes before the polled part is not cancelled",
            ["0 open it", "1 in", "3 close it", "3 ended as cancelled"], polling.flatMap { _ in step("after") }),
        Region(
            "The polled part is cancelled", cancelledAfter: 2,
            ["0 open it", "1 in", "4 close it", "4 ended as cancelled"], polling),
        Region(
            "Inside nested regions, neither poll alone makes a step cancellable",
            ["1 a", "2 b", "2 not cancelled without a wait", "2 ended as cancelled"],
            Step<String>.uncancellable { outer in
                .uncancellable { inner in
                    inner(step("a").after(1)).followed(by: outer(step("b").after(1)))
                }
            }
            .flatMap { _ in step("not cancelled without a wait") }.flatMap { name in pause(1).as(name) }),
        Region(
            "Nested polls open nested regions if the inner region opens first", ["0 ended as cancelled"],
            .uncancellable { outer in .uncancellable { inner in inner(outer(step("a").after(5))) } }),
        Region(
            "Nested polls open nothing if the outer region opens first", ["5 a", "5 ended as a"],
            .uncancellable { outer in .uncancellable { inner in outer(inner(step("a").after(5))) } }),
        Region(
            "A region's poll opens the use of a bracket, not its acquire or release",
            ["5 acquired", "10 released", "10 ended as cancelled"],
            .uncancellable { poll in
                .bracket(
                    acquire: poll(step("acquired").after(5)), release: { _ in poll(step("released").after(5)).void },
                    use: { _ in poll(step("used").after(5)) })
            }),
        Region(
            "In a polled bracket, polling the release has no effect",
            ["0 acquired", "5 released", "5 ended as cancelled"],
            .uncancellable { poll in
                poll(
                    .bracket(
                        acquire: step("acquired"), release: { _ in poll(step("released").after(5)).void },
                        use: { _ in step("used").after(5) }))
            }),
        Region(
            "In a polled bracket, polling the acquire has no effect",
            ["5 acquired", "5 released", "5 ended as cancelled"],
            .uncancellable { poll in
                poll(
                    .bracket(
                        acquire: poll(step("acquired").after(5)), release: { _ in step("released").void },
                        use: { _ in step("used").after(5) }))
            }),
        Region(
            "A poll has no effect in a later region", ["0 kept", "5 second", "5 ended as second"],
            Step<Poll>.uncancellable { poll in step("kept").map { _ in poll } }.flatMap { poll in
                .uncancellable { _ in poll(step("second").after(5)) }
            }),
        Region(
            "A poll has no effect inside a race", cancelledAfter: 10,
            ["1 winner", "5 inner", "5 ended as winner"],
            .uncancellable { poll in
                Step<String>.uncancellable { _ in poll(step("inner").after(5)) }.race(step("winner").after(1))
            }),
        Region(
            "A polled part does not start if the run is already cancelled", ["1 first", "1 ended as cancelled"],
            .uncancellable { poll in step("first").after(1).followed(by: poll(step("polled"))) }),
    ]

    @Test("CA4. Cancellation affects only the polled part of a region", arguments: regions)
    func aRegion(_ region: Region) {
        #expect(lines(of: region.program, cancelledAfter: region.second) == region.log)
    }

    @Test("CA6. Cancellation finalizers run from the inside out and are not cancelled")
    func finalizersInOrder() {
        let world = World()
        let task = world.start(
            pause(10).onCancel(step("first").after(1).void).onCancel(step("second").after(1).void)
                .onCancel(failing("third").after(1).void))
        for _ in 0..<2 { world.cancel(task) }
        world.advance(by: 20)
        #expect(world.log.lines == ["1 first", "2 second", "3 third", "3 ended as cancelled"])
    }

    @Test("CA7. cancel() returns immediately, and awaiting the outcome includes the finalizers")
    func whoWaitsForTheEnd() {
        let world = World()
        let task = world.scheduler.start { await pause(10).onCancel(step("fin").after(3).void).outcome(world) }
        for name in ["a", "b"] {
            world.scheduler.start {
                task.cancel()
                world.write("\(name) cancelled")
                _ = try await task.value
                world.write("\(name) knows")
            }
        }
        world.scheduler.drain()
        #expect(world.log.lines == ["0 a cancelled", "0 b cancelled"])
        world.advance(by: 20)
        #expect(world.log.lines[2] == "3 fin")
        #expect(world.log.lines.dropFirst(3).sorted() == ["3 a knows", "3 b knows"])
    }

    @Test func aCancelledTaskRunsNothing() async {
        let log = Log()
        let program = EnvIO<Void, Never, Void> { log.append("ran") }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await program.outcome().word
        }
        #expect(await task.value == "cancelled")
        #expect(log.lines.isEmpty)
    }

    @Test("A cancelled run starts no region, bracket, guarantee, resource or executor change")
    func notBegun() {
        let elsewhere = ManualExecutor()
        let held = Resource<World, Broken, String>(acquire: step("acquired"), release: { _ in step("released").void })
        let programs: [String: Step<String>] = [
            "region": step("in").uncancellable(),
            "bracket": step("in").guarded("it"),
            "guarantee": step("in").guarantee(step("finalizer").void),
            "resource": held.use { _ in step("in") },
            "executor": step("in").on(elsewhere),
        ]
        for (name, program) in programs {
            #expect(lines(of: cancelling.followed(by: program)) == ["0 ended as cancelled"], "\(name)")
            #expect(elsewhere.drain() == 0)
        }
    }

    /// Returns a closure that counts its calls and cancels the current task in call number `last`.
    private func counting(_ steps: Guarded<Int>, cancellingAt last: Int) -> @Sendable () -> Void {
        { if steps.increment() == last { withUnsafeCurrentTask { $0?.cancel() } } }
    }

    /// Expects that a loop ends at most 256 steps after the step in which it is cancelled.
    private func expectEnd<Failure: Error>(
        cancellingAt last: Int, _ loop: (@escaping @Sendable () -> Void) -> EnvIO<Void, Failure, Void>
    ) throws {
        let steps = Guarded(0)
        let program = loop(counting(steps, cancellingAt: last))
        #expect(try VirtualScheduler().run { await program.outcome().word } == "cancelled")
        #expect(steps.value <= last + 256)
    }

    @Test(arguments: [0, 1, 100, 255, 256, 1_000])
    func aLoopWithoutEndTakesAtMost256StepsMore(_ early: Int) throws {
        try expectEnd(cancellingAt: early) { count in
            @Sendable func loop() -> EnvIO<Void, Never, Void> { EnvIO { () in count() }.flatMap { loop() } }
            return EnvIO { () in if early == 0 { withUnsafeCurrentTask { $0?.cancel() } } }.flatMap { loop() }
        }
    }

    @Test(arguments: Chain.allCases, [2, 10, 50, 1_000])
    func aLoopOfLongRoundsTakesAtMost256StepsMore(_ chain: Chain, _ width: Int) throws {
        for early in [1, 7, width, 3 * width + 1] {
            try expectEnd(cancellingAt: early) { count in
                @Sendable func loop() -> EnvIO<Void, Broken, Void> {
                    (1..<width).reduce(chain.first(count)) { program, _ in chain.longer(program, count) }
                        .handleErrorWith { _ in loop() }.flatMap { loop() }
                }
                return loop()
            }
        }
    }

    /// A step calls the most closures if one nest of closures returns another.
    @Test(arguments: 0..<32) func aLoopOfTheLargestStepsTakesAtMost256StepsMore(_ before: Int) throws {
        for early in stride(from: 1, through: 500, by: 3) {
            try expectEnd(cancellingAt: early) { count in
                let nest = (0..<30).reduce(EnvIO<Void, Broken, Void> { () in count() }) { nest, _ in nest.map(count) }
                @Sendable func counted(
                    _ program: EnvIO<Void, Broken, Void>, _ next: EnvIO<Void, Broken, Void>
                ) -> EnvIO<Void, Broken, Void> {
                    program.flatMap {
                        count()
                        return next
                    }
                }
                @Sendable func loop() -> EnvIO<Void, Broken, Void> {
                    let short = (0..<before).reduce(.suspend { .pure(()) }) { program, _ in
                        counted(program, .pure(()))
                    }
                    return (0..<4).reduce(short) { program, _ in program.flatMap { counted(nest, nest) } }
                        .flatMap { loop() }
                }
                return loop()
            }
        }
    }

    /// The operation that makes a program longer.
    enum Chain: CaseIterable, Sendable {
        case flatMap, map, nodes, handleError, mapError

        func first(_ count: @escaping @Sendable () -> Void) -> EnvIO<Void, Broken, Void> {
            switch self {
            case .flatMap, .map, .nodes: EnvIO { () in count() }
            case .handleError, .mapError: .fail(Broken())
            }
        }

        func longer(
            _ program: EnvIO<Void, Broken, Void>, _ count: @escaping @Sendable () -> Void
        ) -> EnvIO<Void, Broken, Void> {
            switch self {
            case .flatMap:
                program.flatMap { EnvIO { () in count() } }
            case .map:
                program.map(count)
            case .nodes:
                // The largest number of closures in one step.
                program.flatMap { (0..<30).reduce(EnvIO { () in count() }) { inner, _ in inner.map(count) } }
            case .handleError:
                program.handleErrorWith { error in
                    count()
                    return .fail(error)
                }
            case .mapError:
                program.mapError { error in
                    count()
                    return error
                }
            }
        }
    }

    @Test func aLoopThatLostARaceTakesAtMost256StepsMore() throws {
        let steps = Guarded((all: 0, atTheEnd: 0))
        @Sendable func loop() -> EnvIO<Void, Never, Int> {
            EnvIO { () in steps.withLock { $0.all += 1 } }.flatMap { loop() }
        }
        let winner = EnvIO<Void, Never, Int> { () in
            steps.withLock { $0.atTheEnd = $0.all }
            return 1
        }
        // Both sides share one thread. The yield lets the winner start before the loop.
        let yielding = EnvIO<Void, Never, Void> { () async in await Task.yield() }
        let scheduler = VirtualScheduler()
        #expect(try scheduler.run { await winner.race(yielding.flatMap { loop() }).outcome() } == .value(1))
        #expect(steps.withLock { $0.all <= $0.atTheEnd + 256 })
    }

    @Test func aSynchronousStepInARegionSeesThatTheTaskIsCancelled() {
        let look = Step<Void> { world in world.write("Task.isCancelled: \(Task.isCancelled)") }
        let waiting = Step<String> { (world: World) async in
            world.write("Task.isCancelled in a wait: \(Task.isCancelled)")
            return "end"
        }
        #expect(
            lines(of: look.after(1).followed(by: waiting).uncancellable()) == [
                "1 Task.isCancelled: true", "1 Task.isCancelled in a wait: false", "1 ended as end",
            ])
    }
}

@Suite("Bracket", .timeLimit(.minutes(10)))
struct BracketTests {
    @Test("BR9. Cancelling after the end of a bracket does not release a second time")
    func afterTheEnd() {
        let world = World()
        let task = world.start(step("use").guarded("it").followed(by: pause(10)))
        for _ in 0..<2 { world.cancel(task) }
        #expect(world.log.lines == ["0 open it", "0 use", "0 close it", "0 ended as cancelled"])
    }

    @Test func aFinalizerThatCancelsEndsTheRunAsCancelledUnlessItFailed() async {
        #expect(await EnvIO<Void, Broken, Int>.pure(1).guarantee(.cancelled).outcome() == .cancelled)
        #expect(await EnvIO<Void, Broken, Int>.fail(Broken()).guarantee(.cancelled).outcome() == .failure(Broken()))
    }

    @Test func aFailingReleaseDoesNotMakeACancelledRunAFailure() {
        let program = pause(5).guarantee(failing("release").void).handleErrorWith { _ in step("handled").void }
        #expect(lines(of: program) == ["0 release", "0 ended as cancelled"])
    }
}
