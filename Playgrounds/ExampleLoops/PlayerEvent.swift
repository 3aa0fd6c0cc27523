/// An event of the player.
package enum PlayerEvent: Sendable, Equatable {
    case play
    case stop
    case playbackStopped
    /// The playing time increased by one second.
    case secondPassed
    case fetch(ids: [String])
    case usersFetched(UserList)
    case quit
    /// The input has ended.
    case inputEnded
}
