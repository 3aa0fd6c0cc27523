import Effects

/// How actions change what there is to see, and what is known of requests.
package let postsReducer = combineReducers(
    forKey(\PostsState.page, use: pageReducer),
    forKey(\PostsState.requests, use: requestsReducer),
    forKey(\PostsState.connection, use: connectionReducer),
    forKey(\PostsState.hasFailed, use: failureReducer)
)
