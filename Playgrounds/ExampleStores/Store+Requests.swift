import Effects

extension Store<PostsState> {
    /// Registers the effects that send requests to a server.
    package func startRequests(to api: PostsAPI) {
        let effects = [listPostsEffect, showPostEffect, createPostEffect, deletePostEffect]
        register(effects.map { $0.provide(api) }, as: Requests())
    }

    /// Cancels all requests in progress. Questions have no effect until requests are started again.
    package func stopRequests() {
        unregister(Requests())
        dispatch(action: RequestsStopped())
    }

    /// Waits until no request is in progress and all observers and effects have been notified.
    package func settled() async {
        for await isIdle in select(selectIsIdle).values() where isIdle { break }
        // Observers are notified before effects, such as an alert.
        await caughtUp()
    }

    /// Waits until all observers and effects have been notified of the actions dispatched before, on any thread.
    package func caughtUp() async {
        // A new subscriber is notified in turn, after them.
        for await _ in states() { break }
    }
}

/// The name of the group of effects that make requests.
private struct Requests: Hashable {}
