import Testing

/// A trait that says how the properties of a test, or of all tests of a suite, are tried.
///
/// ```swift
/// @Test(.cases(1_000)) func sorts() async { … }
/// @Test(.replay("t6av1qkxm5v8-5")) func sorts() async { … }
/// ```
public struct PropertyTrait: TestTrait, SuiteTrait, TestScoping {
    let change: @Sendable (inout PropertySettings) -> Void

    /// True: on a suite it is for all tests in it.
    public var isRecursive: Bool { true }

    /// Calls `function` with what this trait says of properties, on top of what traits around it say. The testing
    /// library calls it.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        var settings = PropertySettings.inherited ?? PropertySettings()
        change(&settings)
        try await PropertySettings.$inherited.withValue(settings, operation: function)
    }
}

extension Trait where Self == PropertyTrait {
    /// Tries `count` cases of each property in place of 100.
    ///
    /// Stops the process when `count` is less than one: a property of which nothing is tried would pass.
    public static func cases(_ count: Int) -> PropertyTrait {
        guard count > 0 else {
            fatalError(".cases(\(count)) tries no input, so every property would pass. To fix, pass 1 or more.")
        }
        return PropertyTrait { $0.cases = count }
    }

    /// Tries the case that a failure named first, and makes it small again; then the others.
    ///
    /// Stops the process when `text` is no line that a failure printed.
    public static func replay(_ text: String) -> PropertyTrait {
        guard let replay = Replay(text) else {
            fatalError(
                """
                .replay("\(text)") does not name a case. To fix, copy the replay line that the failing property printed.
                """
            )
        }
        return PropertyTrait { $0.replay = replay }
    }

    /// Tries the same cases each time.
    public static func seed(_ seed: UInt64) -> PropertyTrait {
        PropertyTrait { $0.seed = seed }
    }
}
