import Foundation
import TerminalSupport

/// What the command line says of the player.
struct Settings {
    static let program = Program(
        name: "player", usage: "[--verbose] SERVER [ID...]",
        summary: """
            Plays, and fetches users from a server: what lies at SERVER/ID begins with a line
            that has the name of the user ID. Takes keys on a terminal, lines elsewhere:

            \(Command.list)

            Away from a terminal it prints the player for each change, time passes by t alone,
            and f may name the users: f ID... At the end of the input it waits for the users.

            Other input is reported and ignored; away from a terminal, the exit status is 1
            then. It is 130 after Ctrl-C.
            """,
        options: [.flag("--verbose", "tells on standard error of each event, model and effect")],
        operands: 1...Int.max)

    let server: String
    /// Whom f fetches unless it says so itself.
    let ids: [String]
    let isVerbose: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        server = arguments.operands[0]
        ids = Array(arguments.operands.dropFirst())
        isVerbose = arguments.contains("--verbose")
        guard let url = URL(string: server), ["http", "https"].contains(url.scheme), url.host()?.isEmpty == false else {
            throw Self.program.error("SERVER is a URL that begins with http:// or https://, not \(server.quoted)")
        }
    }
}
