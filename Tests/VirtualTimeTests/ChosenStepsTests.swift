import TestSupport
import Testing
import VirtualTime

/// Programs whose steps a closure chooses.
@Suite("Chosen steps", .timeLimit(.minutes(10)))
struct ChosenStepsTests {
    /// Returns the log of a task that logs its turns and of another that wakes after a second.
    private func turns(_ choose: (VirtualScheduler, Int) -> Int) throws -> [String] {
        let (scheduler, log) = (VirtualScheduler(), Log())
        func step(of count: Int) -> Int { choose(scheduler, count) }
        try scheduler.run(choosing: step) {
            try await withThrowingTaskGroup { group in
                group.addTask {
                    try await scheduler.clock.sleep(for: .seconds(1))
                    log.append("woken")
                }
                group.addTask {
                    for turn in 1...3 {
                        log.append("turn \(turn) at \(scheduler.clock.now)")
                        await Task.yield()
                    }
                }
                try await group.waitForAll()
            }
        }
        return log.lines
    }

    private func first(of count: Int) -> Int { 0 }

    @Test func theFirstStepIsTheJobThatBecameReadyFirst() throws {
        let steps = ["turn 1 at 0.0 seconds", "turn 2 at 0.0 seconds", "turn 3 at 0.0 seconds", "woken"]
        #expect(try turns { _, _ in 0 } == steps)
    }

    @Test func theLastStepAdvancesTheClockWhileJobsAreReady() throws {
        let lines = try turns { scheduler, count in scheduler.clock.sleeperCount > 0 ? count - 1 : 0 }
        #expect(lines == ["turn 1 at 1.0 seconds", "woken", "turn 2 at 1.0 seconds", "turn 3 at 1.0 seconds"])
    }

    @Test func aSingleStepRunsWithoutAChoice() throws {
        let scheduler = VirtualScheduler()
        var counts: [Int] = []
        func step(of count: Int) -> Int {
            counts.append(count)
            return 0
        }
        try scheduler.run(choosing: step) {
            await Task.yield()
            try await scheduler.clock.sleep(for: .seconds(1))
        }
        #expect(counts.isEmpty)
        #expect(scheduler.clock.now == .init(offset: .seconds(1)))
    }

    @Test func aProgramThatWaitsOutsideVirtualTimeIsStalled() {
        let scheduler = VirtualScheduler()
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        defer { continuation.finish() }
        #expect(throws: VirtualScheduler.Stalled.self) {
            try scheduler.run(choosing: first) { for await _ in stream {} }
        }
    }

    @Test func readyJobsRunAfterTheProgramEnds() throws {
        let (scheduler, log) = (VirtualScheduler(), Log())
        _ = try scheduler.run(choosing: first) { [executor = scheduler.executor] in
            Task(executorPreference: executor) { log.append("ran") }
        }
        #expect(log.lines == ["ran"])
        #expect(scheduler.executor.readyCount == 0)
    }
}
