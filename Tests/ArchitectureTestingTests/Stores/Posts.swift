import Effects

struct Posts: Equatable, Sendable {
    var isLoading = false
    var title: String?
}

struct GetPost: Action, Equatable { var id = "1" }
/// Not `Equatable`, so it is compared by its dump.
struct GotPost: Action { let title: String }
struct Shown: Action {}
struct Unreachable: Error, Equatable {}

let posts: ReducerFn<Posts> = combineReducers(
    on(GetPost.self) { posts, _ in posts.isLoading = true },
    on(GotPost.self) { posts, got in posts = Posts(title: got.title) }
)

/// Answers each `GetPost` a second later.
func fetching(_ clock: some Clock<Duration>) -> Effect<Void> {
    Effect.map(GetPost.self) { get in
        try await clock.sleep(until: clock.now.advanced(by: .seconds(1)), tolerance: nil)
        return GotPost(title: "post \(get.id)")
    }
}

/// Answers each `GetPost` with a `GotPost` at once, and each `GotPost` with a `Shown`.
let answering = Effect { actions in
    actions.ofType(GetPost.self).map { GotPost(title: "post \($0.id)") }.eraseActionType()
        .merge(with: actions.ofType(GotPost.self).map { _ in Shown() }.eraseActionType())
}
