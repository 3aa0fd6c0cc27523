import ResourceLoading

/// A server that has each user at `URL/ID`. The first line there is the user's name.
package struct UserServer: Sendable {
    private let url: String
    private let loader: ResourceLoader

    package init(url: String, loader: ResourceLoader = .live()) {
        self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
        self.loader = loader
    }

    /// Fetches the users one after the other. Cancelling the calling task cancels the current request.
    package func users(ids: [String]) async throws -> [User] {
        var users: [User] = []
        for id in ids {
            let summary = try await loader.load("\(url)/\(id)")
            guard case .text(let lines) = summary.preview, let name = lines.first, !name.isEmpty else {
                throw NamelessUser(id: id)
            }
            users.append(User(id: id, name: name))
        }
        return users
    }
}

/// The server's answer for a user does not begin with a name.
package struct NamelessUser: Error, Equatable, CustomStringConvertible {
    package let id: String

    package init(id: String) {
        self.id = id
    }

    package var description: String {
        "The server has no name for \(id.debugDescription)."
    }
}
