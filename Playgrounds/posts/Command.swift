import ExampleStores
import Foundation
import MemoryServer
import TerminalSupport

/// A command that was parsed from a line of input.
enum Command {
    case ask(any Question)
    case server(ServerCommand)
    case stop, help, quit

    static let list = """
        list               lists the posts
        show ID            shows a post, and cancels the previous show
        post TITLE | TEXT  creates a post; the text is optional
        delete ID          deletes a post
        stop               cancels all requests
        help               shows this text
        q                  quits without waiting for requests
        """

    /// The commands for a server in memory.
    static let serverList = """
        latency [MS]       each answer takes MS milliseconds; without MS, a long or a short time
        delay [MS]         the next answer takes MS milliseconds longer (3000)
        error [STATUS]     the next request fails: with STATUS, or with a lost connection
        """

    typealias Mistake = ServerCommand.Mistake

    /// - Parameter isInMemory: Whether the commands for a server in memory are allowed.
    init(_ line: String, isInMemory: Bool) throws(Mistake) {
        let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        switch (words.first, words.dropFirst().first) {
        case ("list", nil): self = .ask(ListPosts())
        case ("show", let number): self = .ask(ShowPost(id: try Self.id(number, for: "show")))
        case ("delete", let number): self = .ask(DeletePost(id: try Self.id(number, for: "delete")))
        case ("post", let text): self = .ask(CreatePost(draft: try Self.draft(text ?? "")))
        case ("stop", nil): self = .stop
        case ("help", nil): self = .help
        case ("q", nil): self = .quit
        default:
            guard isInMemory, let command = try ServerCommand(words) else {
                throw Mistake(reason: "unknown input \(line.quoted); help lists the commands")
            }
            self = .server(command)
        }
    }

    private static func id(_ text: String?, for command: String) throws(Mistake) -> Int {
        guard let id = text.flatMap({ Int($0) }), id >= 0 else {
            throw Mistake(reason: "\(command) needs the number of a post, as in \(command) 1")
        }
        return id
    }

    private static func draft(_ text: String) throws(Mistake) -> Draft {
        let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard let title = parts.first, !title.isEmpty else { throw Mistake(reason: "post needs a title, as in post A") }
        return Draft(title: title, body: parts.dropFirst().first ?? "")
    }
}
