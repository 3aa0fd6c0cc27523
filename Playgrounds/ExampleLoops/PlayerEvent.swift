/// What happens to the player.
package enum PlayerEvent: Sendable, Equatable {
    case play
    case stop
    case playbackStopped
    /// It has played for one second more.
    case secondPassed
    case fetch(ids: [String])
    case usersFetched([User])
    case fetchFailed(reason: String)
    case quit
    /// Nobody will say anything any more.
    case inputEnded
}
