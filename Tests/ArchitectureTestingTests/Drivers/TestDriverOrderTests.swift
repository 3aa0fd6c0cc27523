import ArchitectureTesting
import Dispatcher
import FunctionalCore
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

/// Drivers run the same each time, and in other orders if the test asks for them.
@Suite(.timeLimit(.minutes(10))) struct TestDriverOrderTests {
    // MARK: - The same each time

    private enum Race: Sendable {
        case race
        case late(Int)
        case typed(Int)
        case tick
    }

    /// Races timers with equal deadlines, in task groups, beside a policy and a subscription.
    private static func racing(_ clock: VirtualClock) -> StateDispatcher<VirtualClock, [Int], Race> {
        .workflow { input in
            switch input {
            case .race:
                [
                    EnvIO { clock in
                        let first = await withTaskGroup(of: Int?.self) { group in
                            for number in 1...4 {
                                group.addTask {
                                    try? await clock.sleep(for: .milliseconds(number < 4 ? 100 : 50))
                                    await Task.yield()
                                    return Task.isCancelled ? nil : number
                                }
                            }
                            defer { group.cancelAll() }
                            return await group.next() ?? nil
                        }
                        return .update { $0.append(first ?? 0) }
                    }
                ]
            case .late(let number):
                [
                    EnvIO { clock in
                        try await clock.sleep(for: .milliseconds(100))
                        return .update { $0.append(number) }
                    }
                ]
            case .typed, .tick: []
            }
        }
        .combine(
            StateDispatcher<VirtualClock, [Int], Race>.workflow { input in
                if case .typed(let number) = input { [.pure(.update { $0.append(number) })] } else { [] }
            }
            .policy(.debounce(for: .milliseconds(50), clock: clock)))
    }

    private static func log(_ seed: UInt64?) -> [String] {
        let time = VirtualScheduler(seed: seed)
        // Runs after the component is released, which cancels the subscription.
        defer { time.drain() }
        let events = TraceBuffer()
        let component = Component(
            initialState: [], environment: time.clock, executor: time.executor,
            trace: Trace(to: events, clock: time.clock), dispatcher: racing(time.clock),
            subscriptions: { [clock = time.clock] _ in
                [.every(.milliseconds(50), id: "tick", clock: clock) { Race.tick }]
            })
        component.send(.race)
        let cancelled = component.send(.late(10))
        component.send(.late(20))
        component.send(.typed(30))
        time.advance(by: .milliseconds(40))
        component.send(.typed(40))
        cancelled.cancel()
        time.advance(by: .milliseconds(200))
        return events.all.map { "\($0.id) \($0.cause ?? 0) \($0.root) \($0.time) \($0.owner) \($0.kind)" }
    }

    @Test func `a test with racing timers, a task group and a cancellation has the same trace each time`() {
        let first = Self.log(nil)
        #expect(first.count > 30)
        for _ in 0..<2_000 where Self.log(nil) != first {
            Issue.record("Another trace.")
            return
        }
        // Other orders are possible.
        #expect((1...20).contains { Self.log($0) != first })
    }

    @Test func `a driver takes the same statements each time`() {
        for _ in 0..<500 {
            let time = VirtualScheduler()
            let test = TestDriver(Self.racing(time.clock), state: [], environment: time.clock, time: time)
            let race = test.send(.race)
            let cancelled = test.send(.late(10))
            let late = test.send(.late(20))
            test.cancel(cancelled)
            test.advance(by: .milliseconds(100))
            test.change(from: race) { $0.append(4) }
            test.change(from: late) { $0.append(20) }
            test.finish()
        }
    }

    // MARK: - Other orders

    private struct Counter: Sendable {
        let count: @Sendable () -> Int
        let clock: VirtualClock
    }

    /// Adds one in a second. If the count is read before the change, other additions can come between.
    private static func adding(
        readingFirst: Bool, _ time: VirtualScheduler
    ) -> TestDriver<Int, Int> {
        let dispatcher = StateDispatcher<Counter, Int, Int>.effectful { number in
            EnvIO { counter in
                try await counter.clock.sleep(for: .seconds(1))
                let count = counter.count()
                await Task.yield()
                return .update { $0 = (readingFirst ? count : $0) + number }
            }
        }
        return TestDriver(state: 0, time: time) { setup in
            Component(
                initialState: 0, environment: { Counter(count: $0, clock: time.clock) }, executor: setup.executor,
                trace: setup.trace, dispatcher: dispatcher)
        }
    }

    private static func sum(readingFirst: Bool, _ order: StepOrder) -> Int {
        let test = adding(readingFirst: readingFirst, VirtualScheduler(order: order))
        for _ in 0..<2 { test.send(1) }
        test.advance(by: .seconds(1))
        test.skip()
        test.finish()
        return test.state
    }

    @Test func `a lost update that only some orders reveal is found in all orders of a driver`() async throws {
        #expect(Self.sum(readingFirst: true, StepOrder()) == 2)
        struct LostUpdate: Error {}
        let found = await falsifyOrders { order in
            if Self.sum(readingFirst: true, order) != 2 { throw LostUpdate() }
        }
        let counterexample = try #require(found.found?.counterexample)
        // The second one reads the count after the first one has, and before that changes it.
        #expect(counterexample.hasPrefix("StepOrder([1])"))
    }

    @Test func `without the mistake, a driver gets the same state in all orders`() async {
        let count = await forAllOrders { order in
            #expect(Self.sum(readingFirst: false, order) == 2)
        }
        #expect(count > 1)
    }

    @Test func `a work beyond a limit starts when a cancelled one has finished unwinding, in all orders of a driver`()
        async
    {
        let count = await forAllOrders { order in
            let time = VirtualScheduler(order: order)
            let (running, most) = (Guarded(0), Guarded(0))
            let work = StateDispatcher<VirtualClock, Int, Int>.effectful { number in
                EnvIO { clock in
                    let now = running.increment()
                    most.withLock { $0 = max($0, now) }
                    defer { running.withLock { $0 -= 1 } }
                    do {
                        try await clock.sleep(for: .seconds(1))
                    } catch {
                        await Task.yield()
                        throw error
                    }
                    return .update { $0 += number }
                }
            }
            let test = TestDriver(
                work.policy(.concurrent(limit: 2)), state: 0, environment: time.clock, time: time)
            let first = test.send(1)
            for number in 2...3 { test.send(number) }
            test.cancel(first)
            test.advance(by: .seconds(2))
            test.skip()
            test.finish()
            #expect(test.state == 5)
            #expect(most.value == 2)
        }
        #expect(count > 1)
    }

    @Test func `skipped changes, inputs, failures and calls are no issues, and work under way is`() {
        let test = Orders().component()
        test.send(.load(1))
        for number in 1...2 { test.send(.queued(number)) }
        for order in [Order.add(1), .fail] { test.dispatch(order) }
        test.advance(by: .seconds(1))
        test.skip()
        #expect(test.state == test.component.state)
        #expect(reported { test.finish() }.count == 1)
    }
}
