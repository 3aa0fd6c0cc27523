/// How a list of locations is fetched.
public struct FetchPlan: Sendable {
    /// How many loads there are at once.
    public var atOnce = 4
    /// How often a load is tried again.
    public var retries = 3
    /// How long to wait before the second try. Each further wait is twice as long, but none is longer than ten seconds,
    /// or than this where this is longer; but for the jitter.
    public var backoff = Duration.milliseconds(200)
    /// How much the waits differ from that, so that those who failed together do not come back together.
    public var jitter = 0.8...1.2
    /// How long one try may take.
    public var timeout = Duration.seconds(30)
    /// How long all of it may take.
    public var total = Duration.seconds(300)

    /// The plan that is good for most.
    public init() {}
}
