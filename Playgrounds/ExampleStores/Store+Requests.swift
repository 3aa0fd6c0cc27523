import Effects

extension Store<PostsState> {
    /// Has questions put to a server from now on.
    package func startRequests(to api: PostsAPI) {
        let effects = [listPostsEffect, showPostEffect, createPostEffect, deletePostEffect]
        register(effects.map { $0.provide(api) }, as: Requests())
    }

    /// Cancels what is under way. No question is put until requests are started again.
    package func stopRequests() {
        unregister(Requests())
        dispatch(action: RequestsStopped())
    }

    /// Waits until nothing is under way, and everybody was told of it.
    package func settled() async {
        for await isIdle in select(selectIsIdle).values() where isIdle { break }
        // Observers are told before effects, such as an alert.
        await caughtUp()
    }

    /// Waits until everybody was told of what was dispatched before, by whichever thread that is done.
    package func caughtUp() async {
        // Who comes later is told in turn.
        for await _ in states() { break }
    }
}

/// The name of the group of effects that make requests.
private struct Requests: Hashable {}
