/// What the player has done outside of it.
package enum PlayerEffect: Sendable, Equatable {
    case closeApplication
    case stopPlayback
    case fetchUsers(ids: [String])
}
