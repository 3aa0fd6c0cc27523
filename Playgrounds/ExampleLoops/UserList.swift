/// The users that were fetched, and the reasons why others were not.
package struct UserList: Sendable, Equatable {
    package var users: [User] = []
    package var failures: [String] = []

    package init(_ users: [User] = [], failures: [String] = []) {
        self.users = users
        self.failures = failures
    }

    /// Fetches users one after the other. Cancelling the calling task cancels the current request.
    ///
    /// A user who is missing hides no other user. Any other failure, such as a lost connection, ends the fetch.
    ///
    /// - Parameter name: Returns the name of the user with an id, or throws a `UserError` if only this user is missing.
    package static func fetched(
        _ ids: [String], by name: @Sendable (_ id: String) async throws -> String
    ) async throws -> UserList {
        var list = UserList()
        for id in ids {
            do {
                let user = User(id: id, name: try await name(id))
                list.users.append(user)
            } catch let error as UserError {
                list.failures.append("\(error)")
            } catch {
                try Task.checkCancellation()
                list.failures.append("\(error)")
                return list
            }
        }
        return list
    }
}

extension UserList: CustomStringConvertible {
    /// The names, and the reasons why others are missing.
    package var description: String {
        let reasons = failures.isEmpty ? [] : ["failed: \(failures.joined(separator: " "))"]
        return (users.map(\.name) + reasons).joined(separator: ", ")
    }
}

/// The reason why one user is missing.
package enum UserError: Error, Equatable, CustomStringConvertible {
    case unknown(id: String)
    /// The server's answer for a user does not begin with a name.
    case nameless(id: String)

    package var description: String {
        switch self {
        case .unknown(let id): "There is no user \(id.debugDescription)."
        case .nameless(let id): "The server has no name for \(id.debugDescription)."
        }
    }
}
