import FunctionalCore
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

    /// Checks the required shares of labels with a statistical test, as `checkCoverage` of QuickCheck does.
    ///
    /// ```swift
    /// @Test(.checkCoverage()) func halfOfTheNumbersAreEven() async {
    ///     await forAll(Gen.int(in: 0...9)) { classify($0 % 2 == 0, "even", atLeast: 0.4) }
    /// }
    /// ```
    ///
    /// Without this trait, a property compares the shares in its cases with the shares that ``classify(_:_:atLeast:)``
    /// requires. The shares in a run vary, so a required share must be well below the real one. With this trait, the
    /// property tries more cases until they decide, for each label, one of two questions:
    ///
    /// - The real share is smaller than the required one. The property then fails.
    /// - The real share is greater than nine tenths of the required one.
    ///
    /// For each label, the answer is wrong in at most one of `confidence` checks. Examples and a replayed case do not
    /// count, because they are not random.
    ///
    /// Traps if `confidence` is less than 1.
    ///
    /// - Complexity: For a share s, about 20,000 / s cases if the real share lies between s and nine tenths of s, and
    ///   seldom more than the ``PropertySettings/cases`` if it lies far outside. After the first cases, their number
    ///   doubles until they decide.
    /// - Parameter confidence: How many checks of a label have at most one wrong answer.
    public static func checkCoverage(confidence: Int = 1_000_000_000) -> PropertyTrait {
        checkCount(confidence, in: 1...(.max), of: "The argument confidence")
        return PropertyTrait { $0.confidence = confidence }
    }

    /// Sets the seed of the cases, so that each run tries the same cases.
    ///
    /// - Parameter seed: The seed that determines all cases.
    public static func seed(_ seed: UInt64) -> PropertyTrait {
        PropertyTrait { $0.seed = seed }
    }
}
