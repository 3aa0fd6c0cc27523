import ArchitectureTesting
import Effects
import Observation
import TestSupport
import Testing
import VirtualTime

@Suite(.timeLimit(.minutes(10))) struct MockStoreTests {
    private let mock = MockStore(state: Posts(title: "at first"))

    @Test("68. A mock's first state is seen, and dispatching records and reduces nothing")
    func recordsAndDoesNotReduce() {
        #expect(mock.store.state == Posts(title: "at first"))
        mock.store.dispatch(action: GetPost())
        #expect(mock.store.state == Posts(title: "at first"))
        #expect(mock.dispatchedActions as? [GetPost] == [GetPost()])
    }

    @Test("68, 70. A state that is set reaches selections at once, and is what selectors see until another is set")
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

    @Test("68. That the state is set is no action: effects are told nothing, and nothing is recorded")
    func settingIsNoAction() {
        let seen = Record<String>()
        mock.store.register(Effect(dispatch: false) { actions in actions.handleEvents { seen.append("\($0)") } })
        mock.setState(Posts())
        #expect(seen.values.isEmpty)
        #expect(mock.dispatchedActions.isEmpty)
    }

    @Test("68. Observation is told that the state was set")
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

    @Test("68. Effects of a mock run, and what they dispatch is recorded, and not reduced", arguments: [false, true])
    func effectsRun(_ isRegisteredLater: Bool) {
        let mock = MockStore(state: Posts(), effects: isRegisteredLater ? [] : [answering])
        if isRegisteredLater { mock.store.register(answering) }
        mock.store.dispatch(action: GetPost(id: "7"))
        #expect(mock.dispatchedActions.map { "\(type(of: $0))" } == ["GetPost", "GotPost", "Shown"])
        #expect((mock.dispatchedActions[1] as? GotPost)?.title == "post 7")
        #expect(mock.store.state == Posts())
    }

    @Test("68. Tasks of a mock's effects run on its executor")
    func effectsThatWait() {
        let scheduler = VirtualScheduler()
        let mock = MockStore(state: Posts(), effects: [fetching(scheduler.clock)], executor: scheduler.executor)
        mock.store.dispatch(action: GetPost())
        scheduler.advance(by: .seconds(1))
        #expect(mock.dispatchedActions.map { "\(type(of: $0))" } == ["GetPost", "GotPost"])
    }

    @Test("69. All actions are in the log, in order, at every reading")
    func theLogIsAnArray() {
        for id in ["1", "2", "3"] { mock.store.dispatch(action: GetPost(id: id)) }
        #expect(mock.dispatchedActions as? [GetPost] == ["1", "2", "3"].map { GetPost(id: $0) })
        #expect(mock.dispatchedActions.count == 3)
    }
}
