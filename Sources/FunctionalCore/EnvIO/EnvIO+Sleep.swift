extension EnvIO where Value == Void {
    /// A program that waits for `duration` on `clock`, without holding a thread. When the run is cancelled it ends at
    /// once.
    ///
    /// A duration of zero or less is over at once, and one of more than a hundred years ends with those. A clock throws
    /// for no other reason than cancellation; whatever it throws ends the run as cancelled. In tests, give it a clock
    /// that is advanced by hand.
    @inlinable
    public static func sleep<C: Clock>(for duration: C.Duration, clock: C) -> EnvIO {
        // Other clocks measure in units of their own, and know what they can bear.
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

    /// A program that waits for `duration` of real time.
    @inlinable
    public static func sleep(for duration: Duration) -> EnvIO {
        sleep(for: duration, clock: ContinuousClock())
    }
}

extension EnvIO {
    /// This program, after a wait of `duration`. When the run is cancelled meanwhile, it does not begin.
    @inlinable
    public func delay(for duration: Duration, clock: some Clock<Duration> = .continuous) -> EnvIO {
        EnvIO<Environment, Failure, Void>.sleep(for: duration, clock: clock).followed(by: self)
    }
}
