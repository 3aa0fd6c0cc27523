import ArchitectureTesting
import Effects
import Observation
import TestSupport
import Testing
import VirtualTime

@Suite(.timeLimit(.minutes(10))) struct MockStoreTests {
    private let mock = MockStore(state: Posts(title: "at first"))

    @Test("68. A mock store has its initial state, and records actions without reducing them")
    func recordsAndDoesNotReduce() {
        #expect(mock.store.state == Posts(title: "at first"))
        mock.store.dispatch(action: GetPost())
        #expect(mock.store.state == Posts(title: "at first"))
        #expect(mock.dispatchedActions as? [GetPost] == [GetPost()])
    }

    @Test("68, 70. Selections follow only the states that are set, and at once")
    func settingTheState() {
        let title = createSelector(\Posts.title, \.isLoading) { title, isLoading in isLoading ? "…" : title ?? "none" }
        let titles = Record<String>()
        mock.store.select(title).observe { titles.append($0) }
        mock.setState(Posts(isLoading: true))
        #expect(titles.values == ["at first", "…"])
        mock.store.dispatch(action: GotPost(title: "a"))
        mock.setState(Posts(isLoading: true, title: "b"))
        #expect(titles.values == ["at first", "…"])
        mock.setState(Posts())
        #expect(titles.values == ["at first", "…", "none"])
        #expect(mock.store.state == Posts())
    }

    @Test("68. Setting the state neither notifies effects nor records an action")
    func settingIsNoAction() {
        let seen = Record<String>()
        mock.store.register(Effect(dispatch: false) { actions in actions.handleEvents { seen.append("\($0)") } })
        mock.setState(Posts())
        #expect(seen.values.isEmpty)
        #expect(mock.dispatchedActions.isEmpty)
    }

    @Test("68. Setting the state notifies Observation once")
    @MainActor func observation() {
        let changes = Record<Void>()
        withObservationTracking {
            _ = mock.store.state
        } onChange: {
            changes.append(())
        }
        mock.setState(Posts())
        #expect(changes.values.count == 1)
    }

    @Test("68. A mock store runs effects, and records their actions without reducing them", arguments: [false, true])
    func effectsRun(_ isRegisteredLater: Bool) {
        let mock = MockStore(state: Posts(), effects: isRegisteredLater ? [] : [answering])
        if isRegisteredLater { mock.store.register(answering) }
        mock.store.dispatch(action: GetPost(id: "7"))
        #expect(mock.dispatchedActions.map { "\(type(of: $0))" } == ["GetPost", "GotPost", "Shown"])
        #expect((mock.dispatchedActions[1] as? GotPost)?.title == "post 7")
        #expect(mock.store.state == Posts())
    }

    @Test("68. Tasks of a mock store's effects run on its executor")
    func effectsThatWait() {
        let scheduler = VirtualScheduler()
        let mock = MockStore(state: Posts(), effects: [fetching(scheduler.clock)], executor: scheduler.executor)
        mock.store.dispatch(action: GetPost())
        scheduler.advance(by: .seconds(1))
        #expect(mock.dispatchedActions.map { "\(type(of: $0))" } == ["GetPost", "GotPost"])
    }

    @Test("69. Each reading of the log returns all actions in order")
    func theLogIsAnArray() {
        for id in ["1", "2", "3"] { mock.store.dispatch(action: GetPost(id: id)) }
        #expect(mock.dispatchedActions as? [GetPost] == ["1", "2", "3"].map { GetPost(id: $0) })
        #expect(mock.dispatchedActions.count == 3)
    }
}
