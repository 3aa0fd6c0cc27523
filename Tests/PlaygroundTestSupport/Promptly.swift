public import Testing

/// Lets the tests of a suite go ahead of others whenever they can.
///
/// A test that talks to another process shares its time with it: servers, sockets and programs have limits of their own,
/// and do not wait for a test whose turn is a minute away because a thousand others are ready. The tests that want to
/// compute lose nothing by it, as these wait most of the time. What is more urgent has threads of its own on Linux.
///
/// ```swift
/// @Suite(.promptly) struct ServerTests {
/// ```
public struct Promptly: SuiteTrait, TestTrait, TestScoping {
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withoutActuallyEscaping(function) { function in
            // Not a child task: one of a group is as urgent as its parent, whatever it is said to be.
            let task = Task(priority: .high) { try await function() }
            try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }
}

extension Trait where Self == Promptly {
    /// The tests go ahead of those that have no such trait.
    public static var promptly: Promptly { Promptly() }
}
