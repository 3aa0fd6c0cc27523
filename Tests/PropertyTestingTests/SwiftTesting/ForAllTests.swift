import PropertyTesting
import TestSupport
import Testing

/// The issues that `forAll` reports to Swift Testing, and their source locations.
@Suite("forAll", .seed(20_260_101), .timeLimit(.minutes(10)))
struct ForAllTests {
    @Test func theFailingExpectationIsReportedOnceAtItsOwnLine() async {
        let line = #line + 4
        let issues = await issues {
            await forAll(Gen.int(in: 0...100).array()) { numbers in
                classify(numbers.count > 5, "long")
                #expect(numbers.reduce(0, +) < 250)
            }
        }
        #expect(issues.count == 1)
        #expect(issues.first?.line == line)
        let comments = issues.first?.comments.joined(separator: "\n").split(separator: "\n") ?? []
        #expect(comments.count == 4)
        #expect(comments.first == "falsified for: [50, 100, 100]")
        #expect(comments.dropFirst().first?.hasPrefix("    first seen as: [") == true)
        #expect(comments.dropFirst(2).first?.hasPrefix("    replay: @Test(.replay(\"") == true)
        #expect(comments.last?.hasSuffix("% long") == true)
    }

    @Test func aThrownErrorIsReportedWithItsCounterexample() async {
        let line = #line + 2
        let issues = await issues {
            await forAll(Gen.string) { text in if text.count > 3 { throw Failed() } }
        }
        #expect(issues.count == 1)
        #expect(issues.first?.line == line)
        #expect(issues.first?.text.contains("Caught error: Failed()") == true)
        #expect(issues.first?.comments.joined().contains("falsified for: \"aaaa\"") == true)
    }

    @Test func aBodyThatAlwaysThrowsFails() async {
        #expect(await issues { await forAll(Gen.int) { _ in throw Failed() } }.count == 1)
        #expect(await issues { await forAll(Gen.int, Gen.int) { _, _ in throw Failed() } }.count == 1)
    }

    @Test func anUnmetRequirementIsReportedOnce() async {
        let line = #line + 3
        let issues = await issues {
            await forAll(Gen.int.optional.array()) { values in
                for value in values { _ = try #require(value) }
            }
        }
        #expect(issues.count == 1)
        #expect(issues.first?.line == line)
        #expect(issues.first?.comments.joined().contains("falsified for: [nil]") == true)
    }

    @Test func discardingEverythingFails() async {
        let line = #line + 1
        let issues = await issues { await forAll(Gen.int) { _ in try assume(false) } }
        #expect(issues.count == 1)
        #expect(issues.first?.line == line)
        #expect(issues.first?.comments.joined().hasPrefix("Gave up: 1001 inputs were discarded") == true)
    }

    @Test func missingCoverageFails() async {
        let issues = await issues { await forAll(Gen.int) { classify($0 > 1_000_000, "large", atLeast: 0.1) } }
        #expect(issues.first?.comments.joined().hasPrefix("Too few cases with \"large\": 0 of 100") == true)
    }

    @Test func aFailedExpectationBeforeADiscardIsReported() async {
        let issues = await issues {
            await forAll(Gen.int(in: 0...1)) { number in
                #expect(number == 0)
                try assume(number == 0)
            }
        }
        #expect(issues.count == 1)
        #expect(issues.first?.comments.joined().contains("falsified for: 1") == true)
    }

    @Test func examplesDoNotReplaceGeneratedCases() async {
        let found = await falsify(Gen.int(in: 1...10), examples: [0, 0, 0], settings: .init(cases: 3)) { number in
            try require(number == 0, "only the examples are 0")
        }
        #expect(found != nil)
    }

    @Test func examplesAreNotShrunk() async {
        let issues = await issues {
            await forAll(Gen.int, Gen.bool, examples: [(1_000, true)]) { n, _ in #expect(n < 900) }
        }
        #expect(issues.first?.comments == ["falsified for: (1000, true) (example 1)"])
    }

    @Test func aCancelledPropertyBlamesNoInput() async {
        let issues = await issues {
            withUnsafeCurrentTask { $0?.cancel() }
            await forAll(Gen.int) { _ in try Task.checkCancellation() }
        }
        #expect(issues.count == 1)
        #expect(
            issues.first?.comments
                == ["Cancelled: the task was cancelled before all inputs were tried. No input is known to fail."])
    }

    @Test func anInputThatPassesWhenRetriedIsReportedAsFlaky() async {
        let log = Log()
        let issues = await issues {
            await forAll(Gen.always(1)) { _ in
                log.append("called")
                #expect(log.lines.count > 1)
            }
        }
        #expect(issues.count == 1)
        #expect(issues.first?.comments.joined().contains("flaky: the input passed when it was tried again") == true)
    }

    @Test func knownIssuesAreNoFailures() async {
        let issues = await issues {
            await forAll(Gen.int) { number in
                withKnownIssue { #expect(number > 1_000_000) }
            }
        }
        #expect(issues.isEmpty)
    }

    @Test func laterIssuesOfTheTestAreStillReported() async {
        let issues = await issues {
            await forAll(Gen.int) { _ in }
            #expect(Bool(false))
        }
        #expect(issues.count == 1)
        #expect(issues.first?.comments.isEmpty == true)
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
                _ = await falsify(Gen.int) { _ in assertIsolated() }
            }
        }
        let cell = Cell()
        await cell.run()
        #expect(cell.executor.count < 10)
    }

    @Test func aBodyRunsOnItsActor() async {
        actor Cell {
            var count = 0

            func run() async -> Int {
                await forAll(Gen.int, Gen.int) { _, _ in
                    count += 1
                    await Task.yield()
                    assertIsolated()
                }
                return count
            }
        }
        #expect(await Cell().run() >= 100)
    }

    /// The parts of a recorded issue that the tests check.
    private struct Seen: Sendable {
        var text: String
        var comments: [String]
        var line: Int?
    }

    /// Returns the failures that `body` records. They are not reported.
    private func issues(_ body: @Sendable () async -> Void) async -> [Seen] {
        let collected = Record<Seen>()
        let trait: IssueHandlingTrait = .compactMapIssues { issue in
            if issue.isFailure {
                collected.append(
                    Seen(
                        text: "\(issue)", comments: issue.comments.map(\.rawValue),
                        line: issue.sourceLocation?.line))
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
