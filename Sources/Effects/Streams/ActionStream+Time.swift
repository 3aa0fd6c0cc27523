import FunctionalCore

extension ActionStream {
    /// Each value after which none came for `interval`.
    ///
    /// `clock` measures the interval: a virtual one in tests.
    public func debounce(for interval: Duration, clock: some Clock<Duration> = .continuous) -> ActionStream {
        flatMap(.debounce(for: interval, clock: clock)) { value in .just(value) }
    }

    /// At most one value in each `interval`: the first at once, and then the last that came during the interval, or
    /// with `latest: false` the first.
    ///
    /// `clock` measures the interval: a virtual one in tests.
    public func throttle(
        for interval: Duration,
        latest: Bool = true,
        clock: some Clock<Duration> = .continuous
    ) -> ActionStream {
        flatMap(.throttle(for: interval, latest: latest, clock: clock)) { value in .just(value) }
    }

    /// Each value, `interval` later.
    ///
    /// `clock` measures the interval: a virtual one in tests.
    public func delay<C: Clock<Duration>>(for interval: Duration, clock: C = .continuous) -> ActionStream {
        map { value in Delayed(value: value, deadline: clock.now.advanced(by: interval)) }
            .flatMap(.queued) { delayed in
                ActionStream {
                    try await clock.sleep(until: delayed.deadline, tolerance: nil)
                    return delayed.value
                }
            }
    }
}

/// A value, and when it is to be handed on.
private struct Delayed<Value: Sendable, Instant: Sendable>: Sendable {
    let value: Value
    let deadline: Instant
}
