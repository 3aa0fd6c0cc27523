import Effects
import FunctionalCore

/// Something is to be posted.
package struct CreatePost: Question, Equatable {
    package let draft: Draft
    package var request: Request { .create(draft) }

    package init(draft: Draft) {
        self.draft = draft
    }
}

/// It was posted.
package struct PostCreated: Answer, Equatable {
    package let draft: Draft
    package let post: Post
    package var request: Request { .create(draft) }

    package init(draft: Draft, post: Post) {
        self.draft = draft
        self.post = post
    }
}

/// One after the other, so that posts are numbered in the order in which they were written.
package let createPostEffect = Effect<PostsAPI> { actions, api in
    actions
        .ofType(CreatePost.self)
        .flatMap(.queued) { question in
            await question.answered { PostCreated(draft: question.draft, post: try await api.create(question.draft)) }
        }
}
