import ArchitectureEngine
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("Policy queue", .timeLimit(.minutes(10)))
struct PolicyQueueTests {
    // MARK: - Cancelling

    @Test func aWorkReplacedBeforeItStartsIsFinishedAndNeverStarts() {
        let recorder = Recorder { _ in .latest }
        let first = recorder.ask("a")
        // Called after "b" has replaced "a", and before "b" starts.
        first.onCancel { [unowned recorder] _ in recorder.ask("c") }
        let second = recorder.ask("b")
        #expect(second.isCancelled && second.isFinished)
        #expect(recorder.log.lines == ["a starts at 0", "c starts at 0"])
    }

    @Test("A part of cancelled work may be submitted to a busy queue, and never starts")
    func enclosing() {
        let recorder = Recorder { _ in .queued }
        recorder.ask("a")
        let whole = Work()
        whole.cancel()
        let part = Work(nil, within: whole)
        recorder.queue.submit(part) { [log = recorder.log] _, _, _ in log.append("the part starts") }
        #expect(part.isCancelled && !part.isCancelledItself)
        recorder.finish("a")
        #expect(part.isFinished)
        #expect(recorder.log.lines == ["a starts at 0"])
    }

    // MARK: - Delivering

    @Test func submittingDuringADeliveryDoesNotWaitForIt() {
        let recorder = Recorder { _ in .latest }
        let a = recorder.ask("a")
        let starter = Guarded<UInt>(0)
        recorder.queue.deliver(a) { _ in
            // `onThreads` returns only if the other thread is not blocked.
            onThreads(1) { _ in
                recorder.queue.submit { _, _, _ in starter.withLock { $0 = CurrentThread.identity } }
            }
            #expect(starter.withLock { $0 } == 0)
            #expect(a.isCancelled)
        }
        #expect(starter.withLock { $0 } == CurrentThread.identity)
    }

    @Test(
        "No work starts during a delivery, also a nested one, and a work that has ended or is replaced delivers nothing",
        arguments: [PolicyKind.queued, .latest, .debounce])
    func startsAfterDeliveries(kind: PolicyKind) {
        let recorder = Recorder { kind.policy($0, for: .seconds(10)) }
        let a = recorder.ask("a")
        recorder.advance(by: 10)
        recorder.queue.deliver(a) { _ in
            recorder.queue.deliver(a) { _ in
                recorder.ask("b")
                if kind == .queued { recorder.finish("a") }
                recorder.advance(by: 10)
                recorder.deliver("a")
                recorder.log.append("inner ends")
            }
            recorder.log.append("outer ends")
        }
        let start = kind == .debounce ? 10 : 0
        #expect(recorder.log.lines == ["a starts at \(start)", "inner ends", "outer ends", "b starts at 20"])
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

    @Test(
        "Work for which there is a place does not wait until a start returns",
        arguments: [Policy.latest, .concurrent(limit: 2)])
    func startsDuringStarts(policy: Policy) {
        let queue = PolicyQueue(policy)
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
                    count.increment()
                    work.end(in: queue)
                }
            }
            running.end(in: queue)
            return count.value
        }
        #expect(count == manySteps)
    }

    @Test("Works that one start submits start when it has returned, as many as there are places")
    func startsOfAStart() {
        let recorder = Recorder { _ in .concurrent(limit: 2) }
        recorder.queue.submit { work, queue, _ in
            for name in ["a", "b", "c"] { recorder.ask(name) }
            work.end(in: queue)
            recorder.log.append("returns")
        }
        #expect(recorder.log.lines == ["returns", "a starts at 0", "b starts at 0"])
        recorder.finish("b")
        #expect(recorder.log.lines.last == "c starts at 0")
    }

    @Test("A limited policy starts waiting work when a cancelled one has finished unwinding, and not before")
    func unwinding() {
        let recorder = Recorder { _ in .concurrent(limit: 2) }
        let a = recorder.ask("a")
        for name in ["b", "c", "d"] { recorder.ask(name) }
        a.cancel()
        recorder.deliver("a")
        #expect(recorder.log.lines == ["a starts at 0", "b starts at 0"])
        recorder.finish("a")
        recorder.queue.deliver(recorder.ask("e")) { _ in }
        recorder.queue.submit { _, _, _ in }
        #expect(recorder.log.lines == ["a starts at 0", "b starts at 0", "c starts at 0"])
    }

    @Test(arguments: [Policy.queued, .latest, .concurrent(limit: 2)])
    func aLongChainOfWorksNeedsNoStack(policy: Policy) async {
        let count = await onSmallStack {
            let queue = PolicyQueue(policy)
            let count = Guarded(0)
            @Sendable func next(_ work: Work, _ queue: PolicyQueue, _: PolicyQueue.Occasion) {
                let goesOn = count.increment() < manySteps
                queue.deliver(work) { _ in if goesOn { queue.submit(Work(), next) } }
                work.end(in: queue)
            }
            queue.submit(Work(), next)
            return count.value
        }
        #expect(count == manySteps)
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

    @Test(arguments: [Policy.concurrent, .concurrent(limit: 2), .queued, .latest, .first])
    func finishedAndCancelledWorksAreReleased(policy: Policy) {
        weak var weakWork: Work?
        let queue = PolicyQueue(policy)
        do {
            let started = queue.submit { _, _, _ in }
            let second = queue.submit { work, queue, _ in work.end(in: queue) }
            second.cancel()
            started.end(in: queue)
            second.end(in: queue)
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
            cancelled.end(in: queue)
        }
        #expect(weakWitness == nil)
        running.end(in: queue)
    }
}
