import FunctionalCore
import Synchronization
import Testing
import VirtualTime

/// Searches for an input that fails in a test, and records it as an issue of Swift Testing.
@usableFromInline
func check<Input>(
    _ generator: Gen<Input>,
    _ examples: [Input],
    _ sourceLocation: SourceLocation,
    isolation: isolated (any Actor)?,
    _ body: nonisolated(nonsending) (Input) async throws -> Void
) async {
    var examples = Examples(examples)
    await check(generator, &examples, sourceLocation, isolation: isolation, body)
}

/// Searches for an input that fails, first among the examples and then among generated ones if there is a generator.
///
/// - Returns: Whether the search has found no failure.
@discardableResult
func check<Input>(
    _ generator: Gen<Input>?,
    _ examples: inout some ExampleSequence<Input>,
    _ sourceLocation: SourceLocation,
    isolation: isolated (any Actor)?,
    _ body: nonisolated(nonsending) (Input) async throws -> Void
) async -> Bool {
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
        await search(generator, examples: &examples, settings: .current, isolation: #isolation) { input in
            do {
                try await body(input)
            } catch is Discarded where failures.reset() {
                // Expectations that failed before the input was discarded count.
                throw ExpectationsFailed()
            } catch {
                if isCancellationOfTest(error) { testIsCancelled = true } else { failures.reset() }
                throw error
            }
            guard !failures.reset() else { throw ExpectationsFailed() }
        }
    }
    // Swift Testing reports the cancellation of a test itself, and it is not a failure.
    guard let found, !testIsCancelled else {
        guard failures.end() else { return found == nil }
        Issue.record(
            "An expectation failed after its case had ended, or before the body cancelled the test.",
            sourceLocation: sourceLocation)
        return false
    }
    let details = Comment(rawValue: found.report.details)
    // After a cancellation, the body may fail again for any input.
    guard let input = found.input, !Task.isCancelled else {
        Issue.record(found.report.comment, sourceLocation: sourceLocation)
        return false
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
    return false
}

extension Falsified {
    fileprivate var comment: Comment { Comment(rawValue: description) }
}

/// Returns whether `Test.cancel` threw the error, whose type is not public.
private func isCancellationOfTest(_ error: any Error) -> Bool {
    Task.isCancelled && String(reflecting: type(of: error)) == "Testing.SkipInfo"
}

/// An error for failed expectations of a body. The recorded issues state which ones failed.
private struct ExpectationsFailed: Error, CustomStringConvertible {
    var description: String { "An expectation failed." }
}

/// An issue handler that raises a flag for each failure of a test. It suppresses all issues until the search ends.
private final class FailureFlag: Sendable {
    private let test: Test
    private let isRaised = Atomic(false)
    private let hasEnded = Atomic(false)

    init(of test: Test) {
        self.test = test
    }

    /// Lowers the flag, and returns whether it was raised.
    @discardableResult func reset() -> Bool {
        // The flag is rarely raised, and a load is cheaper than an exchange.
        isRaised.load(ordering: .acquiring) && isRaised.exchange(false, ordering: .acquiringAndReleasing)
    }

    /// Stops suppressing issues, because a task of the body may record one later. Returns whether the flag was raised.
    func end() -> Bool {
        hasEnded.store(true, ordering: .sequentiallyConsistent)
        return isRaised.load(ordering: .sequentiallyConsistent)
    }

    @Sendable func swallow(_ issue: Issue) -> Issue? {
        guard test.recordsIssueAtHand else { return nil }
        if issue.isFailure { isRaised.store(true, ordering: .sequentiallyConsistent) }
        return hasEnded.load(ordering: .sequentiallyConsistent) ? issue : nil
    }
}

extension Test {
    /// Whether this test has recorded the issue for which a handler is being called.
    ///
    /// An issue that is recorded in a detached task belongs to no test. It is passed to the handlers of all tests, and
    /// is also reported without them. So a handler that returned it would report it again.
    fileprivate var recordsIssueAtHand: Bool { Test.current?.id == id }
}

/// An issue handler that adds a comment to the first issue that is a failure.
private final class FirstIssueComment: Sendable {
    private let comment: Comment
    private let test: Test
    private let isAdded = Locked(false)

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

/// Runs `body` on the caller's actor. Each issue that is recorded meanwhile is replaced by the result of `handle`.
private func withIssues<Result>(
    of test: Test, handledBy handle: @escaping @Sendable (Issue) -> Issue?,
    isolation: isolated (any Actor)?,
    _ body: nonisolated(nonsending) () async -> Result
) async -> Result {
    // Unchecked: only the closure below writes it, once, and it has returned when the value is read.
    nonisolated(unsafe) var result: Result?
    // Unchecked: it is called once, on the actor of this function, while this function waits.
    nonisolated(unsafe) let body = body
    do {
        try await IssueHandlingTrait.compactMapIssues(handle)
            .provideScope(for: test, testCase: Test.Case.current) {
                await call(isolation: isolation) { unsafe result = await body() }
            }
    } catch {
        fatalError("The scope of an issue handler threw \(error), although its body does not throw.")
    }
    guard let result = unsafe result else { fatalError("The scope of an issue handler did not run its body.") }
    return result
}

private func call(isolation: isolated (any Actor)?, _ body: nonisolated(nonsending) () async -> Void) async {
    await body()
}
