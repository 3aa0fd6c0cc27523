import Loop

/// What the player does, and whom it knows of.
package struct PlayerModel: Sendable, Equatable, Mobius.Copyable {
    package var playback = Playback.stopped
    package var users = Users.none
    /// There is no more input: the player closes when nothing is under way any more.
    package var isEnding = false

    package init() {}

    package enum Playback: Sendable, Equatable {
        case stopped
        case playing(seconds: Int)
        /// It was told to stop, and has not said yet that it did.
        case stopping
    }

    package enum Users: Sendable, Equatable {
        case none
        case fetching(ids: [String])
        case fetched([User])
        case failed(reason: String)
    }
}
