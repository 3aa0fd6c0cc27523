import Dispatcher
import FunctionalCore
import TestSupport
import Testing

/// Scopes that are created inline and not retained, as in the body of a view.
@MainActor
@Suite("Scope: tracking", .timeLimit(.minutes(10)))
struct ScopeTrackingTests {
    private struct Inner: Equatable, Sendable {
        var left = 0
        var right = 0
        var sum: Int { left + right }
    }

    private struct Outer: Equatable, Sendable {
        var inner = Inner()
        var other = 0
    }

    private enum Input: Sendable {
        case left, right, other, nothing
    }

    private let component = Component(
        initialState: Outer(), environment: (),
        dispatcher: StateDispatcher<Void, Outer, Input>.pure { input in
            switch input {
            case .left: .update { $0.inner.left += 1 }
            case .right: .update { $0.inner.right += 1 }
            case .other: .update { $0.other += 1 }
            case .nothing: .update { _ in }
            }
        })

    private func scope<Part: Equatable & Sendable>(
        _ part: any KeyPath<Outer, Part> & Sendable
    ) -> Scope<Part, Input> {
        component.scope(state: part, input: { $0 })
    }

    @Test("Tracking a temporary scope notifies once, and only when its part changes")
    func inlineScopes() {
        let tracking = Tracking { scope(\.inner).state }
        component.send(.other)
        component.send(.nothing)
        #expect(tracking.notifications == 0)
        component.send(.left)
        #expect(tracking.notifications == 1)
        component.send(.left)
        #expect(tracking.notifications == 1)
    }

    @Test("Tracking a nested scope notifies only when the inner part changes")
    func nestedScopes() {
        let (inline, outer) = (
            Tracking { scope(\.inner).scope(state: \.left, input: { (input: Input) in input }).state },
            scope(\.inner)
        )
        let kept = outer.scope(state: \.left, input: { (input: Input) in input })
        let tracking = Tracking { kept.state }
        component.send(.right)
        #expect(inline.notifications == 0)
        #expect(tracking.notifications == 0)
        kept.send(.left)
        #expect(inline.notifications == 1)
        #expect(tracking.notifications == 1)
    }

    @Test("Tracking a computed part notifies when its value changes")
    func computedParts() {
        let tracking = Tracking { scope(\.inner.sum).state }
        component.send(.other)
        #expect(tracking.notifications == 0)
        component.send(.right)
        #expect(tracking.notifications == 1)
    }

    @Test("Tracking component.state notifies on each action, even if it changes nothing")
    func wholeState() {
        let tracking = Tracking { component.state.other }
        component.send(.nothing)
        #expect(tracking.notifications == 1)
    }

    @Test("Tracking notifies of a change on another thread, also after an earlier such change")
    func otherThread() async {
        for _ in 1...2 {
            let tracking = Tracking { scope(\.inner.left).state }
            onThreads(1) { [component] _ in component.send(.left) }
            // The notification has been enqueued on the main actor.
            await Task { @MainActor in }.value
            #expect(tracking.notifications == 1)
        }
    }

    @Test("Repeated tracking ends with the last value when many threads send")
    func manyThreads() async {
        let reader = TrackingReader { [self] in scope(\.inner.left).state }
        await Task.detached { [component] in
            onThreads(8) { _ in
                for round in 0..<500 { component.send(round.isMultiple(of: 2) ? .left : .other) }
            }
        }.value
        await yield(until: { reader.values.last == 2_000 })
        #expect(reader.values.last == 2_000)
        #expect(reader.values == Array(Set(reader.values)).sorted(), "Each notification has a new value.")
    }

    @Test("Tracking a temporary scope retains neither the component nor its state")
    func componentsThatAreTracked() {
        struct Part: Equatable, Sendable {
            let held: Tracked
            static func == (left: Part, right: Part) -> Bool { left.held === right.held }
        }
        struct Holding: Sendable { var part: Part }
        let counter = Tracked.Counter()
        var component: Component<Holding, Int>? = Component(
            initialState: Holding(part: Part(held: Tracked(counter))), environment: (), dispatcher: .empty)
        weak let weakComponent = component
        let tracking = Tracking { component?.scope(state: \.part, input: { (input: Int) in input }).state }
        component = nil
        #expect(weakComponent == nil)
        #expect(counter.count == 0)
        #expect(tracking.notifications == 0)
    }

    @Test("Tracked reads of a scope are released after they have notified")
    func trackedReads() {
        struct Part: Equatable, Sendable {
            var held: Tracked
            static func == (left: Part, right: Part) -> Bool { left.held === right.held }
        }
        let counter = Tracked.Counter()
        let component = Component(
            initialState: Part(held: Tracked(counter)), environment: (),
            dispatcher: StateDispatcher<Void, Part, Void>.pure { _ in .update { $0.held = Tracked(counter) } })
        for _ in 0..<1_000 { _ = component.scope(state: \.self, input: { (input: Void) in input }).state }
        let tracking = Tracking { component.scope(state: \.self, input: { (input: Void) in input }).state }
        component.send(())
        #expect(tracking.notifications == 1)
        #expect(counter.count == 1)
    }
}
