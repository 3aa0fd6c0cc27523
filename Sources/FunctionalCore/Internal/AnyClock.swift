/// A clock with its type and its instants erased. Its time is the duration since the `AnyClock` was created. If the clock
/// goes back, the time stands still at that moment, and then continues.
@usableFromInline
package struct AnyClock: Sendable {
    /// Returns the time. Calls the clock, which may be user code.
    @usableFromInline package let elapsed: @Sendable () -> Duration

    private let sleepUntil: @Sendable (Duration, ObjectIdentifier?) async throws -> Void

    @usableFromInline
    package init(_ clock: some Clock<Duration>) {
        let start = clock.now
        if clock is ContinuousClock {
            elapsed = { start.duration(to: clock.now) }
            sleepUntil = { time, queue in try await clock.tracedSleep(until: start.advanced(by: time), queue: queue) }
            return
        }
        // The latest reading of the clock, and how far it has gone back until then.
        let latest = Locked((reading: Duration.zero, lost: Duration.zero))
        elapsed = {
            let earlier = latest.withLock { $0 }
            let reading = start.duration(to: clock.now)
            return latest.withLock { latest in
                // If another thread has noticed meanwhile that the clock went back, this reading may be of either time.
                if latest.lost == earlier.lost {
                    // The earlier reading had ended before this one began, so the clock has gone back.
                    if reading < earlier.reading {
                        latest = (reading, latest.lost + latest.reading - reading)
                    } else {
                        latest.reading = max(latest.reading, reading)
                    }
                }
                return min(reading, latest.reading) + latest.lost
            }
        }
        sleepUntil = { time, queue in
            let reading = time - latest.withLock { $0.lost }
            try await clock.tracedSleep(until: start.advanced(by: reading), queue: queue)
        }
    }

    /// Suspends until the clock's time is `time`.
    ///
    /// - Parameters:
    ///   - time: The end of the sleep.
    ///   - queue: The policy queue that waits for the end of the sleep, or `nil` if no policy queue waits for it.
    /// - Throws: The error that the clock throws.
    package func sleep(until time: Duration, queue: ObjectIdentifier? = nil) async throws {
        try await sleepUntil(time, queue)
    }
}

extension Clock<Duration> {
    /// Returns the instant one period after `deadline`, or one period from now if that is over already. If the clock has
    /// gone back, the instant is at most one period from now.
    package func deadline(after deadline: Instant, by period: Duration) -> Instant {
        let (now, next) = (now, deadline.advanced(by: period))
        let latest = now.advanced(by: period)
        return next < now ? latest : min(next, latest)
    }
}

extension Duration {
    /// The longest delay, a hundred years. Because of this limit, sums and products of delays do not overflow.
    static var longest: Duration { .seconds(100 * 365 * 24 * 60 * 60) }

    /// This duration, limited to the range from zero to a hundred years, so that adding it to an instant does not
    /// overflow.
    @usableFromInline
    package var limited: Duration { min(max(self, .zero), .longest) }

    /// Returns the product of this duration and `factor`, or a hundred years if the product is longer. This duration
    /// must be at most a hundred years, and `factor` must be finite.
    func scaled(by factor: Double) -> Duration {
        (self / .seconds(1)) * factor < Duration.longest / .seconds(1) ? self * factor : .longest
    }
}
