/// The reason why a request failed. Its description is one sentence for a person.
package enum PostsError: Error, Sendable, Equatable {
    case noSuchPost(id: Int)
    /// The server answered with another status that is not 2xx.
    case status(Int)
    /// The answer of the server cannot be decoded.
    case malformed(reason: String)
    /// The server did not answer, or its answer was incomplete.
    case unanswered(reason: String)

    /// Whether the server did not respond.
    package var isOffline: Bool {
        if case .unanswered = self { true } else { false }
    }
}

extension PostsError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noSuchPost(let id): "There is no post \(id)."
        case .status(let status): "The server answered with status \(status)."
        case .malformed(let reason): "The server's answer cannot be decoded: \(reason)."
        case .unanswered(let reason): reason
        }
    }
}
