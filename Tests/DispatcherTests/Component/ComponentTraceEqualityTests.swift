import ArchitectureEngine
import Dispatcher
import FunctionalCore
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

/// A traced component does the same as one without a trace, in the same order.
@Suite("Component: the same with a trace", .timeLimit(.minutes(10)))
struct ComponentTraceEqualityTests {
    /// What an action of a generated dispatcher does.
    enum Plan: Sendable {
        case change
        case acts
        case waits(Int)
        case fails
        case failsLater(Int)
        case streams(Int)
        case sends(Int)
        case cancels
        case endsCancelled

        static let gen: Gen<Plan> = {
            let number = Gen.int(in: 0...2)
            return Gen.frequency(
                (3, Gen.always(.change)), (3, Gen.always(.acts)), (4, number.map { .waits($0) }),
                (1, Gen.always(.fails)), (1, number.map { .failsLater($0) }), (1, number.map { .streams($0) }),
                (2, number.map { .sends($0) }), (1, Gen.always(.cancels)), (1, Gen.always(.endsCancelled)))
        }()
    }

    /// What happens to the component from outside.
    enum Step: Sendable {
        case send(Int)
        case cancel(Int)
        case drain
        case advance(Int)

        static let gen: Gen<[Step]> = Gen.frequency(
            (4, Gen.int(in: 0...2).map { .send($0) }), (1, Gen.int(in: 0...5).map { .cancel($0) }),
            (1, Gen.always(.drain)), (3, Gen.int(in: 1...3).map { .advance($0) })
        ).array(1...12)
    }

    /// The inputs of a workflow have two digits at most: the first is the number of sends before.
    typealias Dispatch = StateDispatcher<Run, [String], Int>

    /// One run of the steps, and what it has logged.
    final class Run: Sendable {
        let scheduler = VirtualScheduler()
        let log = Log()
        private let handles = Guarded<[SendTask]>([])
        private let component = Guarded<Component<[String], Int>?>(nil)

        func send(_ input: Int) {
            guard let handle = component.value?.send(input) else { return }
            log.append("sent \(input), has ended: \(handle.work?.isFinished.description ?? "at once")")
            handles.withLock { $0.append(handle) }
        }

        func cancel(_ index: Int) { handles.withLock { index < $0.count ? $0[index] : nil }?.cancel() }

        /// Performs the steps, and returns the log.
        func perform(_ steps: [Step], _ dispatcher: Dispatch, subscribes: Bool, trace: Trace?) -> [String] {
            let clock = scheduler.clock
            component.value = Component(
                initialState: [], environment: self, executor: scheduler.executor, trace: trace, dispatcher: dispatcher,
                subscriptions: { state in
                    subscribes && state.count % 3 != 2
                        ? [
                            .run(id: "ticks") { _, send in
                                for number in 0... {
                                    try await clock.sleep(for: .seconds(2))
                                    if number == 3 { throw Broken() }
                                    send(20)
                                }
                            }
                        ] : []
                })
            component.value?.observe { [log] state in log.append("state \(state)") }
            component.value?.onError { [log] error, source in log.append("\(source): \(error)") }
            var settling: Task<Void, any Error>?
            for (number, step) in steps.enumerated() {
                switch step {
                case .send(let input): send(input)
                case .cancel(let index): cancel(index)
                case .drain: scheduler.drain()
                case .advance(let seconds): scheduler.advance(by: .seconds(seconds))
                }
                log.append("step \(number)")
                if number == steps.count / 2 {
                    settling = scheduler.start { [log, weak component = component.value] in
                        await log.append("settled") { try await component?.settled() }
                    }
                }
            }
            scheduler.advance(by: .seconds(30))
            for handle in handles.value { log.append("\(handle.isCancelled), \(handle.work?.isFinished ?? true)") }
            // It retains the component if a subscription goes on without end.
            settling?.cancel()
            component.value = nil
            scheduler.drain()
            log.append("\(scheduler.clock.sleeperCount)")
            handles.value = []
            return log.lines
        }
    }

    private static func action(_ plan: Plan, _ name: String, _ input: Int) -> Dispatch.Action {
        let change: State<[String], Void> = .update { $0.append(name) }
        switch plan {
        case .change: return .pure(change)
        case .acts, .streams:
            return EnvIO { run throws in
                run.log.append("acts \(name)")
                return change
            }
        case .waits(let seconds):
            return EnvIO { run async throws in
                run.log.append("begins \(name)")
                try await run.scheduler.clock.sleep(for: .seconds(seconds))
                run.log.append("ends \(name)")
                return change
            }
        case .fails: return EnvIO { _ throws in throw Broken() }
        case .failsLater(let seconds):
            return EnvIO { run async throws in
                try await run.scheduler.clock.sleep(for: .seconds(seconds))
                throw Broken()
            }
        case .sends(let offset):
            return EnvIO { run throws in
                // Chains of three inputs at most: with five of these actions, one input causes 30 others.
                if input < 20 { run.send(input + 10 + offset) }
                return change
            }
        case .cancels:
            return EnvIO { run throws in
                run.cancel(0)
                run.cancel(2)
                return change
            }
        case .endsCancelled: return .cancelled
        }
    }

    private static func dispatcher(_ plans: [Plan], _ policy: Policy) -> Dispatch {
        let workflow = Dispatch.workflow { input in
            plans.enumerated().map { index, plan in action(plan, "\(input).\(index)", input) }
        }
        let streams = Dispatch.stream { input, run in
            AsyncStream<State<[String], Void>> { elements in
                for case .streams(let count) in plans where input % 2 == 0 {
                    for number in 0...count { elements.yield(.update { $0.append("\(input) stream \(number)") }) }
                }
                elements.finish()
            }
        }
        let other = Dispatch.effectful { input in action(plans.first ?? .change, "\(input) other", input) }
        return workflow.policy(policy).combine(streams).combine(other)
    }

    static let policies: [(name: String, policy: @Sendable (VirtualClock) -> Policy)] = [
        ("concurrent", { _ in .concurrent }), ("queued", { _ in .queued }), ("latest", { _ in .latest }),
        ("first", { _ in .first }), ("debounce", { .debounce(for: .seconds(1), clock: $0) }),
        ("throttle", { .throttle(for: .seconds(1), clock: $0) }),
    ]

    @Test("Order, results, failures, cancellation and settling are the same", .cases(100), arguments: policies.indices)
    func same(policy: Int) async {
        let policy = Self.policies[policy].policy
        // The most events that can be generated.
        let most: ([Plan], [Step], Bool) = (
            Array(repeating: .sends(0), count: 4), Array(repeating: .send(0), count: 12), false
        )
        await forAll(Plan.gen.array(1...4), Step.gen, Gen.bool, examples: [most]) { plans, steps, subscribes in
            func lines(_ trace: (VirtualClock) -> Trace?) -> [String] {
                let run = Run()
                let clock = run.scheduler.clock
                return run.perform(
                    steps, Self.dispatcher(plans, policy(clock)), subscribes: subscribes, trace: trace(clock))
            }
            let events = TraceBuffer(capacity: .max)
            let untraced = lines { _ in nil }
            #expect(lines { Trace(to: events, clock: $0) } == untraced)
            #expect(lines { Trace(to: TraceBuffer(), snapshots: false, clock: $0) } == untraced)
            #expect(events.faults(haveAllEnded: true) == [])
            let ends = events.kinds.count {
                $0.hasPrefix("ended") || $0.hasPrefix("cancelled") || $0.hasPrefix("failed")
            }
            classify(ends > 5, "many works", atLeast: 0.2)
        }
    }
}
