import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("Parallel", .timeLimit(.minutes(10)))
struct ParallelTests {
    private let world = World()

    @Test("PA4. The programs that run at once reach the limit and never exceed it", arguments: [1, 2, 3, 8, 20, 100])
    func noMoreThanTheLimit(_ limit: Int) throws {
        for seed in 1...20 {
            let world = World(seed: UInt64(seed))
            let running = Guarded((now: 0, most: 0))
            let program = (0..<20).parTraverse(limit: limit) { number in
                Step<Int>.bracket(
                    acquire: Step<Void> { _ in
                        running.withLock {
                            $0.now += 1
                            $0.most = max($0.most, $0.now)
                        }
                    },
                    release: { Step<Void> { _ in running.withLock { $0.now -= 1 } } },
                    use: { pause(number % 3 + 1).as(number) })
            }
            #expect(try world.outcome(of: program) == .value(Array(0..<20)))
            #expect(running.withLock { $0 } == (now: 0, most: min(limit, 20)))
        }
    }

    @Test("PA4. A limit below one traps with a message", .promptly)
    func noLimitBelowOne() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = [EnvIO<Void, Never, Int>.pure(1)].parSequence(limit: 0)
        }?.expectError(
            "parTraverse was called with a limit of 0, so no program could start.",
            "To fix, pass a limit of 1 or more, or no limit to run all programs at once.")
    }

    @Test("PA5. The first failure cancels the others and is returned once they have ended")
    func theFirstFailure() throws {
        let slow = step("never").after(100).guarded("slow", winding: 2)
        for both in [
            failing("a").after(3).parZip(slow).map(\.0), slow.parZip(failing("a").after(3)).map(\.0),
            [failing("a").after(3), slow, failing("b").after(4)].parSequence().map { $0[0] },
            parallel(failing("a").after(3), slow, pause(1)).map(\.0),
        ] {
            let world = World()
            #expect(try world.outcome(of: both.guarded("all")) == .failure(Broken(name: "a")))
            #expect(world.log.lines == ["0 open all", "0 open slow", "3 a", "5 close slow", "5 close all"])
            #expect(world.scheduler.clock.sleeperCount == 0)
        }
    }

    @Test("PA5. After a failure, the remaining programs do not start")
    func theRestDoesNotBegin() throws {
        let program = (0..<10).parTraverse(limit: 2) { number in
            number == 3 ? failing("3").after(1) : step("\(number)").after(1).guarded("\(number)")
        }
        #expect(try world.outcome(of: program) == .failure(Broken(name: "3")))
        let begun = world.log.lines.filter { $0.contains("open") }
        #expect(begun.allSatisfy { ["0 open 0", "0 open 1", "1 open 2", "2 open 4"].contains($0) })
        #expect(world.log.lines.count { $0.contains("close") } == begun.count)
    }

    @Test("PA5. A program that has not started when the first ends never starts")
    func nothingBeginsLate() throws {
        for program in [
            failing("0").parZip(step("1")).map(\.0), step("0").race(step("1")),
            [failing("0"), step("1"), step("2")].parSequence(limit: 2).map { $0[0] },
        ] {
            let world = World()
            _ = try world.outcome(of: program)
            #expect(world.log.lines == ["0 0"])
        }
    }

    @Test("PA7. Two programs that wait for each other end, because they run at once")
    func aRendezvous() async throws {
        let (left, right) = (Gate(), Gate())
        @Sendable func meeting(_ mine: Gate, _ other: Gate) -> EnvIO<Void, any Error, Int> {
            EnvIO { () async in
                await mine.open()
                await other.pass()
                return 1
            }
        }
        let sides = (meeting(left, right), meeting(right, left))
        #expect(try await sides.0.parZip(sides.1).run() == (1, 1))
        #expect(try await parallel(sides.0, sides.1).run() == (1, 1))
        #expect(try await [sides.0, sides.1].parSequence(limit: 2).run() == [1, 1])
    }

    @Test("PA8. With a limit of one, the programs run one after the other, in order")
    func oneAtATime() throws {
        let program = (1...4).parTraverse(limit: 1) { number in step("\(number)").after(1).guarded("\(number)") }
        #expect(try world.outcome(of: program) == .value(["1", "2", "3", "4"]))
        #expect(
            world.log.lines
                == (1...4).flatMap { ["\($0 - 1) open \($0)", "\($0) \($0)", "\($0) close \($0)"] })
    }

    @Test func programsOfDifferentTypesRunInParallel() throws {
        let program = parallel(step("a").after(3), pause(2).as(2), Step<Double?>.pure(nil))
        let (text, number, none) = try #require(try world.outcome(of: program).value)
        #expect((text, number) == ("a", 2))
        #expect(none == nil)
        #expect(world.seconds == 3)
    }

    @Test func parTraverseOfNoElementsEndsAtOnce() throws {
        #expect(try World().outcome(of: [Int]().parTraverse(limit: 3) { Step<Int>.pure($0) }) == .value([]))
        let none: [Int?] = [nil, 1, nil]
        #expect(try World().outcome(of: none.parTraverse { Step<Int?>.pure($0) }) == .value(none))
    }

    @Test func tenThousandSleepsNeedOneThread() throws {
        let ended = Guarded(0)
        let task = world.start(
            (0..<10_000).parTraverse { number in
                pause(number % 60 + 1).map { ended.increment() }
            }
            .map(\.count))
        // All programs sleep, and only the thread of this test runs them.
        #expect(world.scheduler.clock.sleeperCount == 10_000)
        world.advance(by: 60)
        #expect(ended.value == 10_000)
        #expect(world.log.lines == ["60 ended as 10000"])
        task.cancel()
    }

    @Test func aLimitBoundsTheNumberOfTasks() throws {
        let task = world.start((0..<10_000).parTraverse(limit: 8) { _ in pause(1) }.void)
        #expect(world.scheduler.clock.sleeperCount == 8)
        world.cancel(task)
        #expect(world.scheduler.clock.sleeperCount == 0)
    }
}
