import Effects
import FunctionalCore

/// All posts are wanted.
package struct ListPosts: Question, Equatable {
    package var request: Request { .list }

    package init() {}
}

/// All posts there are.
package struct PostsListed: Answer, Equatable {
    package let posts: [Post]
    package var request: Request { .list }

    package init(posts: [Post]) {
        self.posts = posts
    }
}

/// Of two lists nobody wants the older.
package let listPostsEffect = Effect<PostsAPI> { actions, api in
    actions
        .ofType(ListPosts.self)
        .flatMap(.latest) { question in
            await question.answered { PostsListed(posts: try await api.list()) }
        }
}
