// The code of the articles on effects.

import Effects
import Foundation
import FunctionalCore
import TestSupport
import Testing

@Suite("The articles on effects", .timeLimit(.minutes(10)))
struct EffectsExampleTests {
    @Test func effects() async throws {
        let log = Log()
        @Sendable func print(_ text: String) { log.append(text) }

        //@block Effects/Effects struct GetPost

        let lines = [#"The title is ""."#, #"The title is "post 1"."#]
        #expect(log.lines == lines)
        let page = try PackageFolder.text(of: "Sources/Effects/Documentation.docc/Effects.md")
        #expect(page.contains("```text\n\(lines.joined(separator: "\n"))\n```"))

        struct NotFound: Error {}
        let offline = Store(
            reducer: reducer, initialState: PostState(),
            environment: PostsAPI(title: { _ in throw NotFound() }), effects: [getPostEffect])
        offline.dispatch(action: GetPost(id: "1"))
        #expect(offline.state.isLoading)
        try await offline.settled()
        #expect(offline.state == PostState())

        //@block Effects/Effects var logging

        let other = Store(
            reducer: reducer, initialState: PostState(), environment: PostsAPI(title: { id in "post \(id)" }),
            effects: [logging.contramap { _ in }, answering])
        other.dispatch(action: GetPost(id: "2"))
        other.dispatch(action: GetPostError())
        try await other.settled()
        #expect(other.state == PostState(title: "post 2"))
        #expect(log.lines == lines + ["no post"])

        //@block Effects/Effects let summary
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

        //@block Effects/ComingFromReCombine private var cancellableSet
    }

    @Test @MainActor func comingFromReCombine() async {
        let reducers: ReducerFn<AppState> = on(PostDetailsView.GetPostSuccess.self) { state, success in
            state.post = success.post
        }
        //@block Effects/ComingFromReCombine let store

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

        //@block Effects/ComingFromReCombine var deleteEffect

        let store = Store(reducer: { _, _ in }, initialState: 0, effects: [deleteEffect])
        store.dispatch(action: DeleteDocument(id: "1"))
        #expect(log.lines == ["Document 1 deleted."])
    }

    @MainActor private final class Alerts {
        typealias GetPostError = PostDetailsView.GetPostError
        var showAlert = false

        func listen(to store: Store<AppState>) {
            //@block Effects/ComingFromReCombine let showAlertOnError
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
            //@block Effects/ComingFromReCombine let actionsWhitelist
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

    //@block Effects/ComingFromReCombine static var getPostEffect
}
