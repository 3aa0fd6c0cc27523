import Dispatcher
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Chains of inputs in which each input causes the next.
@Suite("Component: chains", .timeLimit(.minutes(10)))
struct ComponentChainTests {
    private static let adding = StateDispatcher<Void, Int, Int>.pure { number in .update { $0 += number } }

    private func component(maximumChain: Int) -> Component<Int, Int> {
        Component(initialState: 0, environment: (), maximumChain: maximumChain, dispatcher: Self.adding)
    }

    @Test("An observer's endless chain is stopped and reported; the component still works")
    func observer() async {
        let component = component(maximumChain: 100)
        let handles = Record<SendTask>()
        component.observe { [weak component] state in
            if state > 0, let handle = component?.send(1) { handles.append(handle) }
        }
        let errors = Record<String>()
        component.onError { error, input in
            if let error = error as? RunawayInput { errors.append("\(input), \(error.causes.count), \(error)") }
        }
        component.send(1)
        #expect(component.state == 102)
        #expect(errors.values.count == 1)
        #expect(
            errors.values.first == """
                1, 16, An observer of Component<Int, Int> answers its own messages without end, and was stopped after \
                100 of them: \(Array(repeating: "1", count: 16).joined(separator: " → ")). To fix, let it send only \
                when something has changed, or raise the maximum chain if a chain of this length is intended.
                """)
        // The handle of the dropped input finishes and reports cancellation.
        for handle in handles.values { await handle.finish() }
        #expect(handles.values.map(\.isCancelled) == Array(repeating: false, count: 101) + [true])
        component.send(-102)
        #expect(component.state == 0)
    }

    @Test("Without error observers, a stopped chain is logged to standard error", .promptly)
    func unobserved() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let component = Component(
                initialState: 0, environment: (), maximumChain: 3,
                dispatcher: StateDispatcher<Void, Int, Int>.pure { number in .update { $0 += number } })
            component.observe { [weak component] state in if state > 0 { component?.send(1) } }
            component.send(1)
            precondition(component.state == 5)
        }
        let message = result.standardErrorText
        #expect(message.contains("An observer of Component<Int, Int> answers its own messages without end"))
    }

    @Test("An endless chain between two components is stopped")
    func twoComponents() {
        let (first, second) = (component(maximumChain: 50), component(maximumChain: 50))
        first.observe { [weak second] state in if state > 0 { second?.send(1) } }
        second.observe { [weak first] state in if state > 0 { first?.send(1) } }
        let errors = Record<String>()
        first.onError { error, _ in errors.append("\(error)") }
        first.send(1)
        #expect(first.state == 52)
        #expect(errors.values.count == 1)
    }

    @Test("An action that sends its own input is stopped and reported as an action")
    func action() {
        let link = Record<Component<Int, Int>>()
        let component = Component(
            initialState: 0, environment: (), maximumChain: 10,
            dispatcher: StateDispatcher<Void, Int, Int>.effectful { number in
                EnvIO { _ in
                    link.values.first?.send(number)
                    return .update { $0 += number }
                }
            })
        link.append(component)
        let errors = Record<String>()
        component.onError { error, _ in errors.append("\(error)") }
        component.send(1)
        #expect(component.state == 12)
        #expect(errors.values.first?.hasPrefix("An action of Component<Int, Int>") == true)
        link.removeAll()
    }

    @Test("An observer that sends many inputs in one call is not stopped")
    func oneLargeAnswer() {
        let component = component(maximumChain: 10)
        component.observe { [weak component] state in
            if state == 1 { for _ in 0..<100_000 { component?.send(2) } }
        }
        component.send(1)
        #expect(component.state == 200_001)
    }

    @Test("Cancelling a registration is not linear in the number of observers", .countsSteps)
    func cancelling() {
        let component = component(maximumChain: 10)
        func cost(of count: Int) -> Int {
            let registrations = (0..<count).map { _ in component.observe { _ in } }
            return steps { for registration in registrations { registration.cancel() } }
        }
        // If each cancellation were O(n) in the number of observers, the exponent would be 2.
        #expect(growth(from: 100, to: 1_600, cost) < 1.2)
    }

    @Test("An action that sends many inputs within a short chain is not stopped")
    func oneLargeAnswerOfAnAction() {
        let link = Record<Component<Int, Int>>()
        let component = Component(
            initialState: 0, environment: (), maximumChain: 10,
            dispatcher: StateDispatcher<Void, Int, Int>.effectful { number in
                EnvIO { _ in
                    if number == 1 { link.values.first?.send(2) }
                    if number == 2, let component = link.values.first {
                        for _ in 0..<1_000 { component.send(10) }
                    }
                    return .update { $0 += number == 10 ? 1 : 0 }
                }
            })
        link.append(component)
        component.send(1)
        #expect(component.state == 1_000)
        link.removeAll()
    }

    @Test("An observer's endless chain through a subscription is stopped")
    func subscription() async throws {
        let scheduler = VirtualScheduler()
        let feed = Record<@Sendable (Int) -> Void>()
        let component = Component(
            initialState: 0, environment: (), executor: scheduler.executor, maximumChain: 100, dispatcher: Self.adding,
            subscriptions: { _ in
                [
                    .run(id: 1) { _, send in
                        feed.append(send)
                        try await scheduler.clock.sleep(for: .seconds(1))
                    }
                ]
            })
        scheduler.drain()
        let errors = Record<String>()
        component.onError { error, _ in errors.append("\(error)") }
        component.observe { state in if state > 0, state < 10_000 { feed.values[0](1) } }
        feed.values[0](1)
        #expect(component.state == 102)
        #expect(errors.values.count == 1)
        scheduler.advance(by: .seconds(1))
    }

    @Test("A maximumChain of zero stops the first answer of an observer to itself")
    func limitOfZero() {
        let component = component(maximumChain: 0)
        component.observe { [weak component] state in if state > 0 { component?.send(1) } }
        let errors = Record<String>()
        component.onError { error, _ in errors.append("\(error)") }
        component.send(1)
        #expect(component.state == 2)
        #expect(errors.values.count == 1)
    }

    @Test("An observer that is cancelled before its first notification is never called")
    func cancelledBeforeItsTurn() {
        let component = component(maximumChain: 10)
        let calls = Record<Int>()
        component.observe { [weak component] state in
            if state == 1 { component?.observe { calls.append($0) }.cancel() }
        }
        component.send(1)
        component.send(1)
        #expect(calls.values == [])
    }

    @MainActor
    @Test("An observer on the main actor is not called after its owner is deallocated")
    func ownerOnTheMainActor() async throws {
        let component = component(maximumChain: 10)
        var owner: Witness? = Witness()
        let calls = Record<Int>()
        component.observe(for: owner!) { @MainActor state in calls.append(state) }
        onThreads(1) { _ in component.send(1) }
        owner = nil
        try await component.settledIncludingObservers()
        #expect(calls.values == [0])
    }
}
