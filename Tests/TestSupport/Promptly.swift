public import Testing

/// Lets a test go ahead of others whenever it can.
///
/// For tests that share their time with another process. Servers, sockets and programs have limits of their own, and do
/// not wait for a test whose turn is a minute away because a thousand others are ready; and as long as nobody has asked
/// for the child of an exit test that has ended, Swift Testing 6.3 asks the kernel about it without a pause, which
/// takes a core from the rest. These tests wait most of the time, so that nobody loses by it; on Linux what is more
/// urgent has threads of its own.
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
