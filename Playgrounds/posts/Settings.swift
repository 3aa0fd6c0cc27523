import Foundation
import TerminalSupport
import TracingSupport

/// The settings from the command line.
struct Settings {
    static let program = Program(
        name: "posts", usage: "[--verbose] [--no-wait] \(TraceFile.usage) SERVER",
        summary: """
            Lists, shows, creates and deletes the posts of a server, which are JSON at
            SERVER/posts and SERVER/posts/ID. Reads one command per line:

            \(Command.list)

            Without a terminal, the program reads a line after the previous one is
            answered, and the exit status is 1 if a request failed or a line was not
            understood. At the end of the input, the program waits for the answers. The
            exit status is 130 after Ctrl-C.
            """,
        options: [
            .flag("--verbose", "logs each action to standard error"),
            .flag("--no-wait", "reads lines without waiting for answers, as on a terminal"),
            TraceFile.option,
        ],
        operands: 1...1)

    let server: URL
    let isVerbose: Bool
    /// Whether a line is read only after the previous one is answered.
    let isPatient: Bool
    let trace: TraceFile?

    init(_ arguments: Arguments, isInteractive: Bool) throws(UsageError) {
        let text = arguments.operands[0]
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host()?.isEmpty == false else {
            throw Self.program.error("SERVER must be a URL that begins with http:// or https://, not \(text.quoted)")
        }
        server = url
        isVerbose = arguments.contains("--verbose")
        isPatient = !isInteractive && !arguments.contains("--no-wait")
        trace = try TraceFile(arguments, of: Self.program)
    }
}
