public import FunctionalCore

/// What a store does with an effect whose stream fails.
///
/// The failure is reported to ``Store/onError(_:)`` in any case. All work of the effect is cancelled.
///
/// To end only the request that has failed, handle the failure before it reaches the end of the effect's stream. Effects
/// made by `map` and `run` do this. In other effects, apply ``ActionStream/replaceError(with:)`` or
/// ``ActionStream/catch(_:)`` to the stream that the closure of `flatMap` returns.
public struct FailurePolicy: Sendable {
    /// The maximum number of restarts in a row.
    let count: Int
    let pauses: Schedule<any Error>
    /// Sleeps on the clock that measures the pauses.
    let sleep: @Sendable (Duration) async throws -> Void

    /// A policy that ends the effect.
    public static var stop: FailurePolicy { .restart(atMost: 0) }

    /// Returns a policy that restarts the effect after a pause, at most `count` times in a row.
    ///
    /// The effect ends when it fails once more, or when the schedule stops.
    ///
    /// When an action reaches the end of the effect's stream, the count and the schedule start from their beginning,
    /// even if the effect does not dispatch the action. An action that the stream emits while it starts, such as that
    /// of `prepend`, does not count.
    ///
    /// The action at which the stream failed is not delivered again. The effect receives no actions during the pause.
    /// ``Store/settled()`` waits for the end of the pause. Cancelling the effect ends the pause. A pause of zero ends at
    /// once. If the clock throws, the error is reported and the effect ends.
    ///
    /// ```swift
    /// onFailure: .restart(atMost: 3, after: .spaced(.seconds(1)))
    /// ```
    ///
    /// - Parameters:
    ///   - count: The maximum number of restarts in a row. Creating an effect traps if it is negative.
    ///   - pauses: Returns the pause after each failure in a row, with the error as the input. It stops when the effect
    ///     must end. Only the pauses count as its elapsed time. By default, the first pause takes 100 milliseconds, and
    ///     each further pause twice as long as the one before, but at most 10 seconds.
    ///   - clock: The clock that measures the pauses. Tests can pass a virtual clock.
    public static func restart(
        atMost count: Int,
        after pauses: Schedule<any Error> = .exponential(base: .milliseconds(100)).capped(at: .seconds(10)),
        clock: some Clock<Duration> = .continuous
    ) -> FailurePolicy {
        FailurePolicy(count: count, pauses: pauses) { try await clock.tracedSleep(for: $0) }
    }
}
