package import MemoryServer

/// A server of users in memory. To a loop, it is like a `UserServer`.
package struct UserMemory: Sendable {
    package static let names = ["ada": "Ada Lovelace", "alan": "Alan Turing", "grace": "Grace Hopper"]

    package let conditions: ServerConditions

    package init(conditions: ServerConditions = ServerConditions()) {
        self.conditions = conditions
    }

    /// Returns the name of a user after the time of an answer.
    package func name(of id: String) async throws -> String {
        do {
            try await conditions.answer()
        } catch ServerConditions.Fault.status(404) {
            throw UserError.unknown(id: id)
        }
        guard let name = Self.names[id] else { throw UserError.unknown(id: id) }
        return name
    }
}
