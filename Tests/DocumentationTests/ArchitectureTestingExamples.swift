// The code of the page on ArchitectureTesting.

import ArchitectureTesting
import Effects
import Loop
import Testing

private enum VoteEvent { case vote, saved }
private enum VoteEffect: Equatable { case save(Int) }

private let ballot = Update<Int, VoteEvent, VoteEffect> { votes, event in
    switch event {
    case .vote: .next(votes + 1, effects: [.save(votes + 1)])
    case .saved: .noChange
    }
}

private struct Saver: EffectHandler {
    func handle(_ votes: Int, _ callback: EffectCallback<VoteEvent>) -> any Disposable {
        callback.end(with: .saved)
        return EmptyDisposable()
    }
}

@Suite("The page on ArchitectureTesting", .timeLimit(.minutes(10)))
struct ArchitectureTestingExampleTests {
    @Test func aVoteIsSaved() {
        UpdateSpec(ballot)
            .given(2)
            .when(.vote)
            .then(assertThatNext(hasModel(3), hasOnlyEffects([.save(3)])))
    }

    @Test func savingAnswers() {
        HandlerSpec.given(Saver()).when(3).expect(.saved).expectHandlings(.ended)
    }

    private struct Page: Equatable {
        var isLoading = false
        var title: String?
    }

    private struct GetPost: Action, Equatable { let id: String }
    private struct GotPost: Action, Equatable { let title: String }

    private let page: ReducerFn<Page> = combineReducers(
        on(GetPost.self) { page, _ in page.isLoading = true },
        on(GotPost.self) { page, got in page = Page(title: got.title) }
    )
    private let getPost = Effect.map(GetPost.self) { get in GotPost(title: "post \(get.id)") }

    private func refresh(_ store: Store<Page>) {
        store.dispatch(action: GetPost(id: "1"))
    }

    @Test func refreshingAsksForThePost() {
        let mock = MockStore(state: Page())
        refresh(mock.store)
        #expect(mock.dispatchedActions as? [GetPost] == [GetPost(id: "1")])
    }

    @Test func aPostIsFetched() {
        let answers = EffectRunner(getPost).run(GetPost(id: "1"), expecting: 1)
        #expect(answers as? [GotPost] == [GotPost(title: "post 1")])
    }

    @Test func thePageShowsThePost() {
        let test = TestStore(reducer: page, state: Page(), effects: [getPost])
        test.send(GetPost(id: "1")) { $0.isLoading = true }
        test.receive(GotPost(title: "post 1")) { $0 = Page(title: "post 1") }
        test.finish()
    }

    private let gate = Middleware<Page> { action, store, next in
        if action is GetPost, store.state.title != nil { return }  // already there
        next(action)
    }

    @Test func aKnownPostIsNotRequested() {
        let test = TestStore(reducer: page, state: Page(title: "post 1"), effects: [getPost], middleware: [gate])
        test.send(GetPost(id: "2"))
        test.finish()
    }

    @Test func aMockStoreRecordsTheActionsThatAMiddlewarePassesOn() {
        let mock = MockStore(state: Page(title: "post 1"))
        mock.store.add(gate)
        mock.store.dispatch(action: GetPost(id: "2"))
        mock.store.dispatch(action: GotPost(title: "post 3"))
        #expect(mock.dispatchedActions as? [GotPost] == [GotPost(title: "post 3")])
    }
}
