/// A clock with its type and its instants erased. Its time is the duration since the `AnyClock` was created.
@usableFromInline
package struct AnyClock: Sendable {
    /// Returns the time. Calls the clock, which may be user code.
    @usableFromInline package let elapsed: @Sendable () -> Duration

    private let sleepUntil: @Sendable (Duration, ObjectIdentifier?) async throws -> Void

    @usableFromInline
    package init(_ clock: some Clock<Duration>) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleepUntil = { time, queue in try await clock.tracedSleep(until: start.advanced(by: time), queue: queue) }
    }

    /// Suspends until the clock's time is `time`.
    ///
    /// - Parameters:
    ///   - time: The end of the sleep.
    ///   - queue: The queue of a policy that waits for the end of the sleep, if there is one.
    /// - Throws: The error that the clock throws.
    package func sleep(until time: Duration, queue: ObjectIdentifier? = nil) async throws {
        try await sleepUntil(time, queue)
    }
}

extension Duration {
    /// A hundred years. No delay is longer, so sums and products of delays do not overflow.
    static var longest: Duration { .seconds(100 * 365 * 24 * 60 * 60) }

    /// This duration, but at least zero and at most a hundred years, so that adding it to an instant does not overflow.
    @usableFromInline
    package var limited: Duration { min(max(self, .zero), .longest) }

    /// Returns this duration multiplied by `factor`, but at most a hundred years. This duration must not exceed this
    /// limit, and `factor` must be finite.
    func scaled(by factor: Double) -> Duration {
        (self / .seconds(1)) * factor < Duration.longest / .seconds(1) ? self * factor : .longest
    }
}
