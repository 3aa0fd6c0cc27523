import FunctionalCore

/// A source of inputs that runs for as long as the state asks for it, such as a timer, a connection or a location.
///
/// A ``Component`` asks for the subscriptions of each state. It starts new subscriptions, keeps running subscriptions,
/// and cancels all other subscriptions. Subscriptions with the same id count as the same subscription. If a state asks
/// for several of them, only the first runs, and a line on standard error says so, once for each id.
///
/// ```swift
/// let component = Component(
///     initialState: Stopwatch(), environment: (), dispatcher: stopwatch,
///     subscriptions: { state in
///         state.isRunning ? [.every(.seconds(1), id: "tick") { StopwatchInput.tick }] : []
///     })
/// ```
///
/// A subscription is a description and does nothing by itself. Each start creates a task on the component's executor,
/// and evaluates the component's environment.
public struct Subscription<Environment, Input>: Sendable {
    /// The id by which a component recognizes the subscription.
    public let id: SubscriptionID

    @usableFromInline
    let run: nonisolated(nonsending) @Sendable (Environment, @escaping @Sendable (Input) -> Void) async throws -> Void

    @usableFromInline
    init(
        id: SubscriptionID,
        run:
            nonisolated(nonsending) @escaping @Sendable (
                Environment, @escaping @Sendable (Input) -> Void
            ) async throws -> Void
    ) {
        self.id = id
        self.run = run
    }
}

// MARK: - Creating subscriptions

extension Subscription {
    /// Returns a subscription that runs `body`, which sends inputs through a closure.
    ///
    /// ```swift
    /// .run(id: "chat") { server, send in
    ///     try await server.connect { message in send(message) }
    /// }
    /// ```
    ///
    /// The subscription ends when `body` returns or throws. When the state no longer asks for the subscription, the
    /// task of `body` is cancelled.
    ///
    /// `send` may be called from any thread. Inputs are processed in the order in which they are sent. Inputs that are
    /// sent after `body` has returned are dropped. Once the state no longer asks for the subscription, inputs that have
    /// not been processed are dropped, too.
    ///
    /// - Parameters:
    ///   - id: The id of the subscription.
    ///   - body: Called in a task for each start, with the environment and the closure that sends inputs.
    public static func run(
        id: some Hashable & Sendable,
        _ body:
            nonisolated(nonsending) @escaping @Sendable (
                Environment, _ send: @escaping @Sendable (Input) -> Void
            ) async throws -> Void
    ) -> Subscription {
        Subscription(id: SubscriptionID(id), run: body)
    }

    /// Returns a subscription that sends the elements of a sequence, and ends when the sequence ends.
    ///
    /// The subscription does not wait for the work of an input before it takes the next element.
    ///
    /// ```swift
    /// .stream(id: share) { server in server.prices(of: share).map { .price($0) } }
    /// ```
    ///
    /// - Parameters:
    ///   - id: The id of the subscription.
    ///   - inputs: Returns the sequence. Called for each start, with the environment.
    public static func stream<Inputs: AsyncSequence & SendableMetatype>(
        id: some Hashable & Sendable,
        _ inputs: @escaping @Sendable (Environment) throws -> Inputs
    ) -> Subscription where Inputs.Element == Input, Inputs.AsyncIterator: SendableMetatype {
        run(id: id) { environment, send in
            let iterator = Iteration(try inputs(environment).makeAsyncIterator())
            while !Task.isCancelled, let input = try await iterator.next() { send(input) }
        }
    }

    /// Returns a subscription that sends an input at a regular interval, for the first time after one interval.
    ///
    /// An input that is late does not delay the next input. But if it is late by more than an interval, the inputs that
    /// were due in the meantime are not sent. The next input is then sent a full interval after the late input.
    ///
    /// - Parameters:
    ///   - interval: The time from one input to the next. It must be more than zero; otherwise this traps.
    ///   - id: The id of the subscription.
    ///   - clock: The clock that measures the interval. Tests pass a virtual clock.
    ///   - input: Returns the input to send. Called each time.
    public static func every(
        _ interval: Duration,
        id: some Hashable & Sendable,
        clock: some Clock<Duration> = .continuous,
        _ input: @escaping @Sendable () -> Input
    ) -> Subscription {
        guard interval > .zero else {
            programmerError(
                """
                A subscription that sends \(Input.self) has an interval of \(interval), so it would never wait. \
                To fix, give it an interval of more than zero.
                """)
        }
        let interval = interval.limited
        return run(id: id) { _, send in
            var next = clock.now.advanced(by: interval)
            while !Task.isCancelled {
                try await clock.tracedSleep(until: next)
                send(input())
                next = clock.deadline(after: next, by: interval)
            }
        }
    }
}
