/// The number of cases of a property, their seed, the confidence in labels, and the limits of shrinking.
public struct PropertySettings: Sendable {
    /// The number of cases to try. The default is 100.
    ///
    /// Must be positive, or 0 if there is a case to replay. Otherwise the check traps, because a property without cases
    /// always passes.
    public var cases: Int
    /// The seed that determines all cases, or `nil` for a random seed.
    public var seed: UInt64?
    /// A case to try before the others, or `nil`.
    public var replay: Replay?
    /// The greatest number of tries to find a smaller input when an input fails. With 0, the first failing input is
    /// reported. The default is 2,000.
    ///
    /// A try counts although it does not call the body, for example because its input was tried before.
    ///
    /// The check traps if it is negative.
    public var shrinkTries: Int
    /// The longest time of the search for smaller inputs when an input fails. The default is five minutes, which is
    /// also the limit of Hypothesis. If it is not positive, the first failing input is reported.
    ///
    /// A try that has begun is not interrupted. The counterexample of a search that this limit ends depends on the
    /// speed of the machine, and the report states that.
    public var shrinkTime: Duration
    /// The confidence with which shares of labels are checked, or `nil` to compare the shares of the cases with the
    /// required ones. The default is `nil`.
    ///
    /// With a confidence of n, at most one in n checks of a label has the wrong result. The trait
    /// `.checkCoverage(confidence:)` sets it, and describes the check.
    ///
    /// The check traps if it is less than 1.
    public var confidence: Int?
    /// The clock of ``shrinkTime``. The time that the machine sleeps does not count.
    package var clock: any Clock<Duration> = SuspendingClock()

    /// Creates settings for a property.
    public init(
        cases: Int = 100, seed: UInt64? = nil, replay: Replay? = nil, shrinkTries: Int = 2_000,
        shrinkTime: Duration = .seconds(300), confidence: Int? = nil
    ) {
        self.cases = cases
        self.seed = seed
        self.replay = replay
        self.shrinkTries = shrinkTries
        self.shrinkTime = shrinkTime
        self.confidence = confidence
    }

    @TaskLocal static var inherited: PropertySettings?

    /// The settings of the running test: those of its traits, changed by environment variables.
    ///
    /// Outside of a test, they are the default settings, changed in the same way.
    ///
    /// Two environment variables change the settings:
    ///
    /// - `PROPERTY_CASES` is a lower bound for the number of cases, for long runs.
    /// - `PROPERTY_SEED` is the seed if no trait sets one.
    ///
    /// An empty variable counts as unset. Traps if a variable has another value than a whole number of 0 or more.
    public static var current: PropertySettings {
        var settings = inherited ?? PropertySettings()
        settings.cases = max(settings.cases, fromEnvironment.cases ?? 0)
        settings.seed = settings.seed ?? fromEnvironment.seed
        return settings
    }

    private static let fromEnvironment: (cases: Int?, seed: UInt64?) = (
        number("PROPERTY_CASES"), number("PROPERTY_SEED")
    )

    private static func number<Number: FixedWidthInteger>(_ name: String) -> Number? {
        guard let text = Platform.environment(name), !text.isEmpty else { return nil }
        guard let number = Number(text), number >= 0 else {
            fatalError(
                "The environment variable \(name) is \"\(text)\". To fix, set it to a whole number, or unset it.")
        }
        return number
    }
}
