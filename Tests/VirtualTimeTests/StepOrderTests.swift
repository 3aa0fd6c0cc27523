import TestSupport
import Testing
import VirtualTime

/// Programs whose steps an order chooses.
@Suite("Orders of steps", .timeLimit(.minutes(10)))
struct StepOrderTests {
    /// Returns the log of tasks that are ready at the same time.
    private func names(_ choices: [Int]) -> [String] {
        let (executor, log) = (ManualExecutor(order: StepOrder(choices)), Log())
        for name in ["a", "b", "c"] { Task(executorPreference: executor) { log.append(name) } }
        #expect(executor.drain() == 3)
        return log.lines
    }

    @Test func aChoiceIsTheIndexOfAReadyJob() {
        #expect(names([]) == ["a", "b", "c"])
        #expect(names([1]) == ["b", "a", "c"])
        #expect(names([2]) == ["c", "a", "b"])
        #expect(names([2, 1]) == ["c", "b", "a"])
        #expect(names([0, 1]) == ["a", "c", "b"])
    }

    @Test func aChoiceIsTakenModuloTheNumberOfSteps() {
        #expect(names([4, 3, 7]) == names([1, 1]))
        #expect(names([3, 2]) == names([]))
    }

    @Test func aJobThatBecomesReadyIsTheLastOfTheReadyJobs() {
        let (scheduler, log) = (VirtualScheduler(order: StepOrder([0, 2])), Log())
        for name in ["a", "b", "c"] {
            scheduler.start {
                log.append(name)
                scheduler.start { log.append(name + "'s child") }
            }
        }
        scheduler.drain()
        #expect(log.lines == ["a", "a's child", "b", "c", "b's child", "c's child"])
    }

    @Test(arguments: [false, true])
    func anOrderWithoutChoicesIsFirstInFirstOut(_ racesTime: Bool) throws {
        let order = StepOrder(racingTime: racesTime)
        let usual = try VirtualSchedulerTests.program(VirtualScheduler())
        #expect(try VirtualSchedulerTests.program(VirtualScheduler(order: order)) == usual)
        // The search through all orders makes one step after the other.
        let logged = StepOrder([], racingTime: racesTime, log: StepLog())
        #expect(try VirtualSchedulerTests.program(VirtualScheduler(order: logged)) == usual)
    }

    @Test func anOrderRepeatsItsStepsAndOrdersDiffer() throws {
        let orders = (0..<200).map { seed in StepOrder((0..<30).map { (seed + 3) * ($0 + 5) % 13 }) }
        let first = try orders.map { try VirtualSchedulerTests.program(VirtualScheduler(order: $0)) }
        let second = try orders.map { try VirtualSchedulerTests.program(VirtualScheduler(order: $0)) }
        #expect(first == second)
        #expect(Set(first).count > 8)
    }

    // MARK: - Time

    /// Returns the log of two tasks that wake at the same time, and then let each other go first.
    private func simultaneous(_ order: StepOrder) -> [String] {
        let (scheduler, log) = (VirtualScheduler(), Log())
        for name in ["a", "b"] {
            scheduler.start {
                try await scheduler.clock.sleep(for: .seconds(1))
                log.append(name)
                await Task.yield()
                log.append(name + " again")
            }
        }
        scheduler.drain()
        scheduler.executor.follow(order)
        scheduler.advance(by: .seconds(1))
        return log.lines
    }

    @Test func anOrderDecidesAmongSleepersWithOneDeadline() {
        #expect(simultaneous(StepOrder()) == ["a", "a again", "b", "b again"])
        // The clock wakes b before a runs. Then a or b is the first to run.
        #expect(simultaneous(StepOrder([1])) == ["a", "b", "a again", "b again"])
        #expect(simultaneous(StepOrder([1, 1])) == ["b", "a", "b again", "a again"])
    }

    /// Returns the log of a task that logs its turns and of another that wakes after a second.
    private func turns(_ order: StepOrder, _ run: (VirtualScheduler) throws -> Void) rethrows -> [String] {
        let (scheduler, log) = (VirtualScheduler(order: order), Log())
        scheduler.start {
            try await scheduler.clock.sleep(for: .seconds(1))
            log.append("woken")
        }
        scheduler.start {
            for turn in 1...3 {
                log.append("turn \(turn) at \(scheduler.clock.now)")
                await Task.yield()
            }
        }
        // Both tasks end, even if `run` leaves them suspended.
        defer { scheduler.advance(by: .seconds(1)) }
        try run(scheduler)
        return log.lines
    }

    @Test func theFirstStepIsTheJobThatBecameReadyFirst() {
        let steps = ["turn 1 at 0.0 seconds", "turn 2 at 0.0 seconds", "turn 3 at 0.0 seconds", "woken"]
        #expect(turns(StepOrder(racingTime: true)) { $0.advance(by: .seconds(1)) } == steps)
        // Without a race, the clock stands as long as a job is ready.
        #expect(turns(StepOrder([0, 1])) { $0.advance(by: .seconds(1)) } == steps)
    }

    @Test func theLastStepAdvancesTheClockWhileJobsAreReady() throws {
        let steps = ["turn 1 at 1.0 seconds", "woken", "turn 2 at 1.0 seconds", "turn 3 at 1.0 seconds"]
        let order = StepOrder([0, 1], racingTime: true)
        #expect(turns(order) { $0.advance(by: .seconds(1)) } == steps)
        let ran = try turns(order) { scheduler in
            try scheduler.run { [clock = scheduler.clock] in
                await Task.yield()
                try await clock.sleep(for: .seconds(1))
            }
        }
        #expect(ran.contains("woken"))
    }

    @Test func timeRacesOnlyWithinAnAdvance() {
        let order = StepOrder([0, 1, 1, 1, 1], racingTime: true)
        let steps = ["turn 1 at 0.0 seconds", "turn 2 at 0.0 seconds", "turn 3 at 0.0 seconds"]
        #expect(turns(order) { $0.advance(by: .milliseconds(999)) } == steps)
        #expect(turns(order) { $0.drain() } == steps)
    }

    @Test func aSingleStepRunsWithoutAChoice() throws {
        let log = StepLog()
        let scheduler = VirtualScheduler(order: StepOrder([], racingTime: true, log: log))
        try scheduler.run {
            await Task.yield()
            try await scheduler.clock.sleep(for: .seconds(1))
        }
        #expect(log.stepCounts == [])
        #expect(scheduler.clock.now == .init(offset: .seconds(1)))
    }

    @Test func aLogContainsTheNumbersOfPossibleSteps() {
        let log = StepLog()
        let scheduler = VirtualScheduler(order: StepOrder([], racingTime: false, log: log))
        for _ in 0..<3 { scheduler.start {} }
        scheduler.drain()
        #expect(log.stepCounts == [3, 2])
    }

    @Test func aProgramThatWaitsOutsideVirtualTimeIsStalled() {
        let scheduler = VirtualScheduler(order: StepOrder([1], racingTime: true))
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        defer { continuation.finish() }
        #expect(throws: VirtualScheduler.Stalled.self) {
            try scheduler.run { for await _ in stream {} }
        }
    }

    @Test func aLimitAppliesToOrdersToo() {
        let scheduler = VirtualScheduler(order: StepOrder(Array(repeating: 1, count: 100), racingTime: true))
        let timer = scheduler.start {
            while true { try await scheduler.clock.sleep(for: .seconds(1)) }
        }
        let chain = scheduler.start {
            while !Task.isCancelled { await Task.yield() }
        }
        #expect(scheduler.advance(to: nil, atMost: 50) == false)
        #expect(scheduler.executor.drain(atMost: 50) == false)
        timer.cancel()
        chain.cancel()
        scheduler.drain()
        #expect(scheduler.clock.sleeperCount == 0)
    }

    // MARK: - The value

    @Test func zerosAtTheEndHaveNoEffect() {
        #expect(StepOrder([0, 2, 0, 0]).choices == [0, 2])
        #expect(StepOrder([0, 2, 0]) == StepOrder([0, 2]))
        #expect(Set([StepOrder([0]), StepOrder(), StepOrder(racingTime: true)]).count == 2)
    }

    @Test("Orders are equal only if they have the same choices, and both or none of them race time")
    func equality() {
        for (left, right) in [([1], [2]), ([1], [1, 1]), ([1], [0, 1]), ([], [1])] {
            for racesTime in [false, true] {
                #expect(StepOrder(left, racingTime: racesTime) != StepOrder(right, racingTime: racesTime))
                #expect(StepOrder(left, racingTime: racesTime) == StepOrder(left, racingTime: racesTime))
            }
            #expect(StepOrder(left) != StepOrder(left, racingTime: true))
        }
    }

    @Test func anOrderIsPrintedAsSourceCode() {
        #expect("\(StepOrder())" == "StepOrder()")
        #expect("\(StepOrder([0, 2]))" == "StepOrder([0, 2])")
        #expect("\(StepOrder(racingTime: true))" == "StepOrder(racingTime: true)")
        #expect("\(StepOrder([1], racingTime: true))" == "StepOrder([1], racingTime: true)")
    }

    @Test(.promptly) func aNegativeChoiceTraps() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = StepOrder([1, -2])
        }?.expectError("A StepOrder has the choice -2. To fix, pass choices that are 0 or more.")
    }
}
