import Foundation
import TerminalSupport

/// A command that was parsed from a line of input.
enum Command {
    case increment, decrement, add, stop, help, quit
    case roll(die: Int)
    case load(location: String)

    static let list = """
        +              counts up
        -              counts down
        roll N         rolls die N
        add            adds a die
        load LOCATION  loads a path or a URL, and cancels the previous load
        stop           stops the load
        help           shows this text
        q              quits without waiting for the load
        """

    /// The reason why a line is not a command.
    struct Mistake: Error {
        let reason: String

        static func noSuchDie(_ id: Int) -> Mistake { Mistake(reason: "there is no die \(id); add adds a die") }
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
        case ("load", nil): throw Mistake(reason: "load needs a path or a URL, as in load README.md")
        case ("roll", let number):
            guard let number, let die = Int(number) else { throw Mistake(reason: "roll needs a number, as in roll 1") }
            self = .roll(die: die)
        default: throw Mistake(reason: "unknown input \(line.quoted); help lists the commands")
        }
    }
}
