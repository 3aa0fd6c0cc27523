import TerminalSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ProgramTests {
    let program = Program(
        name: "die", usage: "[--seed N] [FILE]", summary: "Rolls a die.",
        options: [.value("--seed", "N", "makes the rolls repeatable"), .flag("--quiet", "prints less")],
        operands: 0...1)

    @Test func `options and operands are parsed`() throws {
        let arguments = try program.parse(["--seed", "7", "file", "--quiet"])
        #expect(try program.number("--seed", in: arguments) == 7)
        #expect(arguments.operands == ["file"])
        #expect(arguments.contains("--quiet"))
        #expect(try program.parse(["--seed=8"]).value("--seed") == "8")
        #expect(try program.parse(["--", "--seed"]).operands == ["--seed"])
        #expect(try program.parse(["-"]).operands == ["-"])
        #expect(try program.number("--seed", in: program.parse([]), as: UInt64.self) == nil)
    }

    @Test(arguments: [
        (["--sead"], "die: unknown option --sead; try die --help"),
        (["-x"], "die: unknown option -x; try die --help"),
        (["--seed"], "die: option --seed needs a value, as in --seed N; try die --help"),
        (["--quiet=yes"], "die: option --quiet takes no value; try die --help"),
        (["a", "b"], "die: unexpected argument b; try die --help"),
    ])
    func `a usage error is one line`(arguments: [String], message: String) {
        let error = #expect(throws: UsageError.self) { _ = try program.parse(arguments) }
        #expect(error?.description == message)
    }

    @Test(arguments: ["six", "-1", "99999999999999999999", ""])
    func `a value that is not a number is an error`(text: String) throws {
        let arguments = try program.parse(["--seed", text])
        let error = #expect(throws: UsageError.self) {
            _ = try program.number("--seed", in: arguments, as: UInt64.self)
        }
        #expect(error?.description.contains("needs a whole number from 0 to 18446744073709551615, not \(text)") == true)
    }

    @Test(arguments: ["five", "0", "10"]) func `a number outside the range is an error`(text: String) throws {
        let arguments = try program.parse(["--seed", text])
        let error = #expect(throws: UsageError.self) {
            _ = try program.number("--seed", of: "grains", within: 1...9, in: arguments)
        }
        #expect(
            error?.description
                == "die: option --seed needs a whole number of grains from 1 to 9, not \(text); try die --help")
        #expect(try program.number("--seed", within: 1...9, in: program.parse(["--seed", "9"])) == 9)
    }

    @Test func `a missing operand is an error of one line`() {
        let program = Program(name: "load", usage: "LOCATION", summary: "", operands: 1...1)
        let error = #expect(throws: UsageError.self) { _ = try program.parse([]) }
        #expect(error?.description == "load: an argument is missing: load LOCATION; try load --help")
    }

    @Test func `the help lists all options`() {
        #expect(
            program.help() == """
                Usage: die [--seed N] [FILE]

                Rolls a die.

                Options:
                  --seed N   makes the rolls repeatable
                  --quiet    prints less
                  --help     shows this text
                """
        )
    }

    @Test func `the help fits the width, and keeps tables`() {
        let program = Program(
            name: "die", usage: "", summary: "Rolls a die,\nand rolls it again.\n\nr  rolls the die again\nq  quits",
            options: [.value("--seed", "N", "makes the rolls repeatable")])
        #expect(
            program.help(width: 20) == """
                Usage: die

                Rolls a die, and
                rolls it again.

                r  rolls the die
                   again
                q  quits

                Options:
                  --seed N   makes
                    the rolls
                    repeatable
                  --help     shows
                    this text
                """
        )
    }

    @Test(.promptly) func `help exits with status 0, a usage error with 64`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            _ = Program(name: "die", usage: "", summary: "").parseOrExit(["--nonsense", "--help"])
        }
        let result = await #expect(processExitsWith: .exitCode(64), observing: [\.standardErrorContent]) {
            _ = Program(name: "die", usage: "", summary: "").parseOrExit(["--nonsense"])
        }
        let message = result?.standardErrorText ?? ""
        #expect(message.hasSuffix("die: unknown option --nonsense; try die --help\n"))
    }
}
