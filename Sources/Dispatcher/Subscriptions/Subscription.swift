import FunctionalCore

/// Something that goes on, and sends inputs, for as long as the state asks for it: a timer, a connection, a location.
///
/// A ``Component`` is told which subscriptions each state asks for. It starts those that are new, leaves those alone
/// that go on, and cancels the others. Subscriptions of one id are the same.
///
/// ```swift
/// let component = Component(
///     initialState: Stopwatch(), environment: (), dispatcher: stopwatch,
///     subscriptions: { state in
///         state.isRunning ? [.every(.seconds(1), id: "tick") { StopwatchInput.tick }] : []
///     })
/// ```
///
/// A subscription is a description, and does nothing by itself. Each start runs in a task of its own, on the
/// component's executor, with the environment as it is then.
public struct Subscription<Environment, Input>: Sendable {
    /// What says whether a subscription is the one that is running.
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

// MARK: - Making one

extension Subscription {
    /// A subscription that lasts as long as `body` runs, and sends inputs by the closure that this is given.
    ///
    /// ```swift
    /// .run(id: "chat") { server, send in
    ///     try await server.connect { message in send(.received(message)) }
    /// }
    /// ```
    ///
    /// The closure may be called from any thread. What it is given arrives in order, and not at all once `body` has
    /// returned, or the state asks for the subscription no longer. When it does not, the task of `body` is cancelled.
    public static func run(
        id: some Hashable & Sendable,
        _ body:
            nonisolated(nonsending) @escaping @Sendable (
                Environment, _ send: @escaping @Sendable (Input) -> Void
            ) async throws -> Void
    ) -> Subscription {
        Subscription(id: SubscriptionID(id), run: body)
    }

    /// A subscription to a sequence of inputs, as they come. It ends with the sequence.
    ///
    /// ```swift
    /// .stream(id: share) { server in server.prices(of: share).map { .price($0) } }
    /// ```
    public static func stream<Inputs: AsyncSequence & SendableMetatype>(
        id: some Hashable & Sendable,
        _ inputs: @escaping @Sendable (Environment) throws -> Inputs
    ) -> Subscription where Inputs.Element == Input, Inputs.AsyncIterator: SendableMetatype {
        run(id: id) { environment, send in
            let iterator = Iteration(try inputs(environment).makeAsyncIterator())
            while !Task.isCancelled, let input = try await iterator.next() { send(input) }
        }
    }

    /// A subscription to a clock: an input whenever so much time has passed, for the first time after one interval.
    ///
    /// Where the program was held up for longer than an interval, what was missed is not made up for.
    ///
    /// - Parameters:
    ///   - interval: How long it is from one input to the next; more than nothing.
    ///   - id: What the subscription is known by.
    ///   - clock: What measures the interval; a virtual one in tests.
    ///   - input: The input to send, made each time.
    public static func every(
        _ interval: Duration,
        id: some Hashable & Sendable,
        clock: some Clock<Duration> = .continuous,
        _ input: @escaping @Sendable () -> Input
    ) -> Subscription {
        guard interval > .zero else {
            fault(
                """
                A subscription to \(Input.self) was to send every \(interval), which never lets it wait. \
                To fix, give it an interval of more than zero.
                """)
        }
        let interval = interval.limited
        return run(id: id) { _, send in
            var next = clock.now.advanced(by: interval)
            while true {
                try await clock.sleep(until: next, tolerance: nil)
                send(input())
                next = next.advanced(by: interval)
                let now = clock.now
                if next < now { next = now.advanced(by: interval) }
            }
        }
    }
}
