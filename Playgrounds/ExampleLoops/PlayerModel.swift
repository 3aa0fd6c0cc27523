import Loop

/// The state of the playback and of the users.
package struct PlayerModel: Sendable, Equatable, Mobius.Copyable {
    package var playback = Playback.stopped
    package var users = Users.none
    /// Whether the input has ended. The player then closes when no fetch is in progress.
    package var isEnding = false

    package init() {}

    package enum Playback: Sendable, Equatable {
        case stopped
        case playing(seconds: Int)
        /// The effect that stops the playback has not finished.
        case stopping
    }

    package enum Users: Sendable, Equatable {
        case none
        case fetching(ids: [String])
        case fetched(UserList)
    }
}
