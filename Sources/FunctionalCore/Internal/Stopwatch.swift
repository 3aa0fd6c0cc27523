/// A clock whose type is forgotten, and with it its instants: it counts from when the stopwatch was made.
package struct Stopwatch: Sendable {
    /// How much time has passed. Calls the clock, so user code.
    package let elapsed: @Sendable () -> Duration

    private let sleepUntil: @Sendable (Duration) async throws -> Void

    package init<C: Clock<Duration>>(_ clock: C) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleepUntil = { elapsed in try await clock.sleep(until: start.advanced(by: elapsed), tolerance: nil) }
    }

    /// Waits until so much time has passed since the beginning; throws when the task is cancelled.
    package func sleep(until elapsed: Duration) async throws {
        try await sleepUntil(elapsed)
    }
}
