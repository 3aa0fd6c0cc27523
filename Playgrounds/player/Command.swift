import ExampleLoops
import TerminalSupport

/// What an input asks for.
enum Command {
    case event(PlayerEvent)
    case power, help, quit

    static let list = """
        p  plays
        s  stops playing
        f  fetches users
        t  lets a second of playing time pass
        x  stops the loop, with all that is under way; the next x starts it again
        h  shows this text
        q  quits, whatever is under way
        """

    /// An input that is no command, and why.
    struct Mistake: Error {
        let reason: String

        static let isOff = Mistake(reason: "the loop is stopped; x starts it")
    }

    /// - Parameter ids: whom `f` fetches when it names nobody.
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
        default: throw Mistake(reason: "unknown input \(input.quoted); h shows what there is")
        }
    }
}
