import ExampleLoops
import Foundation
import TerminalSupport
import TracingSupport

/// The settings from the command line.
struct Settings {
    static let program = Program(
        name: "player", usage: "[--verbose] \(TraceFile.usage) [SERVER [ID...]]",
        summary: """
            Plays, and fetches users from a server. SERVER/ID is a text whose first line is the
            name of the user with that ID. Without SERVER, the server is in memory, and has the
            users \(UserMemory.names.keys.sorted().joined(separator: ", ")). Reads keys on a
            terminal and lines otherwise:

            \(Command.list)

            Without SERVER, three commands change how the server in memory answers:

            \(Command.serverList)

            Without a terminal, the program prints a line for each change, only t advances the
            time, and commands can have arguments: f ID..., l MS for the milliseconds of each
            answer, d MS for the delay of the next one, and e STATUS for its status. At the end
            of the input, the program waits for the users.

            Unknown input is reported and ignored. The exit status is then 1, except on a
            terminal. It is 130 after Ctrl-C.
            """,
        options: [
            .flag("--verbose", "logs each event, model and effect to standard error"), TraceFile.option,
            TraceFile.force,
        ],
        operands: 0...Int.max)

    /// The URL of the server, or `nil` for a server in memory.
    let server: String?
    /// The users that `f` fetches if the input names none.
    let ids: [String]
    let isVerbose: Bool
    let trace: TraceFile?

    init(_ arguments: Arguments) throws(UsageError) {
        server = arguments.operands.first
        if let server { _ = try Self.program.url(server) }
        ids = server == nil ? UserMemory.names.keys.sorted() : Array(arguments.operands.dropFirst())
        isVerbose = arguments.contains("--verbose")
        trace = try TraceFile(arguments, of: Self.program)
    }
}
