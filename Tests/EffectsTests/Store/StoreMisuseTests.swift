import Effects
import FunctionalCore
import TestSupport
import Testing

/// Programmer errors trap with a message that names the remedy.
@Suite(.timeLimit(.minutes(10))) struct StoreMisuseTests {
    final class Link: @unchecked Sendable {
        // Unchecked: set before the first action and only read afterwards.
        weak var store: Store<Int>?
        var cancellations: [() -> Void] = []
    }

    private static func store(_ reduce: @escaping @Sendable (Store<Int>?, inout Int) -> Void) -> Store<Int> {
        let link = Link()
        let store = Store(reducer: { (state: inout Int, _) in reduce(link.store, &state) }, initialState: 0)
        link.store = store
        return store
    }

    @Test("12. An action that a reducer dispatches is enqueued, and no update is lost")
    func dispatchingFromAReducer() {
        let store = Self.store { store, state in
            if state == 0 { store?.dispatch(action: Add(amount: 2)) }
            state += 1
        }
        store.dispatch(action: Increment())
        #expect(store.state == 2)
    }

    @Test("12. A reducer may release a value that dispatches when it is deallocated")
    func dispatchingFromADeinit() {
        struct Screen: Sendable {
            var part: Witness?
            var count = 0
        }
        let store = Store<Screen>(
            reducer: { screen, action in
                screen.count += 1
                if action is Increment { screen.part = nil }
            }, initialState: Screen())
        store.register(Effect(dispatch: false) { $0 })
        store.dispatch(action: Acknowledged())
        let log = Log()
        store.observe { log.append("\($0.count)") }
        let owner = Store<Screen>(
            reducer: { screen, _ in screen.part = nil },
            initialState: Screen(part: Witness { [weak store] in store?.dispatch(action: Increment()) }))
        owner.dispatch(action: Increment())
        #expect(store.state.count == 2)

        let link = Guarded<Store<Screen>?>(nil)
        let own = Store<Screen>(
            reducer: { screen, action in
                screen.count += 1
                if action is Increment { screen.part = nil }
            },
            initialState: Screen(part: Witness { link.withLock { $0 }?.dispatch(action: Add(amount: 1)) }))
        link.withLock { $0 = own }
        own.dispatch(action: Increment())
        #expect(own.state.count == 2)
        link.withLock { $0 = nil }
    }

    @Test(.promptly) func readingTheStateFromAReducerTraps() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.store { store, state in state = store?.state ?? 0 }.dispatch(action: Increment())
        }
        let message = result.standardErrorText
        #expect(message.contains("Store<Int> was asked for its state from inside one of its own transitions."))
    }

    @Test("Observing in a reducer traps, and cancelling in a reducer does not", .promptly)
    func changingTheStoreFromAReducer() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.store { store, _ in store?.observe { _ in } }.dispatch(action: Increment())
        }
        #expect(result.standardErrorText.contains("Store<Int> was observed from"))
        await #expect(processExitsWith: .success) {
            let link = Link()
            let store = Store(
                reducer: { (_: inout Int, _) in for cancel in link.cancellations { cancel() } }, initialState: 0)
            let effect = store.register(
                Effect(dispatch: false) { actions in actions.handleEvents { _ in fatalError() } })
            let observer = store.observe { if $0 != 0 { fatalError() } }
            let middleware = store.add(Middleware { action, _, next in next(action) })
            link.cancellations = [effect.cancel, observer.cancel, middleware.cancel]
            store.dispatch(action: Increment())
        }
    }
}
