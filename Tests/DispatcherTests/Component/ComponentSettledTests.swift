import Dispatcher
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// `settled()` returns when no work is left.
@Suite("Component: settling", .timeLimit(.minutes(10)))
struct ComponentSettledTests {
    private let scheduler: VirtualScheduler
    private let end: Witness
    private let log = Log()

    init() {
        let scheduler = VirtualScheduler()
        self.scheduler = scheduler
        end = Witness { scheduler.drain() }
    }

    /// A component that appends each number: zero at once, and another one after as many seconds and at once again.
    /// The work of a negative number fails.
    private func component(subscriptions: [Subscription<Void, Int>] = []) -> Component<[Int], Int> {
        let clock = scheduler.clock
        let working = StateDispatcher<Void, [Int], Int>.workflow { number in
            let appending = State<[Int], Void>.update { $0.append(number) }
            if number == 0 { return [.pure(appending)] }
            return [
                EnvIO { _ in
                    try await clock.sleep(for: .seconds(abs(number)))
                    if number < 0 { throw Broken() }
                    return appending
                }, .pure(appending),
            ]
        }
        return Component(
            initialState: [], environment: (), executor: scheduler.executor,
            dispatcher: working, subscriptions: { _ in subscriptions })
    }

    private func settle(_ component: Component<[Int], Int>) {
        scheduler.start { [log] in
            await log.append("settled") { try await component.settled() }
        }
    }

    @Test("A component settles when all workflows have ended, failed or been cancelled")
    func workflows() {
        let component = component()
        component.onError { _, _ in }
        component.send(3)
        component.send(-1)
        let cancelled = component.send(5)
        settle(component)
        scheduler.advance(by: .seconds(2))
        cancelled.cancel()
        scheduler.drain()
        #expect(log.lines == [])
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["settled"])
        #expect(component.state == [3, 3])
    }

    @Test("settled() waits for inputs that are enqueued behind its check")
    func enqueuedBehindTheCheck() {
        let component = component()
        component.observe { [weak component, scheduler, log] state in
            log.append("\(state.count)")
            if state.count == 1 {
                // The caller begins to wait, and then two inputs are enqueued.
                scheduler.drain()
                for _ in 0..<2 { component?.send(0) }
            } else {
                // If the caller had been resumed, it would continue here.
                scheduler.drain()
            }
        }
        settle(component)
        component.send(0)
        scheduler.drain()
        #expect(log.lines == ["0", "1", "2", "3", "settled"])
    }

    @Test("settled() waits for workflows that a subscription starts, not for the subscription")
    func subscriptions() {
        let (inputs, feed) = AsyncStream<Int>.makeStream()
        let component = component(subscriptions: [.stream(id: "inputs") { _ in inputs }])
        settle(component)
        scheduler.drain()
        #expect(log.lines == ["settled"])
        feed.yield(2)
        scheduler.drain()
        settle(component)
        scheduler.advance(by: .seconds(1))
        #expect(log.lines.count == 1)
        scheduler.advance(by: .seconds(1))
        #expect(log.lines.count == 2)
    }

    private func adding() -> Component<Int, Int> {
        Component(
            initialState: 0, environment: (),
            dispatcher: StateDispatcher<Void, Int, Int>.effectful { number in
                EnvIO { _ in
                    await Task.yield()
                    return .update { $0 += number }
                }
            })
    }

    @Test("settledIncludingObservers() returns after observers on the main actor are notified")
    @MainActor
    func observers() async throws {
        let component = adding()
        final class Seen { var last = 0 }
        let seen = Seen()
        component.observe { @MainActor [weak component] state in
            seen.last = state
            if state == 10 { component?.send(5) }
        }
        for _ in 0..<10 { component.send(1) }
        try await component.settledIncludingObservers()
        #expect(component.state == 15)
        #expect(seen.last == 15)
    }

    @Test("Earlier inputs have been committed when settled() returns, also with many callers")
    func manyThreads() async throws {
        let component = adding()
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<10 {
                        let before = component.state
                        component.send(1)
                        try await component.settled()
                        #expect(component.state > before)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(component.state == 80)
    }
}
