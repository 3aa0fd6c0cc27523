import ArchitectureEngine
import Dispatcher
import Effects
import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

/// The decisions of policies in a trace. All that has policies records the same decisions.
@Suite("Policies in a trace", .timeLimit(.minutes(10)))
struct PolicyTraceTests {
    enum Owner: CaseIterable { case queue, component, loop, store }

    private struct Number: Action, CustomStringConvertible {
        let value: Int
        var description: String { "\(value)" }
    }

    private enum LoopEffect: Sendable, CustomStringConvertible {
        case work(Int)
        var description: String { if case .work(let number) = self { "\(number)" } else { "" } }
    }

    private let events = TraceBuffer()
    private let scheduler: VirtualScheduler
    private let end: Witness

    init() {
        let scheduler = VirtualScheduler()
        self.scheduler = scheduler
        // A work of a queue sleeps on although the queue is deallocated.
        end = Witness { scheduler.advance(by: .seconds(6)) }
    }

    /// Returns a function that sends a number to an owner of works, and retains it. Each number is a work of six
    /// seconds.
    private func sender(_ owner: Owner, _ policy: Policy) -> (Int) -> Void {
        let (trace, clock, executor) = (Trace(to: events), scheduler.clock, scheduler.executor)
        switch owner {
        case .queue:
            let (tracer, queue) = (Tracer(trace, owner: Self.self), PolicyQueue(policy, executor: executor))
            return { number in
                tracer.process(number, from: tracer.origin { nil }) {
                    let work = Work(tracer.submission(of: number, to: policy))
                    queue.submit(work) { work, queue, _ in
                        Task(executorPreference: executor) { [weak queue] in
                            try await clock.sleep(for: .seconds(6))
                            work.end(in: queue)
                        }
                    }
                }
            }
        case .component:
            let component = Component(
                initialState: 0, environment: (), executor: executor, trace: trace,
                dispatcher: StateDispatcher<Void, Int, Int>.effectful { number in
                    EnvIO { () async throws in
                        try await clock.sleep(for: .seconds(6))
                        return .set(number)
                    }
                }.policy(policy))
            return { component.send($0) }
        case .loop:
            let router = EffectRouter<LoopEffect, Int>().routeCase(LoopEffect.work).policy(policy).to { _ in
                try await clock.sleep(for: .seconds(6))
            }
            let loop = Mobius.loop(
                update: Update<Int, Int, LoopEffect> { _, number in .dispatchEffects([.work(number)]) },
                effectHandler: router
            ).withTrace(trace).withExecutor(executor).start(from: 0)
            return { loop.dispatchEvent($0) }
        case .store:
            let store = Store(
                reducer: { _, _ in }, initialState: 0,
                effects: [.run(on: Number.self, policy) { _ in try await clock.sleep(for: .seconds(6)) }],
                executor: executor, trace: trace)
            return { store.dispatch(action: Number(value: $0)) }
        }
    }

    @Test("All owners record the decisions of a policy, with the message that caused each", arguments: Owner.allCases)
    func decisions(of owner: Owner) {
        let clock = scheduler.clock
        let queued = [
            "1 starts by 1", "2 waits by 2", "3 waits by 3", "4 waits by 4", "2 starts by 2", "5 waits by 5",
            "3 dropped", "4 dropped", "5 dropped",
        ]
        let expected: [(Policy, [String])] = [
            (.concurrent, []),
            (
                .concurrent(limit: 2),
                [
                    "1 starts by 1", "2 starts by 2", "3 waits by 3", "4 waits by 4", "3 starts by 3",
                    "4 starts by 4", "5 waits by 5", "5 dropped",
                ]
            ),
            (.concurrent(limit: 1), queued),
            (.queued, queued),
            (
                .latest,
                [
                    "1 starts by 1", "1 replaced by 2", "2 starts by 2", "2 replaced by 3", "3 starts by 3",
                    "3 replaced by 4", "4 starts by 4", "4 replaced by 5", "5 starts by 5",
                ]
            ), (.first, ["1 starts by 1", "2 dropped by 2", "3 dropped by 3", "4 dropped by 4", "5 starts by 5"]),
            (
                .debounce(for: .seconds(3), clock: clock),
                [
                    "1 delayed by 1", "2 delayed by 2", "1 dropped by 2", "2 starts by 2", "3 delayed by 3",
                    // The timer is the cause of the replacement, which the first delayed number has started.
                    "4 delayed by 4", "3 dropped by 4", "2 replaced by 3", "4 starts by 4", "5 delayed by 5",
                    "5 dropped",
                ]
            ),
            (
                .throttle(for: .seconds(3), clock: clock),
                [
                    "1 starts by 1", "2 delayed by 2", "2 starts by 2", "3 delayed by 3", "4 delayed by 4",
                    "3 dropped by 4", "4 starts by 4", "5 starts by 5",
                ]
            ),
        ]
        for (policy, decisions) in expected {
            events.removeAll()
            do {
                let send = sender(owner, policy)
                for numbers in [[1, 2], [3, 4]] {
                    for number in numbers { send(number) }
                    scheduler.advance(by: .seconds(5))
                }
                send(5)
            }
            scheduler.drain()
            #expect(events.decisions == decisions, "\(policy)")
            #expect(events.faults(haveAllEnded: true) == [], "\(policy)")
        }
    }

    @Test("The queues of keys record, too")
    func keys() {
        let (queues, tracer) = (PolicyQueues(.first), Tracer(Trace(to: events), owner: Self.self))
        for (key, name) in [(1, "a"), (2, "b"), (1, "c")] {
            let work = Work(tracer.submission(of: name, to: .first))
            queues.submit(work, for: [AnyKey(key)]) { _, _, _ in }
        }
        #expect(events.decisions == ["a starts", "b starts", "c dropped"])
    }

    @Test("A sink may use the queue: decisions are recorded outside of its lock")
    func locks() {
        let (queue, idle) = (PolicyQueue(.latest), Record<Bool>())
        let tracer = Tracer(Trace { [unowned queue] _ in idle.append(queue.isIdle) }, owner: Self.self)
        for name in ["a", "b"] {
            queue.submit(Work(tracer.submission(of: name, to: .latest))) { _, _, _ in }
        }
        #expect(idle.values == [false, false, false])
    }
}
