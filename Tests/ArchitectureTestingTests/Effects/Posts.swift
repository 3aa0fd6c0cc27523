import Effects

struct Posts: Equatable, Sendable {
    var isLoading = false
    var title: String?
}

struct GetPost: Action, Equatable { var id = "1" }
/// Not comparable: told by what it looks like.
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

/// Answers each `GetPost` at once, and each answer with another.
let answering = Effect { actions in
    actions.ofType(GetPost.self).map { GotPost(title: "post \($0.id)") }.eraseActionType()
        .merge(with: actions.ofType(GotPost.self).map { _ in Shown() }.eraseActionType())
}
