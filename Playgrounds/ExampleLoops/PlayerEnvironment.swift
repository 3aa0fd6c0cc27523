/// The dependencies of the player's effects.
package struct PlayerEnvironment: Sendable {
    package var closeApplication: @Sendable () -> Void
    package var stopPlayback: @Sendable () -> Void
    package var fetchUsers: @Sendable (_ ids: [String]) async throws -> UserList

    package init(
        closeApplication: @escaping @Sendable () -> Void,
        stopPlayback: @escaping @Sendable () -> Void,
        fetchUsers: @escaping @Sendable (_ ids: [String]) async throws -> UserList
    ) {
        self.closeApplication = closeApplication
        self.stopPlayback = stopPlayback
        self.fetchUsers = fetchUsers
    }
}
