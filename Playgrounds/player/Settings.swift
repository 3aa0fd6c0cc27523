import Foundation
import TerminalSupport
import TracingSupport

/// The settings from the command line.
struct Settings {
    static let program = Program(
        name: "player", usage: "[--verbose] \(TraceFile.usage) SERVER [ID...]",
        summary: """
            Plays, and fetches users from a server. The first line at SERVER/ID is the name of
            the user with that ID. Reads keys on a terminal and lines otherwise:

            \(Command.list)

            Without a terminal, the program prints a line for each change, only t advances the
            time, and f can name users: f ID... At the end of the input, the program waits for
            the users.

            Unknown input is reported and ignored. The exit status is then 1, except on a
            terminal. It is 130 after Ctrl-C.
            """,
        options: [.flag("--verbose", "logs each event, model and effect to standard error"), TraceFile.option],
        operands: 1...Int.max)

    let server: String
    /// The users that `f` fetches if the input names none.
    let ids: [String]
    let isVerbose: Bool
    let trace: TraceFile?

    init(_ arguments: Arguments) throws(UsageError) {
        server = arguments.operands[0]
        ids = Array(arguments.operands.dropFirst())
        isVerbose = arguments.contains("--verbose")
        guard let url = URL(string: server), ["http", "https"].contains(url.scheme), url.host()?.isEmpty == false else {
            throw Self.program.error("SERVER must be a URL that begins with http:// or https://, not \(server.quoted)")
        }
        trace = try TraceFile(arguments, of: Self.program)
    }
}
