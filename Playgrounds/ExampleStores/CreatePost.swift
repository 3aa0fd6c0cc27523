import Effects
import FunctionalCore

/// A request to create a post.
package struct CreatePost: Question, Equatable {
    package let draft: Draft
    package var request: Request { .create(draft) }

    package init(draft: Draft) {
        self.draft = draft
    }
}

/// The post was created.
package struct PostCreated: Answer, Equatable {
    package let draft: Draft
    package let post: Post
    package var request: Request { .create(draft) }

    package init(draft: Draft, post: Post) {
        self.draft = draft
        self.post = post
    }
}

/// Creates posts one after the other, so that the server numbers them in order.
package var createPostEffect: Effect<PostsAPI> {
    Effect { actions, api in
        actions
            .ofType(CreatePost.self)
            .flatMap(.queued) { question in
                await question.answered {
                    PostCreated(draft: question.draft, post: try await api.create(question.draft))
                }
            }
    }
}
