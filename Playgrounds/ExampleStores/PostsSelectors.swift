import Effects

/// What is under way, and whether the server is heard of, on one line before what is typed.
package let selectPrompt = createSelector(\PostsState.requests, \.connection) { requests, connection in
    let words = requests.isEmpty ? "" : requests.map(\.description).joined(separator: ", ") + "… "
    return words + (connection == .broken ? "[offline] > " : "> ")
}

/// Whether nothing is under way.
package let selectIsIdle: @Sendable (PostsState) -> Bool = { $0.requests.isEmpty }
