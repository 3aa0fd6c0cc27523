extension EnvIO where Value == Void {
    /// Returns a program that suspends for `duration`, measured by `clock`.
    ///
    /// No thread is blocked. If the run is cancelled, the program ends immediately.
    ///
    /// If `duration` is zero or less, the program ends immediately. A `Duration` of more than a hundred years counts as
    /// a hundred years. Clocks throw only on cancellation, so any error of the clock ends the run as cancelled.
    ///
    /// - Parameters:
    ///   - duration: How long to suspend.
    ///   - clock: The clock that measures `duration`. Pass a virtual clock in tests.
    @inlinable
    public static func sleep<C: Clock>(for duration: C.Duration, clock: C) -> EnvIO {
        // Other duration types have units and limits of their own.
        let duration = (duration as? Duration)?.limited as? C.Duration ?? duration
        return EnvIO(waiting: { _, register in
            do {
                try await clock.sleep(until: clock.now.advanced(by: duration), tolerance: nil)
                register.put(())
                return .value
            } catch {
                return .cancelled
            }
        })
    }

    /// Returns a program that suspends for `duration`, measured by the continuous clock.
    @inlinable
    public static func sleep(for duration: Duration) -> EnvIO {
        sleep(for: duration, clock: ContinuousClock())
    }
}

extension EnvIO {
    /// Returns a program that suspends for `duration` and then runs this program.
    ///
    /// If the run is cancelled during the delay, this program does not start.
    @inlinable
    public func delay(for duration: Duration, clock: some Clock<Duration> = .continuous) -> EnvIO {
        EnvIO<Environment, Failure, Void>.sleep(for: duration, clock: clock).followed(by: self)
    }
}
