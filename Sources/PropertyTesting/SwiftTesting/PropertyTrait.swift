import Testing

/// A trait that changes the settings of the properties of a test, or of all tests in a suite.
///
/// If a suite and a test in it have the same kind of trait, the trait of the test applies.
///
/// ```swift
/// @Test(.cases(1_000)) func sorts() async { … }
/// @Test(.replay("t6av1qkxm5v8-5")) func sorts() async { … }
/// ```
public struct PropertyTrait: TestTrait, SuiteTrait, TestScoping {
    let change: @Sendable (inout PropertySettings) -> Void

    /// `true`, because the trait of a suite applies to all tests in it.
    public var isRecursive: Bool { true }

    /// Calls `function` with the settings of the surrounding traits, changed by this trait. Swift Testing calls this
    /// method.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        var settings = PropertySettings.inherited ?? PropertySettings()
        change(&settings)
        try await PropertySettings.$inherited.withValue(settings, operation: function)
    }
}

extension Trait where Self == PropertyTrait {
    /// Sets the number of cases of each property, which is 100 by default.
    ///
    /// Traps if `count` is less than 1, because a property without cases always passes.
    ///
    /// - Parameter count: The number of cases.
    public static func cases(_ count: Int) -> PropertyTrait {
        guard count > 0 else {
            fatalError(".cases(\(count)) tries no input, so every property would pass. To fix, pass 1 or more.")
        }
        return PropertyTrait { $0.cases = count }
    }

    /// Tries the case of an earlier failure before the others, and shrinks it again if it fails.
    ///
    /// All properties of the test try the case: each call of `forAll`, for each argument of the test. Each of them
    /// generates its own input from the case. The traits `.cases` and `.seed` do not affect this input.
    ///
    /// To try only one other case, add the trait `.cases(1)`. To try no other case, call `falsify` with
    /// `PropertySettings(cases: 0, replay: Replay("t6av1qkxm5v8-5"))`.
    ///
    /// Traps if `text` is not the text of a replay.
    ///
    /// - Parameter text: The text that the failing property printed.
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

    /// Sets the seed of the cases, so that each run tries the same cases.
    ///
    /// - Parameter seed: The seed that determines all cases.
    public static func seed(_ seed: UInt64) -> PropertyTrait {
        PropertyTrait { $0.seed = seed }
    }
}
