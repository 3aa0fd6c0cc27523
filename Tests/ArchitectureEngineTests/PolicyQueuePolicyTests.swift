import ArchitectureEngine
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("Policy queue: policies", .timeLimit(.minutes(10)))
struct PolicyQueuePolicyTests {
    @Test func concurrentStartsAllAtOnce() {
        let recorder = Recorder { _ in .concurrent }
        for name in ["a", "b", "c"] { recorder.ask(name) }
        for name in ["c", "a", "b"] { recorder.deliver(name) }
        #expect(
            recorder.log.lines == [
                "a starts at 0", "b starts at 0", "c starts at 0", "c delivers", "a delivers", "b delivers",
            ])
    }

    @Test func queuedStartsTheNextWhenTheEarlierIsFinished() {
        let recorder = Recorder { _ in .queued }
        for name in ["a", "b", "c"] { recorder.ask(name) }
        recorder.deliver("a")
        recorder.deliver("b")
        recorder.finish("a")
        recorder.deliver("b")
        recorder.finish("b")
        #expect(
            recorder.log.lines == ["a starts at 0", "a delivers", "b starts at 0", "b delivers", "c starts at 0"])
        #expect(!recorder.isCancelled("a") && !recorder.isCancelled("b"))
    }

    @Test func queuedWaitsUntilACancelledWorkIsFinished() {
        let recorder = Recorder { _ in .queued }
        recorder.ask("a").cancel()
        recorder.ask("b")
        recorder.deliver("a")
        #expect(recorder.log.lines == ["a starts at 0"])
        recorder.finish("a")
        #expect(recorder.log.lines == ["a starts at 0", "b starts at 0"])
    }

    @Test func latestCancelsTheEarlierAndDropsItsLateResults() {
        let recorder = Recorder { _ in .latest }
        recorder.ask("a")
        recorder.deliver("a")
        recorder.ask("b")
        #expect(recorder.isCancelled("a"))
        recorder.deliver("a")
        recorder.deliver("b")
        recorder.finish("a")
        recorder.deliver("b")
        #expect(!recorder.isCancelled("b"))
        #expect(
            recorder.log.lines == ["a starts at 0", "a delivers", "b starts at 0", "b delivers", "b delivers"])
    }

    @Test func firstIgnoresTheNewerWhileOneRuns() async {
        let recorder = Recorder { _ in .first }
        recorder.ask("a")
        let ignored = recorder.ask("b")
        await ignored.finished()
        #expect(ignored.isCancelled)
        #expect(!recorder.isCancelled("a"))
        recorder.finish("a")
        recorder.ask("c")
        #expect(recorder.log.lines == ["a starts at 0", "c starts at 0"])
    }

    @Test func firstStartsTheNextWhenACancelledWorkIsFinished() {
        let recorder = Recorder { _ in .first }
        recorder.ask("a").cancel()
        recorder.ask("b")
        recorder.ask("c")
        #expect(recorder.log.lines == ["a starts at 0"])
        recorder.finish("a")
        #expect(recorder.log.lines == ["a starts at 0", "b starts at 0"])
        #expect(recorder.isCancelled("c"))
    }

    @Test func debounceStartsTheLastAfterAQuietInterval() {
        let recorder = Recorder { clock in .debounce(for: .seconds(10), clock: clock) }
        recorder.ask("a")
        recorder.advance(by: 9)
        recorder.ask("b")
        recorder.advance(by: 9)
        recorder.ask("c")
        #expect(recorder.scheduler.clock.sleeperCount <= 1)
        recorder.advance(by: 9)
        #expect(recorder.log.lines == [])
        recorder.advance(by: 1)
        #expect(recorder.log.lines == ["c starts at 28"])
        #expect(recorder.isCancelled("a") && recorder.isCancelled("b") && !recorder.isCancelled("c"))
        recorder.advance(by: 100)
        #expect(recorder.log.lines == ["c starts at 28"])
    }

    /// If two threads submit a work, the thread that read the clock first may submit second.
    @Test func debounceWaitsFromTheLatestSubmissionTime() {
        let ago = Guarded(Duration.zero)
        let recorder = Recorder { clock in .debounce(for: .seconds(10), clock: ReadBefore(clock: clock, ago: ago)) }
        recorder.ask("a")
        recorder.advance(by: 5)
        recorder.ask("b")
        ago.withLock { $0 = .seconds(2) }
        recorder.ask("c")
        ago.withLock { $0 = .zero }
        recorder.advance(by: 9)
        #expect(recorder.log.lines == [])
        recorder.advance(by: 1)
        #expect(recorder.log.lines == ["c starts at 15"])
    }

    @Test func debounceCancelsTheRunningWorkWhenTheNewerStarts() {
        let recorder = Recorder { clock in .debounce(for: .seconds(10), clock: clock) }
        recorder.ask("a")
        recorder.advance(by: 10)
        recorder.ask("b")
        recorder.advance(by: 9)
        recorder.deliver("a")
        #expect(!recorder.isCancelled("a"))
        recorder.advance(by: 1)
        recorder.deliver("a")
        recorder.deliver("b")
        #expect(recorder.isCancelled("a"))
        #expect(recorder.log.lines == ["a starts at 10", "a delivers", "b starts at 20", "b delivers"])
    }

    @Test func debounceStartsNothingWhenTheLastIsCancelled() async {
        let recorder = Recorder { clock in .debounce(for: .seconds(10), clock: clock) }
        let first = recorder.ask("a")
        let last = recorder.ask("b")
        recorder.scheduler.drain()
        #expect(recorder.scheduler.clock.sleeperCount == 1)
        last.cancel()
        #expect(recorder.scheduler.clock.sleeperCount == 0)
        await first.finished()
        await last.finished()
        recorder.advance(by: 100)
        #expect(recorder.log.lines == [])
        recorder.ask("c")
        recorder.advance(by: 10)
        #expect(recorder.log.lines == ["c starts at 110"])
    }

    @Test("Cancelling a debounced work when it is due does not cancel the running work")
    func debounceCancelledWhenDue() {
        let recorder = Recorder { clock in .debounce(for: .seconds(10), clock: clock) }
        recorder.ask("a")
        recorder.advance(by: 10)
        let second = recorder.ask("b")
        recorder.scheduler.drain()
        // Wakes the task that waits for the clock. The task does not run yet.
        recorder.scheduler.clock.advance(by: .seconds(10))
        second.cancel()
        recorder.scheduler.drain()
        #expect(!recorder.isCancelled("a"))
        recorder.deliver("a")
        #expect(recorder.log.lines == ["a starts at 10", "a delivers"])
    }

    @Test func throttleStartsTheFirstAtOnceAndTheLastOfEachInterval() {
        let recorder = Recorder { clock in .throttle(for: .seconds(10), clock: clock) }
        recorder.ask("a")
        recorder.advance(by: 1)
        recorder.ask("b")
        recorder.ask("c")
        recorder.advance(by: 9)
        recorder.ask("d")
        recorder.advance(by: 10)
        #expect(recorder.log.lines == ["a starts at 0", "c starts at 10", "d starts at 20"])
        #expect(recorder.isCancelled("b"))
        // The works that started earlier continue, too.
        for name in ["d", "c", "a"] { recorder.deliver(name) }
        #expect(recorder.log.lines.suffix(3) == ["d delivers", "c delivers", "a delivers"])
    }

    @Test func throttleStartsTheFirstOfEachInterval() {
        let recorder = Recorder { clock in .throttle(for: .seconds(10), latest: false, clock: clock) }
        recorder.ask("a")
        recorder.ask("b")
        recorder.ask("c")
        recorder.advance(by: 10)
        #expect(recorder.log.lines == ["a starts at 0", "b starts at 10"])
        #expect(recorder.isCancelled("c"))
    }

    @Test func throttleNeedsNoTaskWhenNothingWaits() {
        let recorder = Recorder { clock in .throttle(for: .seconds(10), clock: clock) }
        recorder.ask("a")
        #expect(recorder.scheduler.executor.readyCount == 0)
        recorder.advance(by: 10)
        recorder.ask("b")
        #expect(recorder.scheduler.executor.readyCount == 0)
        #expect(recorder.log.lines == ["a starts at 0", "b starts at 10"])
    }

    @Test(
        "A work that waits for a broken clock receives the error, and is dropped afterwards", arguments: [false, true])
    func brokenClock(isCancelled: Bool) async {
        let scheduler = VirtualScheduler()
        let log = Log()
        let queue = PolicyQueue(
            .debounce(for: .seconds(1), clock: BrokenClock(CancellationError())), executor: scheduler.executor)
        let start: PolicyQueue.Start = { work, _, occasion in
            if case .brokenClock(let error) = occasion { log.append("\(error), finished: \(work.isFinished)") }
        }
        // Replaced by the next one: nothing is reported of it.
        queue.submit(start)
        let work = queue.submit(start)
        // Cancelled while the error is on its way, which the queue does not see.
        if isCancelled {
            work.onCancel { _ in }
            work.cancel()
        }
        scheduler.drain()
        await work.finished()
        #expect(work.isCancelled)
        #expect(log.lines == (isCancelled ? [] : ["CancellationError(), finished: false"]))
    }

    @Test("Under throttle, works start in the order in which that was decided", arguments: [false, true])
    func throttleOrder(latest: Bool) {
        let scheduler = VirtualScheduler()
        let log = Log()
        let policy = Policy.throttle(for: .seconds(10), latest: latest, clock: scheduler.clock)
        let queue = PolicyQueue(policy, executor: scheduler.executor)
        let submit = Guarded<(@Sendable (String) -> Void)?>(nil)
        // The sink is called between the decision that "b" starts and its start.
        let trace = Trace { event in
            guard case .decided(.starts, let subject) = event.kind, subject.description == "b" else { return }
            scheduler.clock.advance(by: .seconds(10))
            submit.value?("c")
            log.append("c is submitted")
        }
        let tracer = Tracer(trace, owner: Self.self)
        submit.value = { name in
            queue.submit(traced: tracer.submission(of: name, to: policy)) { _, _, _ in log.append("\(name) starts") }
        }
        for name in ["a", "b"] { submit.value?(name) }
        scheduler.advance(by: .seconds(10))
        #expect(log.lines == ["a starts", "c is submitted", "b starts", "c starts"])
        submit.value = nil
    }

    /// A clock whose `now` is a time that a thread has read some time ago.
    private struct ReadBefore: Clock {
        let clock: VirtualClock
        let ago: Guarded<Duration>

        var now: VirtualClock.Instant { clock.now.advanced(by: .zero - ago.withLock { $0 }) }
        var minimumResolution: Duration { clock.minimumResolution }

        func sleep(until deadline: VirtualClock.Instant, tolerance: Duration?) async throws {
            try await clock.sleep(until: deadline, tolerance: tolerance)
        }
    }
}
