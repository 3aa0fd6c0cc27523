extension EnvIO where Environment: Sendable, Value: Sendable {
    /// This program, and where it has not ended after `duration`, `other` in its place: a failure, or something that
    /// will do.
    ///
    /// ```swift
    /// let page = load.timeout(.seconds(2), otherwise: .fail(.slow))
    /// let soonest = load.timeout(.seconds(2), otherwise: cached)
    /// ```
    ///
    /// By then this program has been cancelled and has ended, finalizers and all; one that does not heed cancellation
    /// takes its time. It runs in a task of its own, in no actor's isolation. With a duration of zero or less it is a
    /// race against nothing, which a program that never waits may still win.
    @inlinable
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
    /// This program, which fails with ``TimeoutError`` where it has not ended after `duration`. See
    /// ``timeout(_:clock:otherwise:)``.
    @inlinable
    public func timeout(_ duration: Duration, clock: some Clock<Duration> = .continuous) -> EnvIO {
        timeout(duration, clock: clock, otherwise: .fail(TimeoutError(duration: duration)))
    }
}

extension EnvIO where Environment: Sendable, Value: Sendable, Failure == Never {
    /// This program, which fails with ``TimeoutError``, as it can for no other reason, where it has not ended after
    /// `duration`. See ``timeout(_:clock:otherwise:)``.
    @inlinable
    public func timeout(
        _ duration: Duration, clock: some Clock<Duration> = .continuous
    ) -> EnvIO<Environment, TimeoutError, Value> {
        setFailureType(to: TimeoutError.self)
            .timeout(duration, clock: clock, otherwise: .fail(TimeoutError(duration: duration)))
    }
}

/// A program did not end in time.
public struct TimeoutError: Error, Hashable, CustomStringConvertible {
    /// How long it had.
    public let duration: Duration

    /// The failure of a program that had `duration` to end.
    public init(duration: Duration) {
        self.duration = duration
    }

    /// What happened, in words.
    public var description: String { "The program did not end within \(duration)." }
}
