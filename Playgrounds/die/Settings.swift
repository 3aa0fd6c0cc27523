import ExampleDispatchers
import TerminalSupport

/// What the command line says of the die.
struct Settings {
    static let program = Program(
        name: "die", usage: "[--seed N] [--sides N] [ROLLS]",
        summary: """
            Rolls a die: r or return rolls, q quits. On a terminal these are keys,
            elsewhere lines. With ROLLS it rolls so many times, and ends. Prints the die it
            starts with, and then one line for each roll.

            Other input is reported and ignored; away from a terminal, the exit status is 1
            then.
            """,
        options: [
            .value("--seed", "N", "makes the rolls repeatable"),
            .value("--sides", "N", "how many sides the die has, 2 to 1000000 (6)"),
        ],
        operands: 0...1)

    let randomness: Randomness
    let sides: Int
    /// How often to roll; nil where the input says.
    let rolls: UInt?

    init(_ arguments: Arguments) throws(UsageError) {
        let program = Self.program
        randomness = try program.number("--seed", in: arguments).map(Randomness.seeded) ?? .system
        sides = try program.number("--sides", within: 2...1_000_000, in: arguments) ?? 6
        if let text = arguments.operands.first {
            guard let number = UInt(text) else { throw program.error("ROLLS is a whole number, not \(text)") }
            rolls = number
        } else {
            rolls = nil
        }
    }
}
