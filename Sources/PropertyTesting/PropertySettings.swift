/// How many cases of a property are tried, and which.
public struct PropertySettings: Sendable {
    /// How many cases are tried; 100 unless it is said otherwise. One at least, or none and a case to replay: a
    /// property of which nothing is tried would pass, and stops the process.
    public var cases: Int
    /// What all cases follow from; chosen at random when `nil`.
    public var seed: UInt64?
    /// A case to try before the others.
    public var replay: Replay?
    /// How many smaller inputs are tried at most when one fails. With 0 the first one found is reported.
    public var shrinkTries: Int

    /// Settings for one property.
    public init(cases: Int = 100, seed: UInt64? = nil, replay: Replay? = nil, shrinkTries: Int = 2_000) {
        self.cases = cases
        self.seed = seed
        self.replay = replay
        self.shrinkTries = shrinkTries
    }

    @TaskLocal static var inherited: PropertySettings?

    /// What the traits of the running test say, or the defaults; and at least as many cases as the environment variable
    /// `PROPERTY_CASES` says, which is for soak runs. `PROPERTY_SEED` sets the seed where nothing else does.
    ///
    /// Stops the process when one of the variables is set and is no number.
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
