import ArchitectureTesting
import Dispatcher
import ExampleDispatchers
import FunctionalCore
import PlaygroundTestSupport
import TestSupport
import Testing

@Suite(.promptly, .timeLimit(.minutes(10))) struct DieTests {
    let die = Playground("die")

    @Test func `the die asks its environment for a number within its sides`() {
        let test = TestDriver(dieDispatcher, state: Die(), environment: Randomness { $0.upperBound })
        test.send(.roll(sides: 20)) { die in
            die.number = 20
            die.rolls = 1
        }
        test.finish()
    }

    @Test func `the same seed repeats its numbers`() {
        func numbers(_ seed: UInt64) -> [Int] {
            let randomness = Randomness.seeded(seed)
            return (0..<20).map { _ in randomness.number(1...1_000) }
        }
        #expect(numbers(1) == numbers(1))
        #expect(numbers(1) != numbers(2))
    }

    @Test func `prints the first state, then one for each roll`() async throws {
        let report = try await die.run(input: "r\n\nr\nq\nr\n")
        #expect(report.lines.first == "not rolled yet")
        #expect(report.lines.count == 4)
        #expect(report.lines.dropFirst().allSatisfy { (1...6).contains(Int($0) ?? 0) })
        #expect(report.error == "")
        #expect(report.status == 0)
    }

    @Test func `the end of the input quits, as q does`() async throws {
        let report = try await die.run(input: "r")
        #expect(report.lines.count == 2)
        #expect(report.status == 0)
    }

    @Test func `a count rolls without input`() async throws {
        let report = try await die.run("2000", input: "q\n")
        #expect(report.lines.count == 2_001)
        #expect(Set(report.lines) == Set(["not rolled yet"] + (1...6).map(String.init)))
        #expect(report.status == 0)
        #expect(try await die.run("0").lines == ["not rolled yet"])
    }

    @Test func `the same seed repeats the rolls, another does not`() async throws {
        let first = try await die.run("--seed", "7", "50")
        #expect(first.lines.count == 51)
        #expect(try await die.run("--seed=7", "50").output == first.output)
        #expect(try await die.run("--seed", "7", input: String(repeating: "r\n", count: 50)).output == first.output)
        #expect(try await die.run("--seed", "8", "50").output != first.output)
    }

    @Test func `without a seed no two runs are the same`() async throws {
        // Equal by chance once in 6 to the power of 100.
        #expect(try await die.run("100").output != die.run("100").output)
    }

    @Test func `the number of sides can be set`() async throws {
        let report = try await die.run("--seed", "1", "--sides", "1000", "100")
        let numbers = report.lines.compactMap { Int($0) }
        #expect(numbers.count == 100)
        #expect(numbers.allSatisfy { (1...1_000).contains($0) })
        #expect(numbers.contains { $0 > 6 })
    }

    @Test func `unknown input is reported and ignored, and the status is 1`() async throws {
        let report = try await die.run("--seed", "7", input: "r\nroll\nr\nq\n")
        #expect(report.output == (try await die.run("--seed", "7", "2").output))
        #expect(report.error == "die: unknown input \"roll\"; r or return rolls, q quits\n")
        #expect(report.status == 1)
    }

    @Test func `help prints the usage`() async throws {
        let report = try await die.run("--help")
        #expect(report.output.hasPrefix("Usage: die"))
        #expect(report.output.contains("--seed N"))
        #expect(report.status == 0)
    }

    @Test(arguments: [["--seed", "x"], ["--seed"], ["--seed", "-1"], ["--sides", "1"], ["x"], ["-5"], ["1", "2"]])
    func `an invalid command line fails with status 64`(arguments: [String]) async throws {
        let report = try await RunningProcess.run(die.path, arguments)
        #expect(report.output == "")
        #expect(report.error.hasPrefix("die: "))
        #expect(report.error.split(separator: "\n").count == 1)
        #expect(report.status == 64)
    }

    @Test(arguments: ["1", "1000001"]) func `the number of sides has a range`(sides: String) async throws {
        let report = try await die.run("--sides", sides)
        #expect(
            report.error
                == "die: option --sides needs a whole number from 2 to 1000000, not \(sides); try die --help\n")
    }

    @Test func `a closed output ends the program without a message`() async throws {
        let process = try die.startWithFickleReader()
        #expect(await process.line { $0 == "closed" } != nil)
        process.send("r\n")
        #expect(await process.wait().error == "status 141\n")
    }

    @Test(.enabled(if: HTTPTestServer.isAvailable, HTTPTestServer.requirement))
    func `return rolls on a terminal`() async throws {
        let process = try die.startOnTerminal("--seed", "7")
        await process.wait { $0.output.contains("q quit") }
        process.send("\rrq")
        let report = await process.wait()
        #expect(report.terminalLines.filter { !$0.isEmpty } == (try await die.run("--seed", "7", "2").lines))
        #expect(report.status == 0)
    }
}
