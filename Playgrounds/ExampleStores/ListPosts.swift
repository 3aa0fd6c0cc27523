import Effects
import FunctionalCore

/// A request for all posts.
package struct ListPosts: Question, Equatable {
    package var request: Request { .list }

    package init() {}
}

/// The server listed all posts.
package struct PostsListed: Answer, Equatable {
    package let posts: [Post]
    package var request: Request { .list }

    package init(posts: [Post]) {
        self.posts = posts
    }
}

/// Lists posts, and cancels the previous listing.
package var listPostsEffect: Effect<PostsAPI> {
    Effect { actions, api in
        actions
            .ofType(ListPosts.self)
            .flatMap(.latest) { question in
                await question.answered { PostsListed(posts: try await api.list()) }
            }
    }
}
