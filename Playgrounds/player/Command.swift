import ExampleLoops
import TerminalSupport

/// A command that was parsed from an input.
enum Command {
    case event(PlayerEvent)
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

    /// The reason why an input is not a command.
    struct Mistake: Error {
        let reason: String

        static let isOff = Mistake(reason: "the loop is stopped; x starts it")
    }

    /// - Parameter ids: The users that `f` fetches if the input names none.
    init(_ input: String, ids: [String]) throws(Mistake) {
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
        default: throw Mistake(reason: "unknown input \(input.quoted); h lists the commands")
        }
    }
}
