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
        #expect(errors.values.first?.hasPrefix("1, 16, An observer of Component<Int, Int> answers") == true)
        // The handle of the dropped input finishes and reports cancellation.
        for handle in handles.values { await handle.finish() }
        #expect(handles.values.map(\.isCancelled) == Array(repeating: false, count: 101) + [true])
        component.send(-102)
        #expect(component.state == 0)
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
}
