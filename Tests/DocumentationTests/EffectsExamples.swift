// The code of the articles on effects.

import Effects
import Foundation
import FunctionalCore
import TestSupport
import Testing

@Suite("The articles on effects", .timeLimit(.minutes(10)))
struct EffectsExampleTests {
    private struct API: Sendable {
        struct NotFound: Error {}
        let log = Log()

        func title(of id: String) async throws -> String {
            if id.isEmpty { throw NotFound() }
            return "post \(id)"
        }
    }

    @Test func effects() async {
        let api = API()
        @Sendable func print(_ text: String) { api.log.append(text) }

        struct GetPost: Action { let id: String }
        struct GetPostSuccess: Action { let title: String }
        struct GetPostError: Action {}

        struct PostState: Equatable {
            var isLoading = false
            var title = ""
        }

        let reducer: ReducerFn<PostState> = combineReducers(
            on(GetPost.self) { state, _ in state.isLoading = true },
            on(GetPostSuccess.self) { state, success in state = PostState(title: success.title) },
            on(GetPostError.self) { state, _ in state.isLoading = false }
        )

        let getPostEffect = Effect { actions in
            actions
                .ofType(GetPost.self)
                .flatMap { get in
                    ActionStream<any Action> { GetPostSuccess(title: try await api.title(of: get.id)) }
                        .replaceError(with: GetPostError())
                }
        }

        let store = Store(reducer: reducer, initialState: PostState(), effects: [getPostEffect])
        store.select(\.title).observe { title in print("title: \(title)") }
        store.dispatch(action: GetPost(id: "1"))  // prints "title: post 1" after the request

        _ = await store.states().first { $0.title == "post 1" }
        #expect(api.log.lines == ["title: ", "title: post 1"])
        store.dispatch(action: GetPost(id: ""))
        _ = await store.states().first { !$0.isLoading }
        #expect(store.state == PostState(title: "post 1"))

        let logging = Effect.run(on: GetPostError.self) { _ in print("no post") }
        let answering = Effect.map(GetPost.self, .latest) { get in
            GetPostSuccess(title: try await api.title(of: get.id))
        }

        struct Tapped: Action {}
        let other = Store(reducer: reducer, initialState: PostState(), effects: [logging, answering])
        other.dispatch(action: GetPost(id: "2"))
        #expect(await other.states().first { $0.title != "" } == PostState(title: "post 2"))

        let summary = createSelector(\PostState.title, \.isLoading) { title, isLoading in
            isLoading ? "…" : title
        }
        #expect(summary(PostState(title: "a")) == "a")
    }

    @MainActor private final class UILabel {
        var text: String?
    }

    fileprivate struct AppState: Equatable {
        var post: Post?
    }

    @MainActor private final class PostDetailsViewController {
        let store: Store<AppState>
        let (titleLabel, bodyLabel) = (UILabel(), UILabel())
        let postId = "1"

        init(store: Store<AppState>) {
            self.store = store
        }

        private var cancellableSet: Set<ScopedRegistration> = []

        func viewDidLoad() {
            store.dispatch(action: PostDetailsView.GetPost(id: postId))
            store.select(selectPostDetailsTitle)
                .assign(to: \.text, on: titleLabel)
                .store(in: &cancellableSet)
            store.select(selectPostDetailsBody)
                .assign(to: \.text, on: bodyLabel)
                .store(in: &cancellableSet)
        }
    }

    @Test @MainActor func comingFromReCombine() async {
        let reducers: ReducerFn<AppState> = on(PostDetailsView.GetPostSuccess.self) { state, success in
            state.post = success.post
        }
        let store = Store(reducer: reducers, initialState: AppState(), effects: [PostDetailsView.getPostEffect])

        let controller = PostDetailsViewController(store: store)
        controller.viewDidLoad()
        _ = await store.states().first { @Sendable in $0.post != nil }
        await Task { @MainActor in }.value
        #expect(controller.titleLabel.text == "A title")
        #expect(controller.bodyLabel.text == "A body")
    }

    fileprivate struct DeleteDocument: Action { let id: String }

    @Test func deleting() {
        let log = Log()
        @Sendable func print(_ text: String) { log.append(text) }

        let deleteEffect = Effect(dispatch: false) { actions in
            actions
                .ofType(DeleteDocument.self)
                .handleEvents(receiveOutput: { action in print("Document \(action.id) deleted.") })
                .eraseActionType()
        }

        let store = Store(reducer: { _, _ in }, initialState: 0, effects: [deleteEffect])
        store.dispatch(action: DeleteDocument(id: "1"))
        #expect(log.lines == ["Document 1 deleted."])
    }

    @MainActor private final class Alerts {
        typealias GetPostError = PostDetailsView.GetPostError
        var showAlert = false

        func listen(to store: Store<AppState>) {
            let showAlertOnError = Effect(dispatch: false) { actions in
                actions.ofType(GetPostError.self)
                    .handleEvents(receiveOutput: { [weak self] _ in
                        self?.showAlert = true
                    })
                    .eraseActionType()
            }
            store.register(showAlertOnError)
        }
    }

    @Test @MainActor func alerts() {
        let store = Store(reducer: { _, _ in }, initialState: AppState(), effects: [])
        let alerts = Alerts()
        alerts.listen(to: store)
        store.dispatch(action: PostDetailsView.GetPostError())
        #expect(alerts.showAlert)
    }

    private struct Action1: Action {}
    private struct Action2: Action {}
    private struct Action3: Action {}
    private struct Action4: Action {}
    private struct Action5: Action {}
    private struct Action6: Action {}
    private struct Action7: Action {}
    private struct Action8: Action {}

    @Test func whitelist() {
        let log = Log()
        let effect = Effect(dispatch: false) { actions in
            let actionsWhitelist = actions.ofTypes(
                Action1.self, Action2.self, Action3.self, Action4.self,
                Action5.self, Action6.self, Action7.self, Action8.self
            )
            return actionsWhitelist.handleEvents { log.append("\(type(of: $0))") }
        }
        let store = Store(reducer: { _, _ in }, initialState: 0, effects: [effect])
        for action in [Action8(), DeleteDocument(id: ""), Action1()] as [any Action] { store.dispatch(action: action) }
        #expect(log.lines == ["Action8", "Action1"])
    }
}

private struct Post: Codable, Equatable {
    let title: String
    let body: String
}

private let selectPostDetailsTitle = createSelector(\EffectsExampleTests.AppState.post) { $0?.title ?? "" }
private let selectPostDetailsBody = createSelector(\EffectsExampleTests.AppState.post) { $0?.body ?? "" }

/// Stands for the type of Foundation with this name.
private struct URLSession {
    static let shared = URLSession()

    func data(from url: URL) async throws -> (Data, Void) {
        (Data(#"{"title": "A title", "body": "A body"}"#.utf8), ())
    }
}

private enum PostDetailsView {
    struct GetPost: Action { let id: String }
    struct GetPostSuccess: Action { let post: Post }
    struct GetPostError: Action {}

    static let getPostEffect = Effect { actions in
        actions
            .ofType(GetPost.self)
            .flatMap(getPostAPI)
    }

    static func getPostAPI(action: GetPost) -> ActionStream<any Action> {
        guard let url = URL(string: "https://jsonplaceholder.typicode.com/posts/\(action.id)") else {
            return .just(GetPostError())
        }
        return ActionStream {
            let (data, _) = try await URLSession.shared.data(from: url)
            return GetPostSuccess(post: try JSONDecoder().decode(Post.self, from: data))
        }
        .replaceError(with: GetPostError())
    }
}
