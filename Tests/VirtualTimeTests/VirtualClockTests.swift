import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite(.timeLimit(.minutes(10))) struct VirtualClockTests {
    let clock = VirtualClock()
    let executor = ManualExecutor()
    let log = Log()

    /// Starts a task that sleeps and then writes `name` and the time.
    @discardableResult
    func sleeper(_ name: String, for duration: Duration) -> Task<Void, Never> {
        Task(executorPreference: executor) { [clock, log] in
            do {
                try await clock.sleep(for: duration)
                log.append("\(name) \(clock.now)")
            } catch {
                log.append("\(name) \(error is CancellationError ? "cancelled" : "\(error)")")
            }
        }
    }

    @Test func `sleepers wake in the order of their deadlines`() {
        sleeper("c", for: .seconds(3))
        sleeper("a", for: .seconds(1))
        sleeper("b", for: .seconds(2))
        clock.advance(by: .seconds(10), draining: executor)
        #expect(log.lines == ["a 1.0 seconds", "b 2.0 seconds", "c 3.0 seconds"])
        #expect(clock.now == .init(offset: .seconds(10)))
    }

    @Test func `sleepers with equal deadlines wake in the order in which they began`() {
        for name in 0..<100 { sleeper("\(name)", for: .seconds(1)) }
        clock.advance(by: .seconds(1), draining: executor)
        #expect(log.lines == (0..<100).map { "\($0) 1.0 seconds" })
    }

    @Test func `a sleeper does not wake before its deadline`() {
        sleeper("a", for: .seconds(1))
        clock.advance(by: .milliseconds(999), draining: executor)
        #expect(log.lines == [])
        #expect(clock.sleeperCount == 1)
        #expect(clock.nextDeadline == .init(offset: .seconds(1)))
        clock.advance(by: .milliseconds(1), draining: executor)
        #expect(log.lines == ["a 1.0 seconds"])
        #expect(clock.sleeperCount == 0)
        #expect(clock.nextDeadline == nil)
    }

    @Test func `a sleep until now or earlier does not wait`() async throws {
        let clock = VirtualClock(now: .init(offset: .seconds(5)))
        try await clock.sleep(until: .init(offset: .seconds(5)))
        try await clock.sleep(until: .zero)
        try await clock.sleep(for: .seconds(-1))
        #expect(clock.sleeperCount == 0)
    }

    @Test func `a sleep that does not wait suspends its task`() {
        for isCancelled in [false, true] {
            let (clock, executor, count) = (VirtualClock(), ManualExecutor(), Locked(0))
            let task = Task(executorPreference: executor) {
                for _ in 0..<1_000 {
                    try? await clock.sleep(for: isCancelled ? .seconds(1) : .zero)
                    count.withLock { $0 += 1 }
                }
            }
            if isCancelled { task.cancel() }
            #expect(!executor.drain(atMost: 100))
            #expect((1...100).contains(count.withLock { $0 }))
            executor.drain()
            #expect(count.withLock { $0 } == 1_000)
            #expect(clock.refusals.count == (isCancelled ? 1_000 : 0))
        }
    }

    @Test func `a cancelled sleeper is removed and throws`() {
        let first = sleeper("a", for: .seconds(1))
        sleeper("b", for: .seconds(1))
        executor.drain()
        #expect(clock.sleeperCount == 2)
        first.cancel()
        #expect(clock.sleeperCount == 1)
        executor.drain()
        #expect(log.lines == ["a cancelled"])
        clock.advance(by: .seconds(1), draining: executor)
        #expect(log.lines == ["a cancelled", "b 1.0 seconds"])
    }

    @Test func `a task cancelled before it sleeps does not sleep`() {
        sleeper("a", for: .seconds(1)).cancel()
        sleeper("b", for: .zero).cancel()
        executor.drain()
        #expect(log.lines == ["a cancelled", "b cancelled"])
        #expect(clock.sleeperCount == 0)
    }

    @Test func `cancelling after waking changes nothing`() {
        let task = sleeper("a", for: .seconds(1))
        executor.drain()
        clock.advance(by: .seconds(1))
        task.cancel()
        executor.drain()
        #expect(log.lines == ["a 1.0 seconds"])
    }

    @Test func `sleeps that begin while advancing end in the same advance`() {
        Task(executorPreference: executor) { [clock, log] in
            for _ in 0..<5 {
                try await clock.sleep(for: .seconds(1))
                log.append("tick \(clock.now)")
            }
        }
        sleeper("between", for: .milliseconds(2_500))
        clock.advance(by: .seconds(4), draining: executor)
        #expect(
            log.lines == [
                "tick 1.0 seconds", "tick 2.0 seconds", "between 2.5 seconds", "tick 3.0 seconds", "tick 4.0 seconds",
            ]
        )
        clock.advance(by: .seconds(1), draining: executor)
        #expect(log.lines.last == "tick 5.0 seconds")
    }

    @Test func `the sleepers are listed in the order of waking, with their causes`() throws {
        let buffer = TraceBuffer(capacity: 10)
        let tracer = Tracer(Trace(to: buffer), owner: Self.self)
        let work = tracer.begin("work", .effect)
        TraceCause.$current.withValue(work.cause) {
            sleeper("b", for: .seconds(2))
            sleeper("a", for: .seconds(1))
        }
        sleeper("c", for: .seconds(2))
        let cancelled = sleeper("d", for: .seconds(1))
        #expect(clock.sleepers.isEmpty)
        executor.drain()
        cancelled.cancel()
        #expect(clock.sleepers.map(\.deadline.offset) == [.seconds(1), .seconds(2), .seconds(2)])
        #expect(clock.sleepers.map(\.cause?.id) == [work.cause.id, work.cause.id, nil])
        clock.advance(by: .seconds(1), draining: executor)
        #expect(clock.sleepers.map(\.cause?.id) == [work.cause.id, nil])
        clock.advance(by: .seconds(1), draining: executor)
        #expect(clock.sleepers.isEmpty)
    }

    @Test func `time does not go back`() {
        clock.advance(by: .seconds(2))
        clock.advance(to: .init(offset: .seconds(1)))
        clock.advance(by: .seconds(-1), draining: executor)
        #expect(clock.now == .init(offset: .seconds(2)))
    }

    @Test func `ten thousand sleepers wake in order`() {
        // 7,919 and 10,000 are coprime, so every deadline occurs once, in a scattered order.
        for index in 0..<10_000 { sleeper("", for: .seconds(index * 7_919 % 10_000 + 1)) }
        executor.drain()
        #expect(clock.sleeperCount == 10_000)
        clock.advance(by: .seconds(10_000), draining: executor)
        #expect(log.lines == (1...10_000).map { " \(Duration.seconds($0))" })
    }

    @Test func `cancelling most of many sleepers leaves the others in order`() {
        let tasks = (0..<2_000).map { sleeper("\($0)", for: .seconds(2_000 - $0)) }
        executor.drain()
        for (index, task) in tasks.enumerated() where !index.isMultiple(of: 100) { task.cancel() }
        #expect(clock.sleeperCount == 20)
        clock.advance(by: .seconds(2_000), draining: executor)
        let woken = log.lines.filter { !$0.hasSuffix("cancelled") }
        #expect(woken == stride(from: 1_900, through: 0, by: -100).map { "\($0) \(Duration.seconds(2_000 - $0))" })
    }

    /// Runs each job on the thread that makes it ready.
    private final class InlineExecutor: TaskExecutor {
        func enqueue(_ job: UnownedJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    @Test func `the clock stops at each deadline on the way`() {
        for duration in [2, 1] {
            Task(executorPreference: InlineExecutor()) { [clock, log] in
                try await clock.sleep(for: .seconds(duration))
                log.append("\(clock.now)")
            }
        }
        clock.advance(by: .seconds(5))
        #expect(log.lines == ["1.0 seconds", "2.0 seconds"])
        #expect(clock.now == .init(offset: .seconds(5)))
    }

    @Test func `sleeping, advancing and cancelling from many threads loses no sleeper`() async {
        let clock = VirtualClock()
        let ended = await withTaskGroup(of: Void.self) { group in
            let mover = Task.detached {
                while !Task.isCancelled {
                    clock.advance(by: .milliseconds(1))
                    await Task.yield()
                }
            }
            for index in 0..<2_000 {
                group.addTask {
                    let sleep = Task { try await clock.sleep(for: .milliseconds(index % 10 + 1)) }
                    if index.isMultiple(of: 3) { sleep.cancel() }
                    _ = await sleep.result
                }
            }
            var ended = 0
            for await _ in group { ended += 1 }
            mover.cancel()
            return ended
        }
        #expect(ended == 2_000)
        #expect(clock.sleeperCount == 0)
    }
}
