// The code of the page on ArchitectureTesting.

import ArchitectureTesting
import Effects
import Loop
import Testing

private enum VoteEvent { case vote, saved }
private enum VoteEffect: Equatable { case save(Int) }

private var ballot: Update<Int, VoteEvent, VoteEffect> {
    Update { votes, event in
        switch event {
        case .vote: .next(votes + 1, effects: [.save(votes + 1)])
        case .saved: .noChange
        }
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
    //@block ArchitectureTesting/ArchitectureTesting @Test func aVoteIsSaved()

    //@block ArchitectureTesting/ArchitectureTesting @Test func savingAnswers()

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

    //@block ArchitectureTesting/ArchitectureTesting @Test func refreshingAsksForThePost()

    //@block ArchitectureTesting/ArchitectureTesting @Test func aPostIsFetched()

    //@block ArchitectureTesting/ArchitectureTesting @Test func thePageShowsThePost()

    //@block ArchitectureTesting/ArchitectureTesting private var gate

    @Test func aMockStoreRecordsTheActionsThatAMiddlewarePassesOn() {
        let mock = MockStore(state: Page(title: "post 1"))
        mock.store.add(gate)
        mock.store.dispatch(action: GetPost(id: "2"))
        mock.store.dispatch(action: GotPost(title: "post 3"))
        #expect(mock.dispatchedActions as? [GotPost] == [GotPost(title: "post 3")])
    }
}
