import Foundation
import PlaygroundTestSupport
import PropertyTesting
import Testing

/// The output of failing properties. The tests start whole processes and compare their output exactly.
@Suite(
    "Golden output",
    .enabled(if: testProgramsCanBeStarted, "The test program can start another copy of itself only on Linux."),
    .timeLimit(.minutes(10))
)
struct GoldenOutputTests {
    /// The documentation quotes this output exactly.
    @Test func aFailingExpectationPrintsItsCounterexampleAndReplay() async throws {
        let output = try await expect(
            "sumsAreSmall",
            """
            ✘ Test sumsAreSmall() recorded an issue at DeliberateFailures.swift:16:13: Expectation failed: (numbers.reduce(0, +) → 250) < 250
            ↳ falsified for: [50, 100, 100]
                  first seen as: ?
                  replay: @Test(.replay("?"))
                  labels: ?% empty, ?% more than three (16 cases)
            """)
        let article = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/PropertyTesting/Documentation.docc/PropertyTesting.md")
        #expect(try String(contentsOf: article, encoding: .utf8).contains(output), "\(output)")
    }

    @Test func aThrownErrorPrintsItsCounterexampleAndReplay() async throws {
        try await expect(
            "throwsAlways",
            """
            ✘ Test throwsAlways() recorded an issue at DeliberateFailures.swift:21:21: Caught error: Failed()
            ↳ falsified for: (0, "")
                  first seen as: ?
                  replay: @Test(.replay("?"))
            """)
    }

    @Test func discardingEverythingPrintsThatItGaveUp() async throws {
        try await expect(
            "discardsEverything",
            """
            ✘ Test discardsEverything() recorded an issue at DeliberateFailures.swift:25:21: Issue recorded
            ↳ Gave up: 1001 inputs were discarded and 0 tried. To fix, generate valid inputs instead of discarding invalid \
            ones.
            """)
    }

    @Test func anOrderThatFailsIsPrintedAsSourceCode() async throws {
        try await expect(
            "namesAreInOrder",
            """
            ✘ Test namesAreInOrder() recorded an issue at DeliberateOrders.swift:10:13: Expectation failed: (names(order) → "bac") == "abc"
            ↳ falsified for: StepOrder([1])
                  first seen as: ?
                  replay: @Test(.replay("?"))
            """)
        try await expect(
            "namesAreInNoOrder",
            """
            ✘ Test namesAreInNoOrder() recorded an issue at DeliberateOrders.swift:16:13: Expectation failed: (names(order) → "cba") != "cba"
            ↳ falsified for: StepOrder([2, 1]) (order 6)
            """)
    }

    @Test func ordersThatAreNotTriedAreAWarning() async throws {
        let report = try await run("triesSomeOrders")
        #expect(report.contains("triesSomeOrders() recorded a warning at DeliberateOrders.swift:21:27"), "\(report)")
        #expect(
            report.contains(
                """
                4 orders passed, and more exist. To try all orders, raise the limit, or make the program smaller. To try \
                random ones, use forAll(Gen.order()).
                """), "\(report)")
        #expect(report.contains("Test triesSomeOrders() passed"), "\(report)")
    }

    @Test func anIssueOutsideAnyTestFalsifiesNoProperty() async throws {
        let report = try await run("recordsWhereNoTestRuns")
        #expect(report.contains("Test recordsWhereNoTestRuns() passed"), "\(report)")
        #expect(report.split(separator: "of a detached task").count == 2, "\(report)")
        #expect(!report.contains("falsified for"), "\(report)")
    }

    @Test func aTestThatCancelsItselfHasNoFailure() async throws {
        let report = try await run("cancelsItself")
        #expect(report.contains("enough"), "\(report)")
        #expect(!report.contains("recorded an issue"), "\(report)")
    }

    @Test func anExpectationThatFailsBeforeTheTestCancelsItselfIsAFailure() async throws {
        let report = try await run("failsAndCancelsItself")
        #expect(report.contains("or before the body cancelled the test."), "\(report)")
    }

    @Test func anotherProcessReplaysTheSameInput() async throws {
        for seed in 0..<3 as Range<UInt64> {
            let found = await falsify(Replayed.generator, settings: .init(cases: 50, seed: seed)) { input in
                guard input.0.count > 2 else { return }
                try Replayed.body(input)
            }
            let replay = try #require(found?.replay)
            let report = try await run("printsItsReplay", ["REPLAYED": "\(replay)"])
            #expect(report.contains("replayed \(try #require(found?.firstSeen))"), "\(report)")
        }
    }

    @Test func anEnvironmentVariableSetsTheNumberOfCases() async throws {
        #expect(try await run("countsItsCases", ["PROPERTY_CASES": "1234"]).contains("ran 1234 cases"))
        #expect(try await run("countsItsCases", ["PROPERTY_CASES": ""]).contains("ran 100 cases"))
        let text = try await run("countsItsCases", ["PROPERTY_CASES": "many"])
        #expect(text.contains("The environment variable PROPERTY_CASES is \"many\". To fix, set it to a whole number"))
    }

    /// Compares the output of a failing test, except for the parts that change with the generators, and returns it.
    @discardableResult
    private func expect(
        _ test: String, _ expected: String, at location: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let output = try await output(of: test)
        let constant =
            output
            .replacing(#/first seen as: .*/#, with: "first seen as: ?")
            .replacing(#/replay\("[0-9a-z]+-[0-9a-z]+"/#, with: "replay(\"?\"")
            .replacing(#/[0-9]+% /#, with: "?% ")
        #expect(constant == expected, sourceLocation: location)
        return output
    }

    /// Returns the lines about the issues of `test`.
    private func output(of test: String) async throws -> String {
        var lines: [Substring] = []
        for line in try await run(test).split(separator: "\n") {
            if line.hasPrefix("✘ Test \(test)() recorded")
                || (!lines.isEmpty && (line.hasPrefix("↳") || line.hasPrefix("  ")))
            {
                lines.append(line)
            } else if !lines.isEmpty {
                break
            }
        }
        return lines.joined(separator: "\n")
    }

    private func run(_ test: String, _ environment: [String: String] = [:]) async throws -> String {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
        let report = try await RunningProcess.run(
            program, ["--testing-library", "swift-testing", "--filter", "DeliberateFailures/\(test)"],
            environment: ["DELIBERATE_FAILURES": "1", "NO_COLOR": "1"].merging(environment) { $1 })
        return report.output + report.error
    }
}

private var testProgramsCanBeStarted: Bool {
    #if os(Linux)
        true
    #else
        false
    #endif
}
