/// A command that changes how a server in memory answers.
package enum ServerCommand: Sendable, Equatable {
    /// Each answer takes this time. Without a time, a fast server becomes slow, and a slow one fast.
    case latency(Duration?)
    /// The next answer takes this much longer.
    case delay(Duration)
    /// The next request fails, after those that fail already.
    case error(ServerConditions.Fault)

    /// The reason why an input is not a command.
    package struct Mistake: Error, Equatable {
        package let reason: String

        package init(reason: String) {
            self.reason = reason
        }
    }

    /// Creates a command from the words of an input, or returns `nil` if the first word is neither the name of a command
    /// nor its first letter.
    package init?(_ words: [String]) throws(Mistake) {
        guard let name = words.first, words.count < 3 else { return nil }
        let argument = words.dropFirst().first
        switch name {
        case "latency", "l": self = .latency(try Self.milliseconds(argument, name))
        case "delay", "d": self = .delay(try Self.milliseconds(argument, name) ?? .seconds(3))
        case "error", "e": self = .error(try Self.fault(argument, name))
        default: return nil
        }
    }

    private static func milliseconds(_ argument: String?, _ name: String) throws(Mistake) -> Duration? {
        guard let argument else { return nil }
        guard let number = Int(argument), (0...600_000).contains(number) else {
            throw Mistake(reason: "\(name) needs milliseconds from 0 to 600000, as in \(name) 500")
        }
        return .milliseconds(number)
    }

    private static func fault(_ argument: String?, _ name: String) throws(Mistake) -> ServerConditions.Fault {
        guard let argument else { return .connectionLost }
        guard let status = Int(argument), (400...599).contains(status) else {
            throw Mistake(reason: "\(name) needs a status from 400 to 599, as in \(name) 503, or nothing")
        }
        return .status(status)
    }
}
