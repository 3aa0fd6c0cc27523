/// Why a request failed. Its description is one sentence for a person.
package enum PostsError: Error, Sendable, Equatable {
    case noSuchPost(id: Int)
    /// The server answered with another status that is not 2xx.
    case status(Int)
    /// The server answered something else than what was asked for.
    case malformed(reason: String)
    /// There was no answer, or a part of one.
    case unanswered(reason: String)

    /// Whether the server was not heard of.
    package var isOffline: Bool {
        if case .unanswered = self { true } else { false }
    }
}

extension PostsError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noSuchPost(let id): "There is no post \(id)."
        case .status(let status): "The server answered with status \(status)."
        case .malformed(let reason): "The server's answer is not understood: \(reason)."
        case .unanswered(let reason): reason
        }
    }
}
