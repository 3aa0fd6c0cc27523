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
        "\(post.id): \(harmless(post.title))"
    }

    private static func text(_ post: Post) -> [String] {
        if post.body.isEmpty { return [] }
        return post.body.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { $0.isEmpty ? "" : "  \(harmless($0))" }
    }
}

/// The text without what a terminal would obey, and what turns the direction of the text.
private func harmless(_ text: some StringProtocol) -> String {
    String(
        text.unicodeScalars.map { scalar -> Character in
            if scalar == "\t" || scalar == "\u{200D}" { return Character(scalar) }
            return switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
            default: Character(scalar)
            }
        }
    )
}
