import Synchronization
import Testing
import VirtualTime

/// The front of Swift Testing over `search`, for one type of input.
@usableFromInline
func check<Input>(
    _ generator: Gen<Input>,
    _ examples: [Input],
    _ sourceLocation: SourceLocation,
    isolation: isolated (any Actor)?,
    _ body: nonisolated(nonsending) (Input) async throws -> Void
) async {
    guard let test = Test.current else {
        fatalError(
            """
            forAll was called outside of a test, or in a task that does not belong to a test, where a failure cannot \
            be reported. To fix, call it in the task of the test, or call falsify and check its result.
            """
        )
    }
    let failures = FailureFlag(of: test)
    var testIsCancelled = false
    let found = await withIssues(of: test, handledBy: failures.swallow, isolation: isolation) {
        await search(generator, examples: examples, settings: .current, isolation: #isolation) { input in
            do {
                try await body(input)
            } catch is Discarded where failures.reset() {
                // What has failed before the input was given back counts.
                throw ExpectationsFailed()
            } catch {
                failures.reset()
                if isCancellationOfTest(error) { testIsCancelled = true }
                throw error
            }
            guard !failures.reset() else { throw ExpectationsFailed() }
        }
    }
    // Swift Testing says so itself, and that is no failure.
    guard let found, !testIsCancelled else { return }
    let details = Comment(rawValue: found.report.details)
    // Since it was cancelled, the body would fail again for no fault of the input.
    guard let input = found.input, !Task.isCancelled else {
        Issue.record(found.report.comment, sourceLocation: sourceLocation)
        return
    }
    let comment = FirstIssueComment(details, of: test)
    let thrown: (any Error)? = await withIssues(of: test, handledBy: comment.added, isolation: isolation) {
        do {
            try await body(input)
            return nil
        } catch {
            return error
        }
    }
    switch thrown {
    case nil where comment.wasAdded: break
    // `#require` has recorded its own issue.
    case is ExpectationFailedError where comment.wasAdded: break
    case is Discarded where comment.wasAdded: break
    case let unmet as Unmet: Issue.record("\(unmet.description)\n\(details.rawValue)", sourceLocation: sourceLocation)
    case let error?: Issue.record(error, details, sourceLocation: sourceLocation)
    case nil: Issue.record(found.report.comment, sourceLocation: sourceLocation)
    }
}

extension Falsified {
    fileprivate var comment: Comment { Comment(rawValue: description) }
}

/// Whether `Test.cancel` has thrown it. Its type is not public.
private func isCancellationOfTest(_ error: any Error) -> Bool {
    Task.isCancelled && String(reflecting: type(of: error)) == "Testing.SkipInfo"
}

/// Expectations of a body have failed; the issues themselves say which.
private struct ExpectationsFailed: Error, CustomStringConvertible {
    var description: String { "An expectation failed." }
}

/// Whether there was a failure among issues, none of which is reported.
private final class FailureFlag: Sendable {
    private let test: Test
    private let isRaised = Atomic(false)

    init(of test: Test) {
        self.test = test
    }

    /// Takes the flag back, and answers whether there was a failure.
    @discardableResult func reset() -> Bool {
        // Nearly always it is not raised, and reading costs next to nothing.
        isRaised.load(ordering: .acquiring) && isRaised.exchange(false, ordering: .acquiringAndReleasing)
    }

    @Sendable func swallow(_ issue: Issue) -> Issue? {
        if issue.isFailure, test.recordsIssueAtHand { isRaised.store(true, ordering: .releasing) }
        return nil
    }
}

extension Test {
    /// Whether this test records the issue that a handler is asked about.
    ///
    /// One that is recorded where no test runs, in a detached task, reaches the handlers of all tests, and is reported
    /// without them: those that pass it on report it again.
    fileprivate var recordsIssueAtHand: Bool { Test.current?.id == id }
}

/// Adds a comment to the first failure among issues.
private final class FirstIssueComment: Sendable {
    private let comment: Comment
    private let test: Test
    private let isAdded = Lock(false)

    init(_ comment: Comment, of test: Test) {
        self.comment = comment
        self.test = test
    }

    var wasAdded: Bool { isAdded.withLock { $0 } }

    @Sendable func added(to issue: Issue) -> Issue? {
        guard test.recordsIssueAtHand else { return nil }
        guard issue.isFailure,
            isAdded.withLock({ isAdded in
                defer { isAdded = true }
                return !isAdded
            })
        else { return issue }
        var issue = issue
        issue.comments.append(comment)
        return issue
    }
}

/// Runs `body` on the caller's actor while `handle` decides about each issue that is recorded.
private func withIssues<Result>(
    of test: Test, handledBy handle: @escaping @Sendable (Issue) -> Issue?,
    isolation: isolated (any Actor)?,
    _ body: nonisolated(nonsending) () async -> Result
) async -> Result {
    // Written once, by the closure below, which has returned when it is read.
    nonisolated(unsafe) var result: Result?
    // Called once, while this function waits, and on this function's actor.
    nonisolated(unsafe) let body = body
    do {
        try await IssueHandlingTrait.compactMapIssues(handle)
            .provideScope(for: test, testCase: Test.Case.current) {
                await call(isolation: isolation) { result = await body() }
            }
    } catch {
        fatalError("The scope of an issue handler threw \(error), although its body does not throw.")
    }
    guard let result else { fatalError("The scope of an issue handler did not run its body.") }
    return result
}

private func call(isolation: isolated (any Actor)?, _ body: nonisolated(nonsending) () async -> Void) async {
    await body()
}
