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
            guard case .finished(let outcome) = program.start(()) else {
                Issue.record("The program suspended.")
                return
            }
            #expect(outcome == end)
            guard case .waiting(let task) = wait.followed(by: program).start(()) else {
                Issue.record("The program did not suspend.")
                return
            }
            #expect(await task.value == end)
        }
    }

    @Test("CA4. Cancellation affects only the polled part of a region")
    func aRegion() {
        let world = World()
        let program = Step<String>.uncancellable { poll in
            step("in").after(1).followed(by: poll(step("polled").after(10))).guarded("it", winding: 2)
        }
        let task = world.start(program.flatMap { _ in step("after") })
        world.cancel(task)
        world.scheduler.advance(by: .seconds(20))
        #expect(world.log.lines == ["0 open it", "1 in", "3 close it", "3 ended as cancelled"])

        let other = World()
        let late = other.start(program)
        other.scheduler.advance(by: .seconds(2))
        other.cancel(late)
        other.scheduler.advance(by: .seconds(20))
        #expect(other.log.lines == ["0 open it", "1 in", "4 close it", "4 ended as cancelled"])
    }

    @Test("CA4. Inside nested regions, neither poll alone makes a step cancellable")
    func nestedRegions() {
        let world = World()
        let program = Step<String>.uncancellable { outer in
            .uncancellable { inner in
                inner(step("a").after(1)).followed(by: outer(step("b").after(1)))
            }
        }
        let task = world.start(program.flatMap { _ in step("not cancelled without a wait") }.followed(by: pause(1)))
        world.cancel(task)
        world.scheduler.advance(by: .seconds(20))
        #expect(
            world.log.lines == ["1 a", "2 b", "2 not cancelled without a wait", "2 ended as cancelled"])
    }

    @Test("CA4. Nested polls open nested regions only if the inner region opens first")
    func nestedPolls() {
        for (insideOut, log) in [(true, ["0 ended as cancelled"]), (false, ["5 a", "5 ended as a"])] {
            let world = World()
            let program = Step<String>.uncancellable { outer in
                .uncancellable { inner in
                    insideOut ? inner(outer(step("a").after(5))) : outer(inner(step("a").after(5)))
                }
            }
            world.cancel(world.start(program))
            world.scheduler.advance(by: .seconds(20))
            #expect(world.log.lines == log)
        }
    }

    @Test("CA4. A region's poll opens the use of a bracket, not its acquire or release")
    func regionsInARegion() {
        let world = World()
        let program = Step<String>.uncancellable { poll in
            .bracket(
                acquire: poll(step("acquired").after(5)), release: { _ in poll(step("released").after(5)).void },
                use: { _ in poll(step("used").after(5)) })
        }
        world.cancel(world.start(program))
        world.scheduler.advance(by: .seconds(20))
        #expect(world.log.lines == ["5 acquired", "10 released", "10 ended as cancelled"])
    }

    @Test("CA4. In a polled bracket, polling the acquire or the release has no effect")
    func regionsInAPolledPart() {
        let released = World()
        let releasing = Step<String>.uncancellable { poll in
            poll(
                .bracket(
                    acquire: step("acquired"), release: { _ in poll(step("released").after(5)).void },
                    use: { _ in step("used").after(5) }))
        }
        released.cancel(released.start(releasing))
        released.scheduler.advance(by: .seconds(20))
        #expect(released.log.lines == ["0 acquired", "5 released", "5 ended as cancelled"])

        let acquired = World()
        let acquiring = Step<String>.uncancellable { poll in
            poll(
                .bracket(
                    acquire: poll(step("acquired").after(5)), release: { _ in step("released").void },
                    use: { _ in step("used").after(5) }))
        }
        acquired.cancel(acquired.start(acquiring))
        acquired.scheduler.advance(by: .seconds(20))
        #expect(acquired.log.lines == ["5 acquired", "5 released", "5 ended as cancelled"])
    }

    @Test("CA4. A poll has no effect in a later region or inside a race")
    func aPollIsOfOneRegion() {
        let later = World()
        let program = Step<Poll>.uncancellable { poll in step("kept").map { _ in poll } }.flatMap { poll in
            Step<String>.uncancellable { _ in poll(step("second").after(5)) }
        }
        later.cancel(later.start(program))
        later.scheduler.advance(by: .seconds(20))
        #expect(later.log.lines == ["0 kept", "5 second", "5 ended as second"])

        let racing = World()
        racing.start(
            Step<String>.uncancellable { poll in
                Step<String>.uncancellable { _ in poll(step("inner").after(5)) }.race(step("winner").after(1))
            })
        racing.scheduler.advance(by: .seconds(20))
        #expect(racing.log.lines == ["1 winner", "5 inner", "5 ended as winner"])
    }

    @Test("CA4. A polled part does not start if the run is already cancelled")
    func aPolledPartOfACancelledRun() {
        let world = World()
        let task = world.start(
            Step<String>.uncancellable { poll in step("first").after(1).followed(by: poll(step("polled"))) })
        world.cancel(task)
        world.scheduler.advance(by: .seconds(20))
        #expect(world.log.lines == ["1 first", "1 ended as cancelled"])
    }

    @Test("CA5. A cancellation finalizer inside a region does not run")
    func onCancelInARegion() {
        let world = World()
        let task = world.start(step("a").after(1).onCancel(step("fin").void).uncancellable())
        world.cancel(task)
        world.scheduler.advance(by: .seconds(20))
        #expect(world.log.lines == ["1 a", "1 ended as a"])
    }

    @Test("CA6. Cancellation finalizers run from the inside out and are not cancelled")
    func finalizersInOrder() {
        let world = World()
        let task = world.start(
            pause(10).onCancel(step("first").after(1).void).onCancel(step("second").after(1).void)
                .onCancel(failing("third").after(1).void))
        world.cancel(task)
        world.cancel(task)
        world.scheduler.advance(by: .seconds(20))
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
        world.scheduler.advance(by: .seconds(20))
        #expect(world.log.lines[2] == "3 fin")
        #expect(world.log.lines.dropFirst(3).sorted() == ["3 a knows", "3 b knows"])
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
        let cancelling = Step<Void> { _ in withUnsafeCurrentTask { $0?.cancel() } }
        for (name, program) in programs {
            let world = World()
            world.start(cancelling.followed(by: program))
            #expect(elsewhere.drain() == 0)
            #expect(world.log.lines == ["0 ended as cancelled"], "\(name)")
        }
    }

    @Test func aLoopWithoutEndTakesAtMost256StepsMore() throws {
        for early in [0, 1, 100, 255, 256, 1_000] {
            let steps = Guarded(0)
            @Sendable func loop() -> EnvIO<Void, Never, Void> {
                EnvIO { () in
                    steps.withLock { $0 += 1 }
                    if steps.withLock({ $0 }) == early { withUnsafeCurrentTask { $0?.cancel() } }
                }
                .flatMap { loop() }
            }
            let scheduler = VirtualScheduler()
            let program = EnvIO<Void, Never, Void> {
                if early == 0 { withUnsafeCurrentTask { $0?.cancel() } }
            }
            .flatMap { loop() }
            #expect(try scheduler.run { await program.outcome().word } == "cancelled")
            #expect(steps.withLock { $0 } <= early + 256)
        }
    }

    /// Returns a closure that counts its calls and cancels the current task in call number `last`.
    private func counting(_ steps: Guarded<Int>, cancellingAt last: Int) -> @Sendable () -> Void {
        {
            let isDue = steps.withLock { steps in
                steps += 1
                return steps == last
            }
            if isDue { withUnsafeCurrentTask { $0?.cancel() } }
        }
    }

    @Test(arguments: Chain.allCases, [2, 10, 50, 1_000])
    func aLoopOfLongRoundsTakesAtMost256StepsMore(_ chain: Chain, _ width: Int) throws {
        for early in [1, 7, width, 3 * width + 1] {
            let steps = Guarded(0)
            let count = counting(steps, cancellingAt: early)
            @Sendable func loop() -> EnvIO<Void, Broken, Void> {
                (1..<width).reduce(chain.first(count)) { program, _ in chain.longer(program, count) }
                    .handleErrorWith { _ in loop() }.flatMap { loop() }
            }
            #expect(try VirtualScheduler().run { await loop().outcome().word } == "cancelled")
            #expect(steps.withLock { $0 } <= early + 256)
        }
    }

    /// A step calls the most closures if one nest of closures returns another.
    @Test(arguments: 0..<32) func aLoopOfTheLargestStepsTakesAtMost256StepsMore(_ before: Int) throws {
        for early in stride(from: 1, through: 500, by: 3) {
            let steps = Guarded(0)
            let count = counting(steps, cancellingAt: early)
            let nest = (0..<30).reduce(EnvIO<Void, Broken, Void> { () in count() }) { nest, _ in nest.map(count) }
            @Sendable func loop() -> EnvIO<Void, Broken, Void> {
                let short = (0..<before).reduce(EnvIO<Void, Broken, Void>.suspend { .pure(()) }) { program, _ in
                    program.flatMap {
                        count()
                        return .pure(())
                    }
                }
                return (0..<4).reduce(short) { program, _ in
                    program.flatMap {
                        nest.flatMap {
                            count()
                            return nest
                        }
                    }
                }
                .flatMap { loop() }
            }
            #expect(try VirtualScheduler().run { await loop().outcome().word } == "cancelled")
            #expect(steps.withLock { $0 } <= early + 256)
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
        let world = World()
        let look = Step<String> { world in
            world.write("Task.isCancelled: \(Task.isCancelled)")
            return ""
        }
        let waiting = Step<String> { (world: World) async in
            world.write("Task.isCancelled in a wait: \(Task.isCancelled)")
            return "end"
        }
        let task = world.start(look.after(1).followed(by: waiting).uncancellable())
        world.cancel(task)
        world.scheduler.advance(by: .seconds(2))
        #expect(
            world.log.lines == [
                "1 Task.isCancelled: true", "1 Task.isCancelled in a wait: false", "1 ended as end",
            ])
    }
}

@Suite("Bracket", .timeLimit(.minutes(10)))
struct BracketTests {
    private static let ends: [(Step<String>, String)] = [
        (step("use"), "use"), (failing("use"), "Broken use"), (step("use").followed(by: .cancelled), "cancelled"),
    ]

    @Test("BR4. The release and the finalizer of guaranteeCase receive the outcome")
    func theCase() throws {
        for (use, end) in Self.ends {
            let world = World()
            let program = Step<String>.bracketCase(
                acquire: step("open"), release: { name, end in step("close \(name) after \(end.word)").void },
                use: { _ in use })
            #expect(try world.outcome(of: program).word == end)
            #expect(world.log.lines == ["0 open", "0 use", "0 close open after \(end)"])
            let other = World()
            #expect(try other.outcome(of: use.guaranteeCase { step($0.word).void }).word == end)
            #expect(other.log.lines == ["0 use", "0 \(end)"])
        }
    }

    @Test("BR9. Cancelling after the end of a bracket does not release a second time")
    func afterTheEnd() {
        let world = World()
        let task = world.start(step("use").guarded("it").followed(by: pause(10)))
        world.cancel(task)
        world.cancel(task)
        #expect(world.log.lines == ["0 open it", "0 use", "0 close it", "0 ended as cancelled"])
    }
}
