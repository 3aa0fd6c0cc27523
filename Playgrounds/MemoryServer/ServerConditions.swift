import FunctionalCore

/// How a server in memory answers: how long an answer takes, and which requests fail.
///
/// A server in memory is a value of an environment, such as a `PostsAPI`. It awaits `answer()` in each of its functions.
/// A person changes the conditions while the program runs, with a ``ServerCommand``.
package final class ServerConditions: Sendable {
    /// The reason why a request fails.
    package enum Fault: Error, Equatable, CustomStringConvertible {
        case connectionLost
        case status(Int)

        package var description: String {
            switch self {
            case .connectionLost: "The server closed the connection without sending anything."
            case .status(let status): "The server answered with status \(status)."
            }
        }
    }

    package static let latency = Duration.milliseconds(300)
    package static let longLatency = Duration.seconds(2)

    private struct Values: Sendable {
        var latency: Duration
        var delay = Duration.zero
        var faults: [Fault] = []
    }

    private let values: Ref<Values>
    private let sleep: @Sendable (Duration) async throws -> Void

    package init(latency: Duration = ServerConditions.latency, clock: some Clock<Duration> = ContinuousClock()) {
        values = Ref(Values(latency: latency))
        sleep = { duration in try await clock.sleep(for: duration) }
    }

    /// Changes how requests that arrive from now on are answered.
    package func perform(_ command: ServerCommand) {
        values.modify { values in
            switch command {
            case .latency(let latency?): values.latency = latency
            case .latency(nil): values.latency = values.latency < Self.longLatency ? Self.longLatency : Self.latency
            case .delay(let delay): values.delay += delay
            case .error(let fault): values.faults.append(fault)
            }
        }
    }

    /// Waits as long as the answer to a request takes. Cancelling the calling task ends the wait.
    ///
    /// - Throws: `Fault` if the request fails, or `CancellationError`.
    package func answer() async throws {
        let (duration, fault) = values.modify { values in
            defer { values.delay = .zero }
            return (values.latency + values.delay, values.faults.isEmpty ? nil : values.faults.removeFirst())
        }
        try await sleep(duration)
        if let fault { throw fault }
    }
}
