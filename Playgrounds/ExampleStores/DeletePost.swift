import Effects

/// A post is to be deleted.
package struct DeletePost: Question, Equatable {
    package let id: Int
    package var request: Request { .delete(id: id) }

    package init(id: Int) {
        self.id = id
    }
}

/// It was deleted.
package struct PostDeleted: Answer, Equatable {
    package let id: Int
    package var request: Request { .delete(id: id) }

    package init(id: Int) {
        self.id = id
    }
}

/// All at the same time: none has to do with another.
package let deletePostEffect = Effect<PostsAPI> { actions, api in
    actions
        .ofType(DeletePost.self)
        .flatMap { question in
            await question.answered {
                try await api.delete(question.id)
                return PostDeleted(id: question.id)
            }
        }
}
