public import Testing

/// A trait that runs tests with high priority.
///
/// For tests that share their time with another process. Servers, sockets and programs have time limits of their own.
/// They do not wait for a test that runs a minute later because a thousand others are ready. If the child process of an
/// exit test has ended, Swift Testing 6.3 polls the kernel without a pause until the test collects the child, which
/// occupies a core.
///
/// These tests wait most of the time, so they do not slow down the others. On Linux, tasks of a higher priority have
/// threads of their own.
///
/// ```swift
/// @Suite(.promptly) struct ServerTests {
/// ```
public struct Promptly: SuiteTrait, TestTrait, TestScoping {
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withoutActuallyEscaping(function) { function in
            // Not a child task: in a group, a child has the priority of its parent, even if it is given another one.
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
    /// A trait that runs tests before those without it, where possible.
    public static var promptly: Promptly { Promptly() }
}
