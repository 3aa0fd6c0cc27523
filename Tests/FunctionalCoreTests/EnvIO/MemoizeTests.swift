import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("memoize", .timeLimit(.minutes(10)))
struct MemoizeTests {
    private let world = World()

    @Test func aKeptResultDoesNotSuspend() async throws {
        let count = Guarded(0)
        let counting = EnvIO<Int, Never, Int> { number in
            count.increment()
            return number
        }
        let memo = counting.memoize().runSync(0)
        #expect(count.value == 0)
        // The environment is that of the first run.
        #expect(await memo.outcome(7) == .value(7))
        #expect(memo.runSync(8) == 7)
        #expect(count.value == 1)
        #expect(await counting.memoize().runSync(0).outcome(9) == .value(9))
        #expect(count.value == 2)
    }

    @Test(arguments: [0, 1])
    func cancellingOneRunLeavesTheComputationToTheOthers(_ index: Int) throws {
        let load = try world.memoized(step("load").after(5).guarded("it"))
        let tasks = [world.start(load), world.start(load)]
        world.advance(by: 2)
        world.cancel(tasks[index])
        world.advance(by: 9)
        #expect(
            world.log.lines == ["0 open it", "2 ended as cancelled", "5 load", "5 close it", "5 ended as load"])
    }

    @Test func cancellingAllRunsCancelsTheComputationAndTheLastOneWaits() throws {
        let load = try world.memoized(step("load").after(5).guarded("it", winding: 2))
        let tasks = [world.start(load), world.start(load), world.start(load)]
        world.advance(by: 1)
        for task in tasks { world.cancel(task) }
        #expect(world.log.lines == ["0 open it", "1 ended as cancelled", "1 ended as cancelled"])
        world.advance(by: 9)
        #expect(world.log.lines.dropFirst(3) == ["3 close it", "3 ended as cancelled"])
        #expect(world.scheduler.clock.sleeperCount == 0)
    }

    @Test func theNextComputationStartsWhenTheCancelledOneHasEnded() throws {
        let load = try world.memoized(step("load").after(5).guarded("it", winding: 3))
        world.cancel(world.start(load))
        // This run starts while the first computation is released, and the next one while the second waits for that.
        world.advance(by: 1)
        world.cancel(world.start(load))
        world.start(load)
        #expect(world.log.lines == ["0 open it"])
        world.advance(by: 20)
        // The tasks that wait for the end of one computation are not resumed in any particular order.
        #expect(world.log.lines.count { $0 == "3 ended as cancelled" } == 2)
        #expect(
            world.log.lines.filter { $0 != "3 ended as cancelled" } == [
                "0 open it", "3 close it", "3 open it", "8 load", "11 close it", "11 ended as load",
            ])
    }

    /// The run leaves before the task of its computation has started, because the executor runs the newest job first.
    @Test func aComputationThatIsCancelledBeforeItStartsWaitsForThePreviousOne() async {
        let executor = NewestFirstExecutor()
        let (signal, starts) = (Deferred<Int>(), Guarded(0))
        let load = EnvIO<Void, Never, Void> { _ in starts.increment() }
            .followed(by: EnvIO<Void, Never, Int>.value(of: signal).uncancellable())
        let memo = load.memoize().runSync()
        func start() -> Task<Outcome<Int, Never>, Never> {
            Task(executorPreference: executor) { await memo.outcome() }
        }
        let first = start()
        executor.drain()
        first.cancel()
        executor.drain()
        let second = start()
        executor.runNewest()
        second.cancel()
        executor.runNewest()
        let third = start()
        executor.drain()
        #expect(starts.value == 1)
        signal.complete(7)
        executor.drain()
        #expect(starts.value == 2)
        #expect(await [first.value, second.value, third.value] == [.cancelled, .cancelled, .value(7)])
    }

    @Test func aComputationThatCancelsItselfIsNotKept() throws {
        let count = Guarded(0)
        let flaky = step("load").after(1).flatMap { name in
            count.increment() == 1 ? Step<String>.cancelled : .pure(name)
        }
        let load = try world.memoized(flaky)
        world.start(load)
        world.start(load)
        world.advance(by: 1)
        #expect(world.log.lines == ["1 load", "1 ended as cancelled", "1 ended as cancelled"])
        #expect(try world.outcome(of: load) == .value("load"))
        #expect(try world.outcome(of: load) == .value("load"))
        #expect(world.log.lines.dropFirst(3) == ["2 load"])
    }

    @Test func aResultThatComesBeforeTheLastCancelledRunHasLeftIsKept() throws {
        let (signal, count) = (Deferred<String>(), Guarded(0))
        let counting = Step<String>.value(of: signal).tap { _ in count.increment() }
        let load = try world.memoized(counting)
        let task = world.start(load)
        signal.complete("it")
        world.cancel(task)
        #expect(world.log.lines == ["0 ended as cancelled"])
        #expect(try world.outcome(of: load) == .value("it"))
        #expect(count.value == 1)
    }

    @Test func anUncancellableRunKeepsTheComputation() throws {
        let load = try world.memoized(step("load").after(5))
        world.cancel(world.start(load.uncancellable()))
        world.advance(by: 9)
        #expect(world.log.lines == ["5 load", "5 ended as load"])
    }

    @Test func aCancelledRunComputesNothing() throws {
        let load = try world.memoized(step("load"))
        #expect(try world.outcome(of: cancelling.followed(by: load)) == .cancelled)
        #expect(world.log.lines.isEmpty)
        #expect(try world.outcome(of: load) == .value("load"))
    }

    @Test func aComputationThatNeedsItselfWaitsUntilItIsCancelled() throws {
        let slot = Ref<Step<String>?>(nil)
        let cyclic = step("load").followed(by: .suspend { slot.get() ?? .pure("none") })
            .timeout(.seconds(5), clock: world.scheduler.clock, otherwise: .pure("none"))
        let load = try world.memoized(cyclic)
        slot.set(load)
        let task = world.start(load)
        world.advance(by: 1)
        #expect(world.log.lines == ["0 load"])
        world.cancel(task)
        // The computation waits for itself, so it counts as a run that waits.
        #expect(world.log.lines == ["0 load", "1 ended as cancelled"])
        // With another run, it is not the last one that waits. The timeout cancels it, and it ends.
        world.start(load)
        world.advance(by: 4)
        #expect(world.log.lines == ["0 load", "1 ended as cancelled", "5 ended as none"])
        slot.set(nil)
    }

    @Test func anExecutorMayRunTheComputationAtOnce() async {
        let memo = EnvIO<Void, Never, Int> { _ in 1 }.flatMap { number in .pure(number + 1) }.memoize().runSync()
        #expect(await memo.on(InlineExecutor()).outcome() == .value(2))
        let cancelled = EnvIO<Void, Never, Int>.cancelled.memoize().runSync()
        #expect(await cancelled.on(InlineExecutor()).outcome() == .cancelled)
    }

    @Test func resultsAndCancelledComputationsAreFreed() throws {
        let counter = Tracked.Counter()
        let scheduler = VirtualScheduler()
        do {
            typealias Load = EnvIO<Tracked, Never, Tracked>
            let wait = EnvIO<Tracked, Never, Void>.sleep(for: .seconds(60), clock: scheduler.clock)
            let load = wait.followed(by: Load { _ in Tracked(counter) })
            let memos = (0..<100).map { _ in load.memoize().runSync(Tracked(counter)) }
            let tasks = memos.map { memo in scheduler.start { _ = await memo.outcome(Tracked(counter)) } }
            scheduler.drain()
            #expect(scheduler.clock.sleeperCount == 100)
            for task in tasks.prefix(50) { task.cancel() }
            scheduler.drain()
            #expect(scheduler.clock.sleeperCount == 50)
            scheduler.advance(by: .seconds(60))
            // The results of the others are kept for as long as their memoized forms.
            #expect(counter.count == 50)
            withExtendedLifetime(memos) {}
        }
        #expect(counter.count == 0)
    }

    @Test func runsAndCancellationsOnManyThreadsShareOneComputationAtATime() async {
        for _ in 0..<200 {
            let running = Guarded(0)
            let load = EnvIO<Void, Never, Int> { _ async in
                #expect(running.increment() == 1)
                for _ in 0..<3 { await Task.yield() }
                running.value = 0
                return 1
            }
            let memo = load.memoize().runSync()
            await withTaskGroup { group in
                for number in 0..<8 {
                    group.addTask {
                        let run = Task { await memo.outcome() }
                        if number % 2 == 0 {
                            for _ in 0..<number { await Task.yield() }
                            run.cancel()
                        }
                        let outcome = await run.value
                        #expect(outcome == .value(1) || number % 2 == 0)
                    }
                }
            }
            #expect(await memo.outcome() == .value(1))
            #expect(running.value == 0)
        }
    }
}

/// Runs jobs on the thread that asks for it, the newest first.
private final class NewestFirstExecutor: TaskExecutor {
    private let jobs = Ref<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.modify { $0.append(job) }
    }

    /// Runs the newest job. Returns `false` if there is none.
    @discardableResult
    func runNewest() -> Bool {
        guard let job = jobs.modify({ $0.popLast() }) else { return false }
        job.runSynchronously(on: asUnownedTaskExecutor())
        return true
    }

    func drain() {
        while runNewest() {}
    }
}

/// Runs each job at once, on the thread that enqueues it.
private final class InlineExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    }
}
