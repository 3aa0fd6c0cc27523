import ExampleLoops
import MemoryServer
import TerminalSupport

/// A command that was parsed from an input.
enum Command {
    case event(PlayerEvent)
    case server(ServerCommand)
    case power, help, quit

    static let list = """
        p  plays
        s  stops playing
        f  fetches users
        t  advances the playing time by a second
        x  stops the loop and its effects, or starts the loop again
        h  shows this text
        q  quits without waiting for a fetch
        """

    /// The commands for a server in memory.
    static let serverList = """
        l  makes the server slow, or fast again
        d  delays the next answer by three seconds
        e  lets the next answer fail
        """

    typealias Mistake = ServerCommand.Mistake

    /// - Parameters:
    ///   - ids: The users that `f` fetches if the input names none.
    ///   - isInMemory: Whether the commands for a server in memory are allowed.
    init(_ input: String, ids: [String], isInMemory: Bool) throws(Mistake) {
        let words = input.split(separator: " ").map(String.init)
        switch (words.first, words.dropFirst()) {
        case ("p", []): self = .event(.play)
        case ("s", []): self = .event(.stop)
        case ("t", []): self = .event(.secondPassed)
        case ("x", []): self = .power
        case ("h", []): self = .help
        case ("q", []): self = .quit
        case ("f", let named):
            let ids = named.isEmpty ? ids : Array(named)
            if ids.isEmpty { throw Mistake(reason: "f needs the IDs of users, here or on the command line") }
            self = .event(.fetch(ids: ids))
        default:
            guard isInMemory, let command = try ServerCommand(words) else {
                throw Mistake(reason: "unknown input \(input.quoted); h lists the commands")
            }
            self = .server(command)
        }
    }
}

extension Command.Mistake {
    static let isOff = Self(reason: "the loop is stopped; x starts it")
}
