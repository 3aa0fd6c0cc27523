import Effects

/// A request to delete a post.
package struct DeletePost: Question, Equatable {
    package let id: Int
    package var request: Request { .delete(id: id) }

    package init(id: Int) {
        self.id = id
    }
}

/// The post was deleted.
package struct PostDeleted: Answer, Equatable {
    package let id: Int
    package var request: Request { .delete(id: id) }

    package init(id: Int) {
        self.id = id
    }
}

/// Deletes posts concurrently, because deletions are independent.
package var deletePostEffect: Effect<PostsAPI> {
    Effect { actions, api in
        actions
            .ofType(DeletePost.self)
            .flatMap { question in
                await question.answered {
                    try await api.delete(question.id)
                    return PostDeleted(id: question.id)
                }
            }
    }
}
