import ArchitectureEngine
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("Policy queue: policies", .timeLimit(.minutes(10)))
struct PolicyQueuePolicyTests {
    @Test(
        "Works start, end and are cancelled as the policy says, and only running ones deliver",
        arguments: PolicyKind.allCases, PolicyModel.FrontDoor.Cancellation.allCases)
    func model(kind: PolicyKind, cancellation: PolicyModel.FrontDoor.Cancellation) async {
        let scripts = PolicyScript.scripts(isOftenUndisturbed: cancellation == .allWorks)
        await expectPolicy(kind, PolicyModel.FrontDoor(cancelling: cancellation), scripts) { run in
            let executor = run.scheduler.executor
            let queues = PolicyQueues(kind.policy(run.scheduler.clock), executor: executor)
            let works = Record<Work>()
            let key = { [AnyKey(run.script.works[$0].id)] }
            return (
                { number in
                    works.append(
                        queues.submit(for: key(number)) { work, queue, _ in
                            run.start(number)
                            work.startTask(in: SendContext(), on: executor) {
                                try? await run.finish(number)
                                queue.deliver(work) { _ in run.end(number) }
                                work.end(in: queue)
                            }
                        })
                },
                { number in
                    let work = works.values[number]
                    let hasStarted = run.log.lines.contains { $0.hasPrefix("\(number) starts") }
                    switch cancellation {
                    case .work: work.cancel()
                    case .works: queues.cancel(for: key(number))
                    case .allWorks: queues.close()
                    }
                    // A waiting work does not wait for a task to end.
                    #expect(hasStarted || work.isFinished)
                },
                { queues.flush(key($0)[0]) },
                { model in
                    for (work, phase) in zip(works.values, model.phases) {
                        #expect(work.isCancelled == (phase == .cancelled))
                        #expect(work.isFinished == (phase == .cancelled || phase == .ended))
                    }
                }
            )
        }
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
        queue.submit(Work(), start)
        let work = queue.submit(Work(), start)
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

    /// What a saver does with eight documents, one each second, of which each takes some seconds to save.
    struct Saves: Sendable, CustomTestStringConvertible {
        let name: String
        var duration = 3
        let policy: @Sendable (VirtualClock) -> Policy
        /// The saves that start, and when.
        let starts: [String]
        var testDescription: String { name }
    }

    static let saves = [
        Saves(
            name: "queuedLatest", policy: { _ in .queuedLatest },
            starts: ["1 starts at 0", "3 starts at 3", "6 starts at 6", "8 starts at 9"]),
        // Without a longest wait, none would start before the last one.
        Saves(
            name: "debounce, 4 s at most", policy: { .debounce(for: .seconds(2), atMost: .seconds(4), clock: $0) },
            starts: ["4 starts at 4", "8 starts at 8"]),
        // The work for "3" is due at 3, and so are those that replace it.
        Saves(
            name: "debounce, 2 s at most, and slow saves", duration: 5,
            policy: { .debounce(for: .seconds(2), atMost: .seconds(2), clock: $0) },
            starts: ["2 starts at 2", "7 starts at 7", "8 starts at 12"]),
        Saves(
            name: "debounce, 0 s at most", policy: { .debounce(for: .seconds(2), atMost: .zero, clock: $0) },
            starts: ["1 starts at 0", "3 starts at 3", "6 starts at 6", "8 starts at 9"]),
    ]

    @Test("Of continuous inputs, a saver saves the newest ones, without overlap or cancellation", arguments: saves)
    func saving(_ example: Saves) {
        let recorder = Recorder(example.policy)
        let clock = recorder.scheduler.clock
        for number in 1...8 {
            recorder.queue.submit { work, queue, _ in
                recorder.log.append("\(number) starts at \(clock.now.offset.components.seconds)")
                work.startTask(in: SendContext(), on: recorder.scheduler.executor) {
                    try? await clock.sleep(for: .seconds(example.duration))
                    #expect(!work.isCancelled)
                    work.end(in: queue)
                }
            }
            recorder.advance(by: 1)
        }
        recorder.advance(by: 60)
        #expect(recorder.log.lines == example.starts)
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

    @Test func aDebounceNeedsNoTaskWhenItsLongestWaitIsOver() {
        let recorder = Recorder { clock in .debounce(for: .seconds(10), atMost: .zero, clock: clock) }
        for name in ["a", "b", "c"] { recorder.ask(name) }
        recorder.finish("a")
        #expect(recorder.scheduler.executor.readyCount == 0)
        #expect(recorder.log.lines == ["a starts at 0", "c starts at 0"])
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
            queue.submit(Work(tracer.submission(of: name, to: policy))) { _, _, _ in log.append("\(name) starts") }
        }
        for name in ["a", "b"] { submit.value?(name) }
        scheduler.advance(by: .seconds(10))
        #expect(log.lines == ["a starts", "c is submitted", "b starts", "c starts"])
        submit.value = nil
    }
}
