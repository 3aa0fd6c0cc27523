import Dispatcher
import FunctionalCore
import TestSupport
import Testing

private struct Pair: Equatable, Sendable { var left = 0, right = 0 }
private enum Side: Sendable { case left, right }

@Suite("Component: observers without the initial state", .timeLimit(.minutes(10)))
struct ObserveInitialTests {
    private let component = Component(
        initialState: Pair(left: 1), environment: (),
        dispatcher: StateDispatcher<Void, Pair, Side>.pure { side in
            switch side {
            case .left: .update { $0.left += 1 }
            case .right: .update { $0.right += 1 }
            }
        })

    @Test("The first call is that after the next action")
    func whole() {
        let log = Record<Pair>()
        component.observe(initial: false) { log.append($0) }
        #expect(log.values.isEmpty)
        component.send(.left)
        component.send(.right)
        #expect(log.values == [Pair(left: 2), Pair(left: 2, right: 1)])
    }

    @Test("The first call of an observer of a part is that after the part has changed")
    func part() {
        let (log, scoped) = (Record<Int>(), Record<Int>())
        component.observe(\.left, initial: false) { log.append($0) }
        component.scope(state: \.left) { (side: Side) in side }
            .observe(initial: false) { scoped.append($0) }
        component.send(.right)
        #expect(log.values.isEmpty)
        #expect(scoped.values.isEmpty)
        component.send(.left)
        component.send(.right)
        component.send(.left)
        #expect(log.values == [2, 3])
        #expect(scoped.values == [2, 3])
    }

    @MainActor
    @Test("An observer with an owner is not called with the current state")
    func owner() {
        let (log, scoped) = (Record<Int>(), Record<Int>())
        do {
            let owner = Witness()
            component.observe(with: owner, initial: false) { log.append($1.left) }
            component.scope(state: \.left) { (side: Side) in side }
                .observe(with: owner, initial: false) { scoped.append($1) }
            component.send(.left)
        }
        component.send(.left)
        #expect(log.values == [2])
        #expect(scoped.values == [2])
    }

    @Test("An observer that is registered during an action skips the state of this action alone")
    func nested() {
        let log = Record<Int>()
        component.observe { [weak component] state in
            if state.left == 2 { component?.observe(initial: false) { log.append($0.left) } }
        }
        component.send(.left)
        #expect(log.values.isEmpty)
        component.send(.left)
        #expect(log.values == [3])
    }

    @MainActor
    @Test("An observer on the main actor is not called with the current state")
    func actor() async throws {
        let log = Record<Int>()
        component.observe(initial: false) { @MainActor state in log.append(state.left) }
        component.send(.left)
        try await component.settledIncludingObservers()
        #expect(log.values == [2])
    }
}
