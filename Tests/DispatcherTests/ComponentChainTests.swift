import Dispatcher
import FunctionalCore
import TestSupport
import Testing

/// Inputs that follow from one another without end.
@Suite("Component: chains", .timeLimit(.minutes(1)))
struct ComponentChainTests {
    private static let adding = StateDispatcher<Void, Int, Int>.pure { number in .update { $0 += number } }

    private func component(maximumChain: Int) -> Component<Int, Int> {
        Component(initialState: 0, environment: (), maximumChain: maximumChain, dispatcher: Self.adding)
    }

    @Test("An observer that answers each state with an input is stopped and reported; the component goes on")
    func observer() async {
        let component = component(maximumChain: 100)
        let handles = Record<Dispatched>()
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
                when something has changed, or raise maximumChain if a chain of this length is intended.
                """)
        // The dropped input has ended, and says that it was not done.
        for handle in handles.values { await handle.finish() }
        #expect(handles.values.map(\.isCancelled) == Array(repeating: false, count: 101) + [true])
        component.send(-102)
        #expect(component.state == 0)
    }

    @Test("A chain that nobody observes is written to standard error, and the process lives", .promptly)
    func unobserved() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let component = Component(
                initialState: 0, environment: (), maximumChain: 3,
                dispatcher: StateDispatcher<Void, Int, Int>.pure { number in .update { $0 += number } })
            component.observe { [weak component] state in if state > 0 { component?.send(1) } }
            component.send(1)
            precondition(component.state == 5)
        }
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("An observer of Component<Int, Int> answers its own messages without end"))
    }

    @Test("Two components that answer each other are stopped")
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

    @Test("An action that sends its own input is stopped, and named as an action")
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
    }

    @Test("One observer that sends many inputs once is not stopped")
    func oneLargeAnswer() {
        let component = component(maximumChain: 10)
        component.observe { [weak component] state in
            if state == 1 { for _ in 0..<100_000 { component?.send(2) } }
        }
        component.send(1)
        #expect(component.state == 200_001)
    }

    @Test("Cancelling a registration costs the same beside any number of others")
    func cancelling() {
        let component = component(maximumChain: 10)
        func cost(of count: Int) -> Duration {
            let registrations = (0..<count).map { _ in component.observe { _ in } }
            return threadTime { for registration in registrations { registration.cancel() } }
        }
        _ = cost(of: 1_000)
        let (few, many) = (cost(of: 2_000), cost(of: 16_000))
        // Eight times as many; if each cancellation cost as much as there are observers, sixty-four times.
        #expect(many < few * 24)
    }
}
