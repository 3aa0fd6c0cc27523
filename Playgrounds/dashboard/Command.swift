import Foundation
import TerminalSupport

/// What a line of input asks for.
enum Command {
    case increment, decrement, add, stop, help, quit
    case roll(die: Int)
    case load(location: String)

    static let list = """
        +              counts up
        -              counts down
        roll N         rolls die N
        add            adds a die
        load LOCATION  loads a path or a URL, in place of what is being loaded
        stop           stops the load
        help           shows this text
        q              quits, whatever is being loaded
        """

    /// A line that is no command, and why.
    struct Mistake: Error {
        let reason: String

        static func noSuchDie(_ id: Int) -> Mistake { Mistake(reason: "there is no die \(id)") }
    }

    init(_ line: String) throws(Mistake) {
        let words = line.split(separator: " ", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        switch (words.first, words.dropFirst().first) {
        case ("+", nil): self = .increment
        case ("-", nil): self = .decrement
        case ("add", nil): self = .add
        case ("stop", nil): self = .stop
        case ("help", nil): self = .help
        case ("q", nil): self = .quit
        case ("load", let location?): self = .load(location: location)
        case ("load", nil): throw Mistake(reason: "load needs a path or a URL")
        case ("roll", let number):
            guard let number, let die = Int(number) else { throw Mistake(reason: "roll needs the number of a die") }
            self = .roll(die: die)
        default: throw Mistake(reason: "unknown input \(line.quoted); help shows what there is")
        }
    }
}
