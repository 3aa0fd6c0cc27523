// The README's code on stores.

import Effects
import FunctionalCore
import TestSupport
import Testing

@Suite("README: stores", .timeLimit(.minutes(10)))
struct ReadmeStoreExampleTests {

    @Test func store() async throws {
        struct GetPost: Action { let id: String }
        struct GotPost: Action { let title: String }

        struct PostsAPI: Sendable { var title: @Sendable (String) async -> String }

        struct Posts: Equatable, Sendable { var title = "" }

        let posts: ReducerFn<Posts> = on(GotPost.self) { posts, got in posts.title = got.title }

        let getPost = Effect<PostsAPI> { actions, api in
            actions
                .ofType(GetPost.self)
                .flatMap(.latest) { get in GotPost(title: await api.title(get.id)) }
                .eraseActionType()
        }

        let store = Store(
            reducer: posts, initialState: Posts(), environment: PostsAPI { id in "Post \(id)" }, effects: [getPost])
        store.select(\.title).observe { title in print(title) }
        store.dispatch(action: GetPost(id: "1"))
        try await store.settledIncludingObservers()  // "Post 1" has been printed

        #expect(store.state.title == "Post 1")
    }
}
