import Dispatcher
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Chains of inputs that go on through tasks, in traced components.
@Suite("Component: endless chains through tasks", .timeLimit(.minutes(10)))
struct ComponentEndlessChainTests {
    /// The component to which the actions of another one send. Not retained.
    private final class Address: Sendable {
        private struct Reference: Sendable {
            weak var component: Component<Int, Int>?
        }

        private let reference = Guarded(Reference())

        func set(_ component: Component<Int, Int>) {
            reference.withLock { $0.component = component }
        }

        func send(_ number: Int) { reference.value.component?.send(number) }
    }

    private let scheduler = VirtualScheduler()
    private let reports = Record<[String]>()

    /// Two components that have one trace. Each answers an input below `limit` by sending its successor to the other
    /// one.
    private func sendingToEachOther(
        until limit: Int, maximumGrowth: Int, wait: @escaping @Sendable (VirtualClock) async throws -> Void
    ) -> [Component<Int, Int>] {
        let addresses = [Address(), Address()]
        let (clock, executor) = (scheduler.clock, scheduler.executor)
        let trace = trace(maximumGrowth: maximumGrowth)
        let components = [0, 1].map { index in
            Component(
                initialState: 0, environment: addresses[1 - index], executor: executor, trace: trace,
                dispatcher: StateDispatcher<Address, Int, Int>.effectful { number in
                    EnvIO { other async throws in
                        try await wait(clock)
                        if number < limit { other.send(number + 1) }
                        return .set(number)
                    }
                })
        }
        for (address, component) in zip(addresses, components) { address.set(component) }
        components[0].send(1)
        scheduler.drain()
        return components
    }

    private func trace(maximumGrowth: Int) -> Trace {
        struct Reports: TraceSink {
            let reports: Record<[String]>

            func receive(_ event: TraceEvent) {
                if case .endlessChain(let messages) = event.kind { reports.append(messages.map(\.description)) }
            }
        }
        return Trace(
            to: Reports(reports: reports), snapshots: false, maximumGrowth: maximumGrowth, clock: scheduler.clock)
    }

    @Test("An endless chain between two components is reported once, and nothing is dropped")
    func endless() {
        let components = sendingToEachOther(until: 1_000, maximumGrowth: 100) { _ in await Task.yield() }
        #expect(components.map(\.state) == [999, 1_000])
        #expect(reports.values == [(87...102).map(String.init)])
    }

    @Test("An action that polls every ten milliseconds for an hour is not reported")
    func poll() {
        #if DEBUG
            let seconds = 360
        #else
            let seconds = 3_600
        #endif
        let components = sendingToEachOther(until: seconds * 100, maximumGrowth: 1_000) {
            try await $0.sleep(for: .milliseconds(10))
        }
        scheduler.advance(by: .seconds(seconds))
        #expect(components.map(\.state) == [seconds * 100 - 1, seconds * 100])
        #expect(reports.values.isEmpty)
    }

    @Test("A chain that grows faster than that after an hour is reported")
    func later() {
        scheduler.advance(by: .seconds(3_600))
        _ = sendingToEachOther(until: 1_000, maximumGrowth: 100) { _ in await Task.yield() }
        #expect(reports.values.count == 1)
    }

    /// What a chain goes through.
    enum Way: CaseIterable { case synchronousActions, ownTasks, asynchronousActions, subscriptions }

    @Test(
        "A chain of an action's tasks, of observed actions, and of subscriptions is reported, but not without tasks",
        arguments: Way.allCases)
    func ways(way: Way) {
        let address = Address()
        let executor = scheduler.executor
        let dispatcher: StateDispatcher<Address, Int, Int> =
            switch way {
            case .synchronousActions:
                .effectful { number in
                    EnvIO { own throws in
                        if number < 1_000 { own.send(number + 1) }
                        return .set(number)
                    }
                }
            case .ownTasks:
                .effectful { number in
                    EnvIO { own throws in
                        if number < 1_000 { Task(executorPreference: executor) { own.send(number + 1) } }
                        return .set(number)
                    }
                }
            case .asynchronousActions:
                .effectful { number in
                    EnvIO { _ async in
                        await Task.yield()
                        return .set(number)
                    }
                }
            case .subscriptions: .pure { number in .set(number) }
            }
        let component = Component(
            initialState: 0, environment: address, executor: executor, trace: trace(maximumGrowth: 100),
            dispatcher: dispatcher,
            subscriptions: { number in
                way == .subscriptions && number < 1_000 ? [.run(id: number) { _, send in send(number + 1) }] : []
            })
        address.set(component)
        component.observe { [weak component] number in
            if way == .asynchronousActions, (1..<1_000).contains(number) { component?.send(number + 1) }
        }
        if way != .subscriptions { component.send(1) }
        scheduler.drain()
        #expect(component.state == 1_000)
        #expect(reports.values.count == (way == .synchronousActions ? 0 : 1))
    }
}
