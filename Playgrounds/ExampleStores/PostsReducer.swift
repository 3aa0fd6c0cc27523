import Effects

/// Reduces the actions of posts into each part of the state.
package var postsReducer: ReducerFn<PostsState> {
    combineReducers(
        forKey(\PostsState.page, use: pageReducer),
        forKey(\PostsState.requests, use: requestsReducer),
        forKey(\PostsState.connection, use: connectionReducer),
        forKey(\PostsState.hasFailed, use: failureReducer)
    )
}
