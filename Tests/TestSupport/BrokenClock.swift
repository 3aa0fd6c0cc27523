/// A clock whose `sleep` throws at once.
public struct BrokenClock: Clock {
    public let now = ContinuousClock.now  // No time: nothing reads it later.
    public let minimumResolution = Duration.zero
    private let error: any Error

    /// Creates a clock that throws `error`.
    public init(_ error: any Error) {
        self.error = error
    }

    public func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        throw error
    }
}
