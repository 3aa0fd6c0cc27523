import TerminalSupport

extension Page {
    /// The page as lines for a terminal.
    package var lines: [String] {
        switch self {
        case .blank: []
        case .list([]): ["no posts"]
        case .list(let posts): posts.map(Self.headline)
        case .post(let post): [Self.headline(post)] + Self.text(post)
        case .created(let post): ["posted \(Self.headline(post))"]
        case .deleted(let id): ["deleted \(id)"]
        }
    }

    private static func headline(_ post: Post) -> String {
        "\(post.id): \(post.title.harmless)"
    }

    private static func text(_ post: Post) -> [String] {
        if post.body.isEmpty { return [] }
        return post.body.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { $0.isEmpty ? "" : "  \($0.harmless)" }
    }
}
