import Foundation
import TerminalSupport

/// What the command line says of posts.
struct Settings {
    static let program = Program(
        name: "posts", usage: "[--verbose] [--no-wait] SERVER",
        summary: """
            Lists, shows, posts and deletes the posts of a server, which are JSON at
            SERVER/posts and SERVER/posts/ID. Takes one input a line:

            \(Command.list)

            Away from a terminal a line is read when the one before was answered, and
            the exit status is 1 when something failed or was not understood. At the end
            of the input it waits for the answers. The status is 130 after Ctrl-C.
            """,
        options: [
            .flag("--verbose", "tells on standard error of each action"),
            .flag("--no-wait", "reads lines as they come, as it does on a terminal"),
        ],
        operands: 1...1)

    let server: URL
    let isVerbose: Bool
    /// Whether the next line is read only when this one was answered.
    let isPatient: Bool

    init(_ arguments: Arguments, isInteractive: Bool) throws(UsageError) {
        let text = arguments.operands[0]
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host()?.isEmpty == false else {
            throw Self.program.error("SERVER is a URL that begins with http:// or https://, not \(text.quoted)")
        }
        server = url
        isVerbose = arguments.contains("--verbose")
        isPatient = !isInteractive && !arguments.contains("--no-wait")
    }
}
