/// The limits and delays with which a list of locations is fetched.
public struct FetchPlan: Sendable {
    /// The maximum number of loads at once.
    public var atOnce = 4
    /// The maximum number of retries of a load.
    public var retries = 3
    /// The delay before the first retry. Each further delay is twice as long, up to the larger of ten seconds and this
    /// delay. The jitter is applied afterwards.
    public var backoff = Duration.milliseconds(200)
    /// The range of factors for the delays, so that loads that failed together are not retried together.
    public var jitter = 0.8...1.2
    /// The time limit of one try.
    public var timeout = Duration.seconds(30)
    /// The time limit of all loads.
    public var total = Duration.seconds(300)

    /// Creates a plan with default values.
    public init() {}
}
