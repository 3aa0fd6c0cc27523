import Effects

/// The prompt: the requests in progress, and whether the server is offline.
package let selectPrompt = createSelector(\PostsState.requests, \.connection) { requests, connection in
    let words = requests.isEmpty ? "" : requests.map(\.description).joined(separator: ", ") + "… "
    return words + (connection == .broken ? "[offline] > " : "> ")
}

/// Whether no request is in progress.
package let selectIsIdle: @Sendable (PostsState) -> Bool = { $0.requests.isEmpty }
