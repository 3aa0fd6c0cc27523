import TestSupport
import Testing
import VirtualTime

@Suite(.timeLimit(.minutes(10))) struct VirtualSchedulerTests {
    private let scheduler = VirtualScheduler()
    private let log = Log()
    private var clock: VirtualClock { scheduler.clock }

    /// Runs timers, a task group, an actor and a nested cancellation. Returns the log.
    static func program(_ scheduler: VirtualScheduler) throws -> [String] {
        actor Total {
            var value = 0
            func add(_ number: Int) -> Int {
                value += number
                return value
            }
        }
        let log = Log()
        let clock = scheduler.clock
        try scheduler.run {
            let total = Total()
            let victim = scheduler.start {
                do {
                    try await clock.sleep(for: .seconds(100))
                } catch {
                    log.append("victim: \(error is CancellationError) at \(clock.now)")
                }
            }
            try await withThrowingTaskGroup(of: Int.self) { group in
                for index in 1...5 {
                    group.addTask {
                        try await clock.sleep(for: .milliseconds(index % 2 == 0 ? 20 : 10))
                        log.append("child \(index): \(await total.add(index))")
                        await Task.yield()
                        log.append("child \(index) yielded")
                        try await clock.sleep(for: .milliseconds(10))
                        return index
                    }
                }
                var count = 0
                for try await index in group {
                    count += 1
                    log.append("joined \(index) at \(clock.now)")
                    if count == 3 { victim.cancel() }
                }
            }
            try await victim.value
            log.append("end at \(clock.now)")
        }
        return log.lines
    }

    @Test func `a program has the same log in two thousand runs`() throws {
        let logs = try Set((0..<2_000).map { _ in try Self.program(VirtualScheduler()) })
        #expect(logs.count == 1)
        #expect(logs.first?.count == 17)
        #expect(logs.first?.last == "end at 0.03 seconds")
    }

    @Test func `different seeds give different logs, and the same seed the same log`() throws {
        let seeds: Range<UInt64> = 0..<200
        let first = try seeds.map { try Self.program(VirtualScheduler(seed: $0)) }
        let second = try seeds.map { try Self.program(VirtualScheduler(seed: $0)) }
        #expect(first == second)
        #expect(Set(first).count > 20)
    }

    @Test func `a program that sleeps for a year runs at once`() throws {
        let days = try scheduler.run {
            for _ in 0..<365 { try await clock.sleep(for: .seconds(86_400)) }
            return 365
        }
        #expect(days == 365)
        #expect(clock.now.offset == .seconds(365 * 86_400))
    }

    @Test func `run rethrows the error of the program`() {
        struct Failure: Error {}
        #expect(throws: Failure.self) { try VirtualScheduler().run { throw Failure() } }
    }

    @Test func `a program that waits outside virtual time throws a Stalled error`() {
        let error = #expect(throws: VirtualScheduler.Stalled.self) {
            try VirtualScheduler().run {
                let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
                for await _ in stream {}
                continuation.finish()
            }
        }
        #expect(error?.description.contains("outside virtual time") == true)
    }

    @Test func `a program that waits outside virtual time is cancelled and winds down`() {
        #expect(throws: VirtualScheduler.Stalled.self) {
            try VirtualScheduler().run {
                for _ in 0..<2 {
                    // Ends at once if the task is cancelled.
                    await withTaskCancellationHandler {
                        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
                        for await _ in stream {}
                        continuation.finish()
                    } onCancel: {
                        log.append("cancelled")
                    }
                    log.append("resumed, cancelled: \(Task.isCancelled)")
                }
            }
        }
        #expect(
            log.lines == ["cancelled", "resumed, cancelled: true", "cancelled", "resumed, cancelled: true"])
    }

    @Test func `a task that polls forever does not delay the end of the program`() throws {
        let poll = scheduler.start {
            while true { try await clock.sleep(for: .seconds(1)) }
        }
        try scheduler.run { try await clock.sleep(for: .seconds(10)) }
        #expect(clock.now.offset == .seconds(10))
        poll.cancel()
        scheduler.drain()
        #expect(clock.sleeperCount == 0)
    }

    @Test func `a limited advance stops in a task that sleeps again and again`() {
        let timer = scheduler.start {
            while true { try await clock.sleep(for: .seconds(1)) }
        }
        #expect(scheduler.drain(atMost: 10))
        #expect(scheduler.advance(to: nil, atMost: 10) == false)
        #expect(clock.now.offset == .seconds(10))
        #expect(scheduler.advance(to: .init(offset: .milliseconds(20_500)), atMost: 10) == true)
        #expect(clock.now.offset == .milliseconds(20_500))
        #expect(scheduler.advance(to: .init(offset: .seconds(100)), atMost: 10) == false)
        #expect(clock.now.offset == .seconds(30))
        timer.cancel()
        #expect(scheduler.advance(to: nil, atMost: 10))
        #expect(clock.now.offset == .seconds(30))
    }

    @Test func `a limited run stops an endless program and cancels it`() throws {
        let endless = #expect(throws: VirtualScheduler.Endless.self) {
            try scheduler.run(atMost: 10) {
                defer { log.append("ended at \(clock.now)") }
                while true { try await clock.sleep(for: .seconds(1)) }
            }
        }
        #expect(endless?.description == "10 jobs ran, and the program has not ended.")
        scheduler.drain()
        #expect(log.lines == ["ended at 9.0 seconds"])
        #expect(try scheduler.run(atMost: 1) { 5 } == 5)
    }

    @Test func `advance stops at each sleeper, and drain does not advance the time`() {
        scheduler.start {
            log.append("start")
            try await clock.sleep(for: .seconds(1))
            log.append("one")
            try await clock.sleep(for: .seconds(1))
            log.append("two")
        }
        scheduler.drain()
        #expect(log.lines == ["start"])
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["start", "one"])
        scheduler.advance(to: .init(offset: .seconds(2)))
        #expect(log.lines == ["start", "one", "two"])
    }
}
