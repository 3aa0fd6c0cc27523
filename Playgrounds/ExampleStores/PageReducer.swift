import Effects

/// Shows the last answer, and a blank page from the next question on. An answer that equals the previous one is
/// therefore a change, too.
package var pageReducer: ReducerFn<Page> {
    combineReducers(
        { page, action in if action is any Question { page = .blank } },
        on(PostsListed.self) { page, answer in page = .list(answer.posts) },
        on(PostShown.self) { page, answer in page = .post(answer.post) },
        on(PostCreated.self) { page, answer in page = .created(answer.post) },
        on(PostDeleted.self) { page, answer in page = .deleted(id: answer.id) }
    )
}
