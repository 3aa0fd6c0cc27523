import ArchitectureEngine
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("Policy queue", .timeLimit(.minutes(10)))
struct PolicyQueueTests {
    // MARK: - Cancelling

    @Test func aWorkCancelledInTheQueueIsFinishedAtOnceAndNeverStarts() async {
        let recorder = Recorder { _ in .queued }
        recorder.ask("a")
        let cancelled = recorder.ask("b")
        recorder.ask("c")
        cancelled.cancel()
        await cancelled.finished()
        recorder.finish("a")
        #expect(recorder.log.lines == ["a starts at 0", "c starts at 0"])
    }

    @Test func aCancellationReachesTheTaskThatWasAttached() async {
        let queue = PolicyQueue(.latest)
        let ended = Gate()
        queue.submit { work, queue, _ in
            work.attach(
                Task {
                    try? await Task.sleep(for: .seconds(1_000_000))
                    await ended.open()
                    queue.finish(work)
                })
        }
        queue.submit { work, queue, _ in queue.finish(work) }
        await ended.pass()
    }

    @Test(arguments: [Policy.concurrent, .queued, .latest, .first])
    func aCancelledWorkDeliversNothing(policy: Policy) {
        let recorder = Recorder { _ in policy }
        recorder.ask("a").cancel()
        recorder.deliver("a")
        #expect(recorder.log.lines == ["a starts at 0"])
    }

    @Test func closingCancelsRunningWorksAndDropsWaitingOnes() async {
        for policy in [Policy.concurrent, .queued, .latest, .first] {
            let recorder = Recorder { _ in policy }
            let running = recorder.ask("a")
            let waiting = recorder.ask("b")
            recorder.queue.close()
            recorder.finish("a")
            let late = recorder.ask("c")
            #expect(running.isCancelled && waiting.isCancelled && late.isCancelled)
            await late.finished()
            if case .concurrent = policy.kind { continue }
            #expect(recorder.log.lines.filter { $0.hasPrefix("c") } == [])
        }
    }

    @Test func closingStopsTheClock() async {
        let recorder = Recorder { clock in .debounce(for: .seconds(10), clock: clock) }
        let waiting = recorder.ask("a")
        recorder.scheduler.drain()
        recorder.queue.close()
        #expect(recorder.scheduler.clock.sleeperCount == 0)
        await waiting.finished()
        recorder.advance(by: 100)
        #expect(recorder.log.lines == [])
    }

    @Test func aWorkReplacedBeforeItStartsIsFinishedAndNeverStarts() {
        let recorder = Recorder { _ in .latest }
        let first = recorder.ask("a")
        // Called after "b" has replaced "a", and before "b" starts.
        first.onCancel { [unowned recorder] _ in recorder.ask("c") }
        let second = recorder.ask("b")
        #expect(second.isCancelled && second.isFinished)
        #expect(recorder.log.lines == ["a starts at 0", "c starts at 0"])
    }

    // MARK: - Delivering

    @Test func aStartThatWouldOverlapADeliveryIsDeferred() {
        let recorder = Recorder { _ in .latest }
        let a = recorder.ask("a")
        recorder.queue.deliver(a) {
            recorder.log.append("body begins")
            recorder.ask("b")
            recorder.deliver("a")
            recorder.ask("c")
            recorder.log.append("body ends")
        }
        #expect(recorder.log.lines == ["a starts at 0", "body begins", "body ends", "c starts at 0"])
        #expect(a.isCancelled && recorder.isCancelled("b"))
    }

    @Test func submittingDuringADeliveryDoesNotWaitForIt() {
        let recorder = Recorder { _ in .latest }
        let a = recorder.ask("a")
        let starter = Guarded<UInt>(0)
        recorder.queue.deliver(a) {
            // `onThreads` returns only if the other thread is not blocked.
            onThreads(1) { _ in
                recorder.queue.submit { _, _, _ in starter.withLock { $0 = CurrentThread.identity } }
            }
            #expect(starter.withLock { $0 } == 0)
            #expect(a.isCancelled)
        }
        #expect(starter.withLock { $0 } == CurrentThread.identity)
    }

    @Test func theNextInTheQueueDoesNotStartDuringADeliveryOfTheEarlier() {
        let recorder = Recorder { _ in .queued }
        let a = recorder.ask("a")
        recorder.ask("b")
        recorder.queue.deliver(a) {
            recorder.finish("a")
            recorder.log.append("body ends")
        }
        #expect(recorder.log.lines == ["a starts at 0", "body ends", "b starts at 0"])
    }

    @Test func debounceDoesNotStartDuringADelivery() {
        let recorder = Recorder { clock in .debounce(for: .seconds(10), clock: clock) }
        let a = recorder.ask("a")
        recorder.advance(by: 10)
        recorder.ask("b")
        recorder.queue.deliver(a) {
            recorder.advance(by: 10)
            // "b" is due: from now on, "a" delivers nothing.
            recorder.deliver("a")
            recorder.log.append("body ends")
        }
        #expect(recorder.log.lines == ["a starts at 10", "body ends", "b starts at 20"])
    }

    @Test func deliveriesMayNest() {
        let recorder = Recorder { _ in .latest }
        let a = recorder.ask("a")
        recorder.queue.deliver(a) {
            recorder.queue.deliver(a) { recorder.ask("b") }
            recorder.log.append("outer ends")
        }
        #expect(recorder.log.lines == ["a starts at 0", "outer ends", "b starts at 0"])
    }

    // MARK: - Starting

    @Test func aStartMaySubmitTheNext() {
        let recorder = Recorder { _ in .latest }
        recorder.queue.submit { work, _, _ in
            recorder.ask("b")
            recorder.log.append("a cancelled: \(work.isCancelled)")
        }
        #expect(recorder.log.lines == ["a cancelled: true", "b starts at 0"])
    }

    @Test func latestDoesNotWaitUntilTheStartOfTheEarlierReturns() {
        let queue = PolicyQueue(.latest)
        let log = Log()
        queue.submit { _, queue, _ in
            onThreads(1) { _ in
                queue.submit { _, _, _ in log.append("newer starts") }
            }
            log.append("older returns")
        }
        #expect(log.lines == ["newer starts", "older returns"])
    }

    @Test func manyWaitingWorksThatFinishInTheirStartNeedNoStack() async {
        let count = await onSmallStack {
            let queue = PolicyQueue(.queued)
            let count = Guarded(0)
            let running = queue.submit { _, _, _ in }
            for _ in 0..<manySteps {
                queue.submit { work, queue, _ in
                    count.withLock { $0 += 1 }
                    queue.finish(work)
                }
            }
            queue.finish(running)
            return count.withLock { $0 }
        }
        #expect(count == manySteps)
    }

    @Test(arguments: [Policy.queued, .latest])
    func aLongChainOfWorksNeedsNoStack(policy: Policy) async {
        let left = await onSmallStack {
            let queue = PolicyQueue(policy)
            let left = Guarded(manySteps)
            @Sendable func next(_ work: WorkItem, _ queue: PolicyQueue, _: PolicyQueue.Occasion) {
                let goesOn = left.withLock { left in
                    left -= 1
                    return left > 0
                }
                queue.deliver(work) { if goesOn { queue.submit(next) } }
                queue.finish(work)
            }
            queue.submit(next)
            return left.withLock { $0 }
        }
        #expect(left == 0)
    }

    // MARK: - Lifetime

    @Test func aDeallocatedQueueDropsWaitingWorks() async {
        let recorder = Recorder { clock in .debounce(for: .seconds(10), clock: clock) }
        var queue: PolicyQueue? = PolicyQueue(
            .debounce(for: .seconds(10), clock: recorder.scheduler.clock), executor: recorder.scheduler.executor)
        weak let weakQueue = queue
        let waiting = queue?.submit { _, _, _ in Issue.record("A work started after its queue was deallocated.") }
        recorder.scheduler.drain()
        queue = nil
        #expect(weakQueue == nil)
        #expect(recorder.scheduler.clock.sleeperCount == 0)
        await waiting?.finished()
        recorder.advance(by: 10)
    }

    @Test(arguments: [Policy.concurrent, .queued, .latest, .first])
    func finishedAndCancelledWorksAreReleased(policy: Policy) {
        let token = Guarded(0)
        weak var weakWork: WorkItem?
        let queue = PolicyQueue(policy)
        do {
            let started = queue.submit { [token] _, _, _ in token.withLock { $0 += 1 } }
            let second = queue.submit { [token] work, queue, _ in
                token.withLock { $0 += 1 }
                queue.finish(work)
            }
            second.cancel()
            queue.finish(started)
            queue.finish(second)
            weakWork = started
        }
        #expect(weakWork == nil)
        var witness: Guarded<Int>? = Guarded(0)
        weak let weakWitness = witness
        let running = queue.submit { _, _, _ in }
        do {
            let cancelled = queue.submit { [witness] _, _, _ in _ = witness }
            witness = nil
            cancelled.cancel()
            queue.finish(cancelled)
        }
        #expect(weakWitness == nil)
        queue.finish(running)
    }
}
