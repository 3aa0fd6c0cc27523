import TestSupport
import Testing
import VirtualTime

@Suite(.timeLimit(.minutes(10))) struct ManualExecutorTests {
    let log = Log()

    @Test func `nothing runs before it is drained`() {
        let executor = ManualExecutor()
        Task(executorPreference: executor) { [log] in log.append("ran") }
        #expect(log.lines == [])
        #expect(executor.readyCount == 1)
        #expect(executor.drain() == 1)
        #expect(log.lines == ["ran"])
        #expect(executor.readyCount == 0)
        #expect(executor.drain() == 0)
    }

    @Test(arguments: [nil, 1] as [UInt64?])
    func `a job that has run is not retained, although another is ready`(seed: UInt64?) {
        let executor = ManualExecutor(seed: seed)
        weak var started: Log?
        do {
            let log = Log()
            started = log
            executor.enqueueStart { log.append("ran") }
        }
        #expect(!executor.drain(atMost: 0))
        executor.enqueueStart {}
        while started?.lines == [] { _ = executor.drain(atMost: 1) }
        #expect(started == nil)
    }

    @Test func `jobs run first in, first out`() {
        let executor = ManualExecutor()
        for index in 0..<5_000 {
            Task(executorPreference: executor) { [log] in
                log.append("\(index)")
                await Task.yield()
                log.append("\(index) again")
            }
        }
        executor.drain()
        #expect(log.lines == (0..<5_000).map { "\($0)" } + (0..<5_000).map { "\($0) again" })
    }

    @Test func `groups, async functions and actors stay on it`() {
        actor Counter {
            var count = 0
            func increment() -> Int {
                count += 1
                return count
            }
        }
        let executor = ManualExecutor()
        let counter = Counter()
        Task(executorPreference: executor) { [log] in
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask { log.append("\(await counter.increment())") }
                }
            }
            log.append("end")
        }
        executor.drain()
        #expect(log.lines == ["1", "2", "3", "end"])
    }

    @Test func `a seed repeats its order, and seeds differ`() {
        func order(seed: UInt64) -> [String] {
            let executor = ManualExecutor(seed: seed)
            let log = Log()
            for index in 0..<10 { Task(executorPreference: executor) { log.append("\(index)") } }
            executor.drain()
            return log.lines
        }
        #expect(order(seed: 1) == order(seed: 1))
        #expect(Set((0..<20).map(order(seed:))).count == 20)
        #expect(order(seed: 7).sorted() == (0..<10).map { "\($0)" })
        // The first job changes places with the one that is taken, which takes constant time.
        #expect(order(seed: 7) == ["3", "1", "9", "7", "6", "4", "0", "5", "8", "2"])
    }

    @Test func `a limited drain runs at most so many jobs and says whether more are ready`() {
        let executor = ManualExecutor()
        for index in 0..<3 { Task(executorPreference: executor) { [log] in log.append("\(index)") } }
        #expect(!executor.drain(atMost: 0))
        #expect(!executor.drain(atMost: 2))
        #expect(log.lines == ["0", "1"])
        #expect(executor.drain(atMost: 1))
        #expect(log.lines == ["0", "1", "2"])
        #expect(executor.drain(atMost: 0))
    }

    @Test func `a limited drain of an endless chain ends`() {
        let executor = ManualExecutor()
        let chain = Task(executorPreference: executor) {
            while !Task.isCancelled { await Task.yield() }
        }
        #expect(!executor.drain(atMost: 1_000))
        #expect(executor.readyCount == 1)
        chain.cancel()
        #expect(executor.drain(atMost: 10))
    }

    @Test(.promptly) func `a nested drain traps with a message`() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let executor = ManualExecutor()
            Task(executorPreference: executor) { executor.drain() }
            executor.drain()
        }?.expectError("To fix, drain from the test's own function")
    }

    // MARK: - Arrivals

    @Test func `only what other threads do is an arrival`() {
        let time = VirtualScheduler()
        let executor = time.executor
        time.start {
            executor.noteArrival()
            await Task.yield()
            try await time.clock.sleep(for: .seconds(1))
        }
        let count = executor.arrivalCount
        executor.drain()
        #expect(executor.arrivalCount == count)
        #expect(!executor.takeInterruption())
        time.start { onThreads(1) { _ in executor.noteArrival() } }
        executor.drain()
        #expect(executor.arrivalCount == count + 2)
        #expect(executor.takeInterruption())
        #expect(!executor.takeInterruption())
        time.advance(by: .seconds(1))
    }

    @Test func `an arrival ends all waits, and a wait for an earlier one does not begin`() async {
        let executor = ManualExecutor()
        let count = executor.arrivalCount
        async let first: Void = executor.arrival(after: count)
        async let second: Void = executor.arrival(after: count)
        executor.noteArrival()
        _ = await (first, second)
        await executor.arrival(after: count)
        #expect(executor.arrivalCount == count + 1)
    }

    @Test func `a job, and a sleep on the scheduler's clock, end a wait`() async {
        let time = VirtualScheduler()
        var count = time.executor.arrivalCount
        let sleep = Task.detached { try await time.clock.sleep(for: .seconds(1)) }
        await time.executor.arrival(after: count)
        #expect(time.clock.sleeperCount == 1)
        time.advance(by: .seconds(1))
        _ = await sleep.result
        count = time.executor.arrivalCount
        Task.detached { time.start {} }
        await time.executor.arrival(after: count)
        #expect(time.executor.drain() == 1)
    }

    @Test func `the cancellation of a sleep of another task is an arrival`() async {
        let time = VirtualScheduler()
        let sleep = Task.detached { try await time.clock.sleep(for: .seconds(1)) }
        await time.executor.arrival(after: 0)
        let count = time.executor.arrivalCount
        sleep.cancel()
        #expect(time.executor.arrivalCount == count + 1)
        _ = await sleep.result
    }

    @Test func `cancellation ends a wait`() async {
        let executor = ManualExecutor()
        let task = Task { await executor.arrival(after: executor.arrivalCount) }
        task.cancel()
        await task.value
        #expect(executor.arrivalCount == 0)
    }
}
