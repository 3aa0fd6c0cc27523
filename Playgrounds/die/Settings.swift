import ExampleDispatchers
import TerminalSupport
import TracingSupport

/// The settings from the command line.
struct Settings {
    static let program = Program(
        name: "die", usage: "[--seed N] [--sides N] \(TraceFile.usage) [ROLLS]",
        summary: """
            Rolls a die: r or return rolls, q quits. Reads keys on a terminal and lines
            otherwise. With ROLLS, rolls that many times and quits. Prints the initial die,
            and then one line for each roll.

            Unknown input is reported and ignored. The exit status is then 1, except on a
            terminal.
            """,
        options: [
            .value("--seed", "N", "makes the rolls repeatable"),
            .value("--sides", "N", "the number of sides, from 2 to 1000000 (6)"),
            TraceFile.option, TraceFile.force,
        ],
        operands: 0...1)

    let randomness: Randomness
    let sides: Int
    /// The number of rolls, or `nil` if the input determines it.
    let rolls: UInt?
    let trace: TraceFile?

    init(_ arguments: Arguments) throws(UsageError) {
        let program = Self.program
        randomness = try program.number("--seed", in: arguments).map(Randomness.seeded) ?? .system
        sides = try program.number("--sides", within: 2...1_000_000, in: arguments) ?? 6
        if let text = arguments.operands.first {
            guard let number = UInt(text) else { throw program.error("ROLLS must be a whole number, not \(text)") }
            rolls = number
        } else {
            rolls = nil
        }
        trace = try TraceFile(arguments, of: program)
    }
}
