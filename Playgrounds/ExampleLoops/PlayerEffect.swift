/// An effect that the player requests.
package enum PlayerEffect: Sendable, Equatable {
    case closeApplication
    case stopPlayback
    case fetchUsers(ids: [String])
}
