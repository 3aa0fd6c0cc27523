import Effects
import FunctionalCore

/// A request for one post.
package struct ShowPost: Question, Equatable {
    package let id: Int
    package var request: Request { .show(id: id) }

    package init(id: Int) {
        self.id = id
    }
}

/// The server returned the post.
package struct PostShown: Answer, Equatable {
    package let id: Int
    package let post: Post
    package var request: Request { .show(id: id) }

    package init(id: Int, post: Post) {
        self.id = id
        self.post = post
    }
}

/// Shows a post, and cancels the previous request for one.
package var showPostEffect: Effect<PostsAPI> {
    Effect { actions, api in
        actions
            .ofType(ShowPost.self)
            .flatMap(.latest) { question in
                await question.answered { PostShown(id: question.id, post: try await api.show(question.id)) }
            }
    }
}
