extension EnvIO where Value == Void {
    /// Returns a program that suspends for `duration`, measured by `clock`.
    ///
    /// No thread is blocked. If the run is cancelled, the program ends immediately.
    ///
    /// If `duration` is zero or less, the program ends immediately. More than a hundred years count as a hundred years.
    /// If the clock throws although the run is not cancelled, the program fails with the error of the clock. If
    /// `Failure` cannot hold that error, the run ends as cancelled, and the error is written to standard error.
    /// <doc:Limits> has the same rule for other work that waits for a clock.
    ///
    /// - Parameters:
    ///   - duration: How long to suspend.
    ///   - clock: The clock that measures `duration`. Pass a virtual clock in tests.
    @_alwaysEmitIntoClient
    public static func sleep(for duration: Duration, clock: some Clock<Duration> = .continuous) -> EnvIO {
        let duration = duration.limited
        return EnvIO(waiting: { _, register in
            do {
                try await clock.tracedSleep(for: duration)
                register.put(())
                return .value
            } catch {
                return register.put(errorOfClock: error, as: Failure.self)
            }
        })
    }
}

extension EnvIO {
    /// Returns a program that suspends for `duration` and then runs this program.
    ///
    /// If the run is cancelled during the delay, this program does not start.
    @_alwaysEmitIntoClient
    public func delay(for duration: Duration, clock: some Clock<Duration> = .continuous) -> EnvIO {
        EnvIO<Environment, Failure, Void>.sleep(for: duration, clock: clock).followed(by: self)
    }

    /// Returns a program that succeeds with the value of this program and the time that the program took.
    ///
    /// ```swift
    /// let page = load.timed().tap { print("Loaded in \($0.duration).") }.map { $0.value }
    /// ```
    ///
    /// The time of a program that fails or is cancelled is not measured. If the clock goes back meanwhile, the time is not
    /// negative.
    ///
    /// - Parameter clock: The clock that measures the time. Pass a virtual clock in tests.
    @_alwaysEmitIntoClient
    public func timed(
        clock: some Clock<Duration> = .continuous
    ) -> EnvIO<Environment, Failure, (duration: Duration, value: Value)> {
        .suspend {
            let start = clock.now
            return map { (max(.zero, start.duration(to: clock.now)), $0) }
        }
    }
}

// MARK: - Time limits

extension EnvIO where Environment: Sendable, Value: Sendable {
    /// Returns a program that runs this program, and replaces it by `other` if it has not ended after `duration`.
    ///
    /// ```swift
    /// let page = load.timeout(.seconds(2), otherwise: .fail(.slow))
    /// let soonest = load.timeout(.seconds(2), otherwise: cached)
    /// ```
    ///
    /// At the timeout, this program is cancelled. `other` starts when this program has ended, including its finalizers.
    /// So a program that does not respond to cancellation delays `other`.
    ///
    /// This program runs in a task of its own, outside of any actor. Even with a duration of zero or less, a program
    /// that never suspends may end before the timeout.
    ///
    /// - Parameters:
    ///   - duration: How long this program may take.
    ///   - clock: The clock that measures `duration`. Pass a virtual clock in tests.
    ///   - other: The program to run after the timeout.
    @_alwaysEmitIntoClient
    public func timeout(
        _ duration: Duration, clock: some Clock<Duration> = .continuous, otherwise other: EnvIO
    ) -> EnvIO {
        raceResult(EnvIO<Environment, Failure, Void>.sleep(for: duration, clock: clock)).flatMap { end in
            switch end {
            case .left(let value): EnvIO(form: .pure(value))
            case .right: other
            }
        }
    }
}

extension EnvIO where Environment: Sendable, Value: Sendable, Failure == any Error {
    /// Returns a program that runs this program, and fails with ``TimeoutError`` if it has not ended after `duration`.
    ///
    /// See ``timeout(_:clock:otherwise:)``.
    @_alwaysEmitIntoClient
    public func timeout(_ duration: Duration, clock: some Clock<Duration> = .continuous) -> EnvIO {
        timeout(duration, clock: clock, otherwise: .fail(TimeoutError(duration: duration)))
    }
}

extension EnvIO where Environment: Sendable, Value: Sendable, Failure == Never {
    /// Returns a program that runs this program, and fails with ``TimeoutError`` if it has not ended after `duration`.
    ///
    /// This program cannot fail, so a timeout is the only possible failure. See ``timeout(_:clock:otherwise:)``.
    @_alwaysEmitIntoClient
    public func timeout(
        _ duration: Duration, clock: some Clock<Duration> = .continuous
    ) -> EnvIO<Environment, TimeoutError, Value> {
        setFailureType(to: TimeoutError.self)
            .timeout(duration, clock: clock, otherwise: .fail(TimeoutError(duration: duration)))
    }
}

/// An error that reports that a program did not end in time.
public struct TimeoutError: Error, Hashable, CustomStringConvertible {
    /// The time limit that the program exceeded.
    public let duration: Duration

    /// Creates the error for a program that exceeded a limit of `duration`.
    public init(duration: Duration) {
        self.duration = duration
    }

    /// A textual description that contains the time limit.
    public var description: String { "The program did not end within \(duration)." }
}
