import Dispatcher
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// `settled()` returns when no work is left.
@Suite("Component: settling", .timeLimit(.minutes(10)))
struct ComponentSettledTests {
    private enum Input: Hashable, Sendable {
        case sleep(Int)
        case pure
        case fail
    }

    private let scheduler: VirtualScheduler
    private let end: Witness
    private let log = Log()

    init() {
        let scheduler = VirtualScheduler()
        self.scheduler = scheduler
        end = Witness { scheduler.drain() }
    }

    private func component(subscriptions: [Subscription<Void, Input>] = []) -> Component<[String], Input> {
        let clock = scheduler.clock
        let working = StateDispatcher<Void, [String], Input>.workflow { input in
            switch input {
            case .sleep(let seconds):
                [
                    EnvIO { _ in
                        try await clock.sleep(for: .seconds(seconds))
                        return .update { $0.append("slept \(seconds)") }
                    }, .pure(.update { $0.append("ended") }),
                ]
            case .pure: [.pure(.update { $0.append("pure") })]
            case .fail:
                [
                    EnvIO { _ in
                        try await clock.sleep(for: .seconds(1))
                        throw Broken()
                    }
                ]
            }
        }
        return Component(
            initialState: [], environment: (), executor: scheduler.executor,
            dispatcher: working, subscriptions: { _ in subscriptions })
    }

    private func settle(_ component: Component<[String], Input>) -> Task<Void, any Error> {
        scheduler.start { [log] in
            await log.append("settled") { try await component.settled() }
        }
    }

    @Test("A component settles when all workflows have ended, failed or been cancelled")
    func workflows() {
        let component = component()
        component.onError { _, _ in }
        component.send(.sleep(3))
        component.send(.fail)
        let cancelled = component.send(.sleep(5))
        _ = settle(component)
        scheduler.advance(by: .seconds(2))
        cancelled.cancel()
        scheduler.drain()
        #expect(log.lines == [])
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["settled"])
        #expect(component.state == ["slept 3", "ended"])
    }

    @Test("settled() waits for inputs that are enqueued behind its check")
    func enqueuedBehindTheCheck() {
        let component = component()
        component.observe { [weak component, scheduler, log] state in
            log.append("\(state.count)")
            if state.count == 1 {
                // The caller begins to wait, and then two inputs are enqueued.
                scheduler.drain()
                for _ in 0..<2 { component?.send(.pure) }
            } else {
                // If the caller had been resumed, it would continue here.
                scheduler.drain()
            }
        }
        _ = settle(component)
        component.send(.pure)
        scheduler.drain()
        #expect(log.lines == ["0", "1", "2", "3", "settled"])
    }

    @Test("settled() waits for workflows that a subscription starts, not for the subscription")
    func subscriptions() {
        let (inputs, feed) = AsyncStream<Input>.makeStream()
        let component = component(subscriptions: [.stream(id: "inputs") { _ in inputs }])
        _ = settle(component)
        scheduler.drain()
        #expect(log.lines == ["settled"])
        feed.yield(.sleep(2))
        scheduler.drain()
        _ = settle(component)
        scheduler.advance(by: .seconds(1))
        #expect(log.lines.count == 1)
        scheduler.advance(by: .seconds(1))
        #expect(log.lines.count == 2)
    }

    @Test("settledIncludingObservers() returns after observers on the main actor are notified")
    @MainActor
    func observers() async throws {
        let component = Component(
            initialState: 0, environment: (),
            dispatcher: StateDispatcher<Void, Int, Int>.effectful { number in
                EnvIO { _ in
                    await Task.yield()
                    return .update { $0 += number }
                }
            })
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
        let component = Component(
            initialState: 0, environment: (),
            dispatcher: StateDispatcher<Void, Int, Int>.effectful { number in
                EnvIO { _ in
                    await Task.yield()
                    return .update { $0 += number }
                }
            })
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
