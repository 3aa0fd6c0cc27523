import PropertyTesting
import TestSupport
import Testing

/// The issues that `forAll` reports to Swift Testing, and their source locations.
@Suite("forAll", .seed(20_260_101), .timeLimit(.minutes(10)))
struct ForAllTests {
    @Test func theFailingExpectationIsReportedOnceAtItsOwnLine() async throws {
        let line = #line + 4
        let issue = try await issue {
            await forAll(Gen.int(in: 0...100).array()) { numbers in
                classify(numbers.count > 5, "long")
                #expect(numbers.reduce(0, +) < 250)
            }
        }
        #expect(issue.line == line)
        let comments = issue.comment.split(separator: "\n")
        try #require(comments.count == 4)
        #expect(comments[0] == "falsified for: [50, 100, 100]")
        #expect(comments[1].hasPrefix("    first seen as: ["))
        #expect(comments[2].hasPrefix("    replay: @Test(.replay(\""))
        #expect(comments[3].hasSuffix("% long (20 cases)"))
    }

    @Test func aThrownErrorIsReportedWithItsCounterexample() async throws {
        let line = #line + 2
        let issue = try await issue {
            await forAll(Gen.string) { text in if text.count > 3 { throw Failed() } }
        }
        #expect(issue.line == line)
        #expect(issue.text.contains("Caught error: Failed()"))
        #expect(issue.comment.contains("falsified for: \"aaaa\""))
    }

    @Test func anUnmetRequirementIsReportedOnce() async throws {
        let line = #line + 3
        let issue = try await issue {
            await forAll(Gen.int.optional.array()) { values in
                for value in values { _ = try #require(value) }
            }
        }
        #expect(issue.line == line)
        #expect(issue.comment.contains("falsified for: [nil]"))
    }

    @Test func missingCoverageFails() async throws {
        let issue = try await issue { await forAll(Gen.int) { classify($0 > 1_000_000, "large", atLeast: 0.1) } }
        #expect(issue.comment.hasPrefix("Too few cases with \"large\": 0 of 100"))
    }

    @Test func discardingEverythingFails() async throws {
        let line = #line + 1
        let issue = try await issue { await forAll(Gen.int) { _ in try assume(false) } }
        #expect(issue.line == line)
        #expect(issue.comment.hasPrefix("Gave up: 1001 inputs were discarded"))
    }

    @Test func aFailedExpectationBeforeADiscardIsReported() async throws {
        let issue = try await issue {
            await forAll(Gen.int(in: 0...1)) { number in
                #expect(number == 0)
                try assume(number == 0)
            }
        }
        #expect(issue.comment.contains("falsified for: 1"))
    }

    @Test func anExpectationThatFailsAfterTheSearchIsReported() async {
        let issues = await issues {
            let (gate, open) = AsyncStream<Void>.makeStream()
            let tasks = Record<Task<Void, Never>>()
            await forAll(Gen.int) { _ in
                guard tasks.values.isEmpty else { return }
                tasks.append(
                    Task {
                        for await _ in gate {}
                        #expect(Bool(false))
                    })
            }
            open.finish()
            for task in tasks.values { await task.value }
        }
        #expect(issues.count == 1)
    }

    /// An input that records a failure when it is released, after its case.
    private final class FailingInput: Sendable {
        deinit { Issue.record("released") }
    }

    @Test func anExpectationThatFailsAfterTheLastCaseIsReported() async throws {
        let (count, cases) = (Guarded(0), PropertySettings.current.cases)
        let line = #line + 2
        let issue = try await issue {
            await forAll(Gen { _ in count.increment() == cases ? FailingInput() : nil }) { _ in }
        }
        #expect(issue.line == line)
        #expect(issue.comment.hasPrefix("An expectation failed after its case had ended"))
    }

    @Test func examplesDoNotReplaceGeneratedCases() async {
        let found = await falsify(Gen.int(in: 1...10), examples: [0, 0, 0], settings: .init(cases: 3)) { number in
            try require(number == 0, "only the examples are 0")
        }
        #expect(found != nil)
    }

    @Test func examplesAreNotShrunk() async throws {
        let issue = try await issue {
            await forAll(Gen.int, Gen.bool, examples: [(1_000, true)]) { n, _ in #expect(n < 900) }
        }
        #expect(issue.comment == "falsified for: (1000, true) (example 1)")
    }

    @Test func aCancelledPropertyBlamesNoInput() async throws {
        let issue = try await issue {
            withUnsafeCurrentTask { $0?.cancel() }
            await forAll(Gen.int) { _ in try Task.checkCancellation() }
        }
        #expect(
            issue.comment
                == "Cancelled: the task was cancelled before all inputs were tried. No input is known to fail.")
    }

    @Test func anInputThatPassesWhenRetriedIsReportedAsFlaky() async throws {
        let log = Log()
        let issue = try await issue {
            await forAll(Gen.always(1)) { _ in
                log.append("called")
                #expect(log.lines.count > 1)
            }
        }
        #expect(issue.comment.contains("flaky: the input passed when it was tried again"))
    }

    @Test func knownIssuesAreNoFailures() async {
        let issues = await issues {
            await forAll(Gen.int) { number in
                withKnownIssue { #expect(number > 1_000_000) }
            }
        }
        #expect(issues.isEmpty)
    }

    @Test func laterIssuesOfTheTestAreStillReported() async throws {
        let issue = try await issue {
            await forAll(Gen.int) { _ in }
            #expect(Bool(false))
        }
        #expect(issue.comment.isEmpty)
    }

    @Test(.cases(7)) func theTraitSetsTheNumberOfCases() async {
        var calls = 0
        await forAll(Gen.int) { _ in calls += 1 }
        #expect(calls == max(7, PropertySettings.current.cases))
    }

    @Test(.replay("2x-1e")) func aReplayedCaseRunsFirst() async {
        var first: [Int]?
        let numbers = Gen.int(in: 0...1_000_000).array()
        await forAll(numbers) { if first == nil { first = $0 } }
        var again: [Int]?
        let seed = PropertySettings(cases: 0, replay: Replay("2x-1e"))
        _ = await falsify(numbers, settings: seed) { again = $0 }
        #expect(first == again)
        #expect(first?.isEmpty == false)
    }

    @Test func forAllTakesAnyNumberOfGenerators() async {
        await forAll(Gen.int, Gen.int, Gen.int, Gen.string, Gen.bool, Gen.int.array()) { a, b, c, text, isOn, numbers in
            #expect(a + (b + c) == (a + b) + c)
            #expect(text + "" == text && isOn == isOn && numbers.count >= 0)
        }
    }

    @Test @MainActor func aBodyRunsOnTheMainActor() async {
        final class Local { var count = 0 }
        let local = Local()
        await forAll(Gen.int) { _ in
            MainActor.assertIsolated()
            local.count += 1
            await Task.yield()
            MainActor.assertIsolated()
        }
        await forAll(Gen.int, Gen.int) { _, _ in
            MainActor.assertIsolated()
            local.count += 1
        }
        #expect(local.count >= 200)
    }

    @Test func theActorIsKeptBetweenCases() async {
        actor Cell {
            let executor = CountingExecutor()
            nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

            func run() async {
                await forAll(Gen.int) { _ in assertIsolated() }
                await forAll(Gen.int, Gen.int) { _, _ in assertIsolated() }
                _ = await falsify(Gen.int) { _ in assertIsolated() }
            }
        }
        let cell = Cell()
        await cell.run()
        #expect(cell.executor.count < 10)
    }

    /// The parts of a recorded issue that the tests check.
    private struct Seen: Sendable {
        var text: String
        var comment: String
        var line: Int?
    }

    /// Returns the only failure that `body` records.
    private func issue(_ body: @Sendable () async -> Void) async throws -> Seen {
        let issues = await issues(body)
        try #require(issues.count == 1, "\(issues)")
        return issues[0]
    }

    /// Returns the failures that `body` records. They are not reported.
    private func issues(_ body: @Sendable () async -> Void) async -> [Seen] {
        let collected = Record<Seen>()
        let trait: IssueHandlingTrait = .compactMapIssues { issue in
            if issue.isFailure {
                let comment = issue.comments.map(\.rawValue).joined(separator: "\n")
                collected.append(Seen(text: "\(issue)", comment: comment, line: issue.sourceLocation?.line))
            }
            return nil
        }
        do {
            try await trait.provideScope(for: Test.current!, testCase: Test.Case.current) { await body() }
        } catch {
            Issue.record(error)
        }
        return collected.values
    }
}
