import Effects
import FunctionalCore

/// A post is wanted.
package struct ShowPost: Question, Equatable {
    package let id: Int
    package var request: Request { .show(id: id) }

    package init(id: Int) {
        self.id = id
    }
}

/// A post that was wanted.
package struct PostShown: Answer, Equatable {
    package let id: Int
    package let post: Post
    package var request: Request { .show(id: id) }

    package init(id: Int, post: Post) {
        self.id = id
        self.post = post
    }
}

/// Who wants to see another post does not want to see the one before any more.
package let showPostEffect = Effect<PostsAPI> { actions, api in
    actions
        .ofType(ShowPost.self)
        .flatMap(.latest) { question in
            await question.answered { PostShown(id: question.id, post: try await api.show(question.id)) }
        }
}
