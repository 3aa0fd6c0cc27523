import Foundation

/// The options and operands that a program accepts. The features are limited to those that the playgrounds need.
///
/// ```swift
/// let program = Program(
///     name: "die", usage: "[--seed N]", summary: "Rolls a die.",
///     options: [.value("--seed", "N", "makes the rolls repeatable")])
/// let arguments = program.parseOrExit()
/// let seed = try program.number("--seed", in: arguments, as: UInt64.self)
/// ```
public struct Program: Sendable {
    /// An option and its line of help.
    public struct Option: Sendable {
        let name: String
        let valueName: String?
        let help: String

        /// Returns an option without a value.
        public static func flag(_ name: String, _ help: String) -> Option {
            Option(name: name, valueName: nil, help: help)
        }

        /// Returns an option with a value: `--name VALUE` or `--name=VALUE`.
        public static func value(_ name: String, _ valueName: String, _ help: String) -> Option {
            Option(name: name, valueName: valueName, help: help)
        }
    }

    /// The program's name, which begins its error messages.
    public let name: String
    private let usage: String
    private let summary: String
    private let options: [Option]
    private let operands: ClosedRange<Int>

    /// Creates a program. `operands` is the range of allowed counts of operands, which are the arguments that are not
    /// options.
    public init(
        name: String, usage: String, summary: String, options: [Option] = [], operands: ClosedRange<Int> = 0...0
    ) {
        self.name = name
        self.usage = usage
        self.summary = summary
        self.options = options + [.flag("--help", "shows this text")]
        self.operands = operands
    }

    /// Returns the text of `--help`, in lines of at most `width` columns unless a word is longer.
    ///
    /// An empty line in the summary ends a paragraph. Other line breaks are spaces, except in a table, which is a
    /// paragraph with two spaces in a row. The lines of a table are folded each for itself.
    public func help(width: Int = 80) -> String {
        let paragraphs = summary.split(separator: "\n\n").flatMap { paragraph -> [String] in
            let lines = paragraph.split(separator: "\n")
            return (paragraph.contains("  ") ? lines.map(String.init) : [lines.joined(separator: " ")]) + [""]
        }
        let names = options.map { [$0.name, $0.valueName].compactMap(\.self).joined(separator: " ") }
        let column = (names.map(\.count).max() ?? 0) + 5
        let lines = zip(names, options).map { name, option in
            "  " + name.padding(toLength: column - 2, withPad: " ", startingAt: 0) + option.help
        }
        let use = "Usage: \(name) \(usage)".trimmingCharacters(in: .whitespaces)
        return ([use, ""] + paragraphs + ["Options:"] + lines).flatMap { $0.folded(to: width) }
            .joined(separator: "\n")
    }

    /// Parses arguments (without the program's name). `--` ends the options.
    ///
    /// - Throws: `UsageError` for an unknown option, a missing or superfluous value, or a wrong number of operands,
    /// unless the arguments contain `--help`.
    public func parse(_ arguments: [String]) throws(UsageError) -> Arguments {
        var result = Arguments()
        let beforeSeparator = arguments.prefix { $0 != "--" }
        if beforeSeparator.contains("--help") || beforeSeparator.contains("-h") {
            result.wantsHelp = true
            return result
        }
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                result.operands += rest
                break
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                result.operands.append(argument)
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = options.first(where: { $0.name == parts[0] }) else {
                throw error("unknown option \(parts[0])")
            }
            if let valueName = option.valueName {
                guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                    throw error("option \(option.name) needs a value, as in \(option.name) \(valueName)")
                }
                result.values[option.name] = value
            } else {
                guard parts.count == 1 else { throw error("option \(option.name) takes no value") }
                result.values[option.name] = ""
            }
        }
        if result.operands.count > operands.upperBound {
            throw error("unexpected argument \(result.operands[operands.upperBound])")
        }
        if result.operands.count < operands.lowerBound {
            throw error("an argument is missing: \(name) \(usage)")
        }
        return result
    }

    /// Parses this process's arguments.
    ///
    /// `--help` prints the help and ends the process with status 0. A usage error is reported in one line and ends the
    /// process with status 64.
    public func parseOrExit(
        _ arguments: [String] = Array(CommandLine.arguments.dropFirst()), console: Console = .standard
    ) -> Arguments {
        do {
            let result = try parse(arguments)
            if result.wantsHelp {
                console.line(help(width: console.width))
                exit(ExitStatus.success)
            }
            return result
        } catch {
            console.exit(error.description, status: ExitStatus.usage)
        }
    }

    /// Returns the result of `reading`. If it throws a usage error, reports the error in one line and ends the process
    /// with status 64.
    public func orExit<Result>(
        _ reading: @autoclosure () throws(UsageError) -> Result, console: Console = .standard
    ) -> Result {
        do throws(UsageError) {
            return try reading()
        } catch {
            console.exit(error.description, status: ExitStatus.usage)
        }
    }

    /// Returns the error for a mistake in the command line that `parse` cannot detect.
    public func error(_ reason: String) -> UsageError {
        UsageError(description: "\(name): \(reason); try \(name) --help")
    }

    /// Returns the URL of a server.
    ///
    /// - Throws: `UsageError` if `text` is not an http(s) URL with a host.
    public func url(_ text: String) throws(UsageError) -> URL {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host()?.isEmpty == false else {
            throw error("SERVER must be a URL that begins with http:// or https://, not \(text.quoted)")
        }
        return url
    }

    /// Returns the value of an option as a whole number, or `nil` if the option is absent.
    ///
    /// - Parameters:
    ///   - unit: The unit of the number, for the message.
    ///   - range: The allowed numbers. By default, all numbers of the type are allowed.
    /// - Throws: `UsageError` if the value is not such a number.
    public func number<Number: FixedWidthInteger>(
        _ option: String, of unit: String? = nil, within range: ClosedRange<Number> = Number.min...Number.max,
        in arguments: Arguments, as type: Number.Type = Number.self
    ) throws(UsageError) -> Number? {
        guard let text = arguments.value(option) else { return nil }
        guard let number = Number(text), range.contains(number) else {
            let kind = unit.map { "a whole number of \($0)" } ?? "a whole number"
            throw error("option \(option) needs \(kind) from \(range.lowerBound) to \(range.upperBound), not \(text)")
        }
        return number
    }
}

/// The parsed arguments of a command line.
public struct Arguments: Sendable {
    /// The arguments that are not options, in order.
    public internal(set) var operands: [String] = []
    var values: [String: String] = [:]
    var wantsHelp = false

    /// Whether the option was given.
    public func contains(_ option: String) -> Bool {
        values[option] != nil
    }

    /// Returns the value of an option, or the last value if the option was given several times.
    public func value(_ option: String) -> String? {
        values[option]
    }
}

/// An error in a command line. Its description is a message in one line.
public struct UsageError: Error, Sendable, CustomStringConvertible {
    public let description: String
}
