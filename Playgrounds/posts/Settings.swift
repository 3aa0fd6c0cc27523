import Foundation
import TerminalSupport
import TracingSupport

/// The settings from the command line.
struct Settings {
    static let program = Program(
        name: "posts", usage: "[--verbose] [--no-wait] \(TraceFile.usage) [SERVER]",
        summary: """
            Lists, shows, creates and deletes the posts of a server. Without SERVER, the
            server is in memory, and forgets all changes at the end. Reads one command per
            line:

            \(Command.list)

            Without SERVER, three commands change how the server in memory answers:

            \(Command.serverList)

            SERVER is the URL of a server that answers with JSON:

            GET SERVER/posts        [POST, …]
            GET SERVER/posts/ID     POST
            POST SERVER/posts       receives a POST without its id, and answers with the POST
            DELETE SERVER/posts/ID  anything

            A POST is {"id": 1, "title": "First", "body": "Hello."}: id is a whole number,
            title and body are strings. For a POST that does not exist, the server answers
            with the status 404.

            Without a terminal, the program reads a line after the previous one is
            answered, and the exit status is 1 if a request failed or a line was not
            understood. At the end of the input, the program waits for the answers. The
            exit status is 130 after Ctrl-C.
            """,
        options: [
            .flag("--verbose", "logs each action to standard error"),
            .flag("--no-wait", "reads lines without waiting for answers, as on a terminal"),
            TraceFile.option, TraceFile.force,
        ],
        operands: 0...1)

    /// The URL of the server, or `nil` for a server in memory.
    let server: URL?
    let isVerbose: Bool
    /// Whether a line is read only after the previous one is answered.
    let isPatient: Bool
    let trace: TraceFile?

    init(_ arguments: Arguments, isInteractive: Bool) throws(UsageError) {
        if let text = arguments.operands.first { server = try Self.program.url(text) } else { server = nil }
        isVerbose = arguments.contains("--verbose")
        isPatient = !isInteractive && !arguments.contains("--no-wait")
        trace = try TraceFile(arguments, of: Self.program)
    }
}
