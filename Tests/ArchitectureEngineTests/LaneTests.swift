import ArchitectureEngine
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("Lane", .timeLimit(.minutes(10)))
struct LaneTests {
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
        let lane = Lane(.latest)
        let ended = Gate()
        lane.submit { work, lane in
            work.attach(
                Task {
                    try? await Task.sleep(for: .seconds(1_000_000))
                    await ended.open()
                    lane.finish(work)
                })
        }
        lane.submit { work, lane in lane.finish(work) }
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
            recorder.lane.close()
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
        recorder.lane.close()
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
        recorder.lane.deliver(a) {
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
        recorder.lane.deliver(a) {
            // `onThreads` returns only if the other thread is not blocked.
            onThreads(1) { _ in
                recorder.lane.submit { _, _ in starter.withLock { $0 = CurrentThread.identity } }
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
        recorder.lane.deliver(a) {
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
        recorder.lane.deliver(a) {
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
        recorder.lane.deliver(a) {
            recorder.lane.deliver(a) { recorder.ask("b") }
            recorder.log.append("outer ends")
        }
        #expect(recorder.log.lines == ["a starts at 0", "outer ends", "b starts at 0"])
    }

    // MARK: - Starting

    @Test func aStartMaySubmitTheNext() {
        let recorder = Recorder { _ in .latest }
        recorder.lane.submit { work, _ in
            recorder.ask("b")
            recorder.log.append("a cancelled: \(work.isCancelled)")
        }
        #expect(recorder.log.lines == ["a cancelled: true", "b starts at 0"])
    }

    @Test func latestDoesNotWaitUntilTheStartOfTheEarlierReturns() {
        let lane = Lane(.latest)
        let log = Log()
        lane.submit { _, lane in
            onThreads(1) { _ in
                lane.submit { _, _ in log.append("newer starts") }
            }
            log.append("older returns")
        }
        #expect(log.lines == ["newer starts", "older returns"])
    }

    @Test func manyWaitingWorksThatFinishInTheirStartNeedNoStack() async {
        let count = await onSmallStack {
            let lane = Lane(.queued)
            let count = Guarded(0)
            let running = lane.submit { _, _ in }
            for _ in 0..<100_000 {
                lane.submit { work, lane in
                    count.withLock { $0 += 1 }
                    lane.finish(work)
                }
            }
            lane.finish(running)
            return count.withLock { $0 }
        }
        #expect(count == 100_000)
    }

    @Test(arguments: [Policy.queued, .latest])
    func aLongChainOfWorksNeedsNoStack(policy: Policy) async {
        let left = await onSmallStack {
            let lane = Lane(policy)
            let left = Guarded(100_000)
            @Sendable func next(_ work: WorkItem, _ lane: Lane) {
                let goesOn = left.withLock { left in
                    left -= 1
                    return left > 0
                }
                lane.deliver(work) { if goesOn { lane.submit(next) } }
                lane.finish(work)
            }
            lane.submit(next)
            return left.withLock { $0 }
        }
        #expect(left == 0)
    }

    // MARK: - Lifetime

    @Test func aDeallocatedLaneDropsWaitingWorks() async {
        let recorder = Recorder { clock in .debounce(for: .seconds(10), clock: clock) }
        var lane: Lane? = Lane(
            .debounce(for: .seconds(10), clock: recorder.scheduler.clock), executor: recorder.scheduler.executor)
        weak let weakLane = lane
        let waiting = lane?.submit { _, _ in Issue.record("A work started after its lane was deallocated.") }
        recorder.scheduler.drain()
        lane = nil
        #expect(weakLane == nil)
        #expect(recorder.scheduler.clock.sleeperCount == 0)
        await waiting?.finished()
        recorder.advance(by: 10)
    }

    @Test(arguments: [Policy.concurrent, .queued, .latest, .first])
    func finishedAndCancelledWorksAreReleased(policy: Policy) {
        let token = Guarded(0)
        weak var weakWork: WorkItem?
        let lane = Lane(policy)
        do {
            let started = lane.submit { [token] _, _ in token.withLock { $0 += 1 } }
            let second = lane.submit { [token] work, lane in
                token.withLock { $0 += 1 }
                lane.finish(work)
            }
            second.cancel()
            lane.finish(started)
            lane.finish(second)
            weakWork = started
        }
        #expect(weakWork == nil)
        var witness: Guarded<Int>? = Guarded(0)
        weak let weakWitness = witness
        let running = lane.submit { _, _ in }
        do {
            let cancelled = lane.submit { [witness] _, _ in _ = witness }
            witness = nil
            cancelled.cancel()
            lane.finish(cancelled)
        }
        #expect(weakWitness == nil)
        lane.finish(running)
    }
}
