import FunctionalCore
public import VirtualTime

/// A clock that can be set back, as the clock on the wall can. Its time passes with that of a virtual clock. A sleep takes
/// as long as it should when it begins.
public struct SettableClock: Clock {
    private let clock: VirtualClock
    private let offset = Guarded(Duration.zero)

    public init(_ clock: VirtualClock) {
        self.clock = clock
    }

    public var now: VirtualClock.Instant { clock.now.advanced(by: offset.value) }
    public var minimumResolution: Duration { .zero }

    /// Sets the clock back.
    public func setBack(by duration: Duration) {
        offset.withLock { $0 -= duration }
    }

    public func sleep(until deadline: VirtualClock.Instant, tolerance: Duration?) async throws {
        try await clock.sleep(until: clock.now.advanced(by: now.duration(to: deadline)), tolerance: tolerance)
    }
}
