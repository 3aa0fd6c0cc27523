import Effects
import FunctionalCore
import TestSupport
import Testing

/// Mistakes stop the process with a message that says how to mend them.
@Suite struct StoreMisuseTests {
    final class Link: @unchecked Sendable {
        // Unchecked: set before the first action and only read afterwards.
        var store: Store<Int>?
        var cancellations: [() -> Void] = []
    }

    private static func store(_ reduce: @escaping @Sendable (Store<Int>?, inout Int) -> Void) -> Store<Int> {
        let link = Link()
        let store = Store(reducer: { (state: inout Int, _) in reduce(link.store, &state) }, initialState: 0)
        link.store = store
        return store
    }

    @Test("12. Dispatching from inside a reducer stops with a message, and is never an update that is lost", .promptly)
    func dispatchingFromAReducer() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.store { store, _ in store?.dispatch(action: Add(amount: 2)) }.dispatch(action: Increment())
        }
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("Store<Int> was sent Add(amount: 2) from inside one of its own transitions."))
        #expect(message.contains("To fix, use the state that the transition is given"))
    }

    @Test(.promptly) func readingTheStateFromAReducer() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.store { store, state in state = store?.state ?? 0 }.dispatch(action: Increment())
        }
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("Store<Int> was asked for its state from inside one of its own transitions."))
    }

    @Test("Observing, registering and unregistering from inside a reducer stop as well; cancelling does not", .promptly)
    func changingTheStoreFromAReducer() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.store { store, _ in store?.observe { _ in } }.dispatch(action: Increment())
        }
        #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("Store<Int> was sent an effect"))
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
