import PlaygroundTestSupport
import TestSupport
import Testing

@Suite(.promptly, .timeLimit(.minutes(10))) struct CheckLawsTests {
    let checkLaws = Playground("check-laws")

    @Test func `finds the bug, prints the smallest counterexample and fails`() async throws {
        let report = try await checkLaws.run()
        let broken = "✘ The law does not hold: set(s, get(s)) == s"
        let index = try #require(report.lines.firstIndex(of: broken))
        #expect(report.lines[index + 1] == #"    left:  Account(name: "", renames: 1)"#)
        #expect(report.lines[index + 2] == #"    right: Account(name: "", renames: 0)"#)
        #expect(report.lines[index + 3] == #"    falsified for: whole Account(name: "", renames: 0)"#)
        #expect(report.lines.contains("✔ get(set(s, a)) == a"))
        #expect(report.lines.contains { $0.hasPrefix("    replay: ") })
        #expect(report.error == "")
        #expect(report.status == 1)
    }

    @Test func `the output says that the lens is broken on purpose`() async throws {
        let report = try await checkLaws.run()
        #expect(report.lines.first?.hasPrefix("This lens breaks its laws on purpose: ") == true)
        #expect(report.lines.last?.hasSuffix("The exit status is 1.") == true)
    }

    @Test func `help prints the usage`() async throws {
        let report = try await checkLaws.run("--help")
        #expect(report.output.hasPrefix("Usage: check-laws"))
        #expect(report.output.contains("on purpose"))
        #expect(report.status == 0)
    }

    @Test(arguments: ["--fast", "5"])
    func `an invalid command line fails with status 64`(argument: String) async throws {
        let report = try await checkLaws.run(argument)
        #expect(report.output == "")
        #expect(report.error.contains(argument))
        #expect(report.status == 64)
    }

    @Test func `the same seed gives the same output`() async throws {
        let first = try await checkLaws.run(environment: ["PROPERTY_SEED": "7"])
        #expect(try await checkLaws.run(environment: ["PROPERTY_SEED": "7"]).output == first.output)
    }
}
