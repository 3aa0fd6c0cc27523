import Synchronization

/// The part of a trace that all its owners share: the numbers of the events, the clock and the sink.
final class TraceRecorder: Sendable {
    let sink: any TraceSink
    let maximumGrowth: Int
    let elapsed: @Sendable () -> Duration
    private let lastEvent: Atomic<Int>
    private let lastOwner = Atomic<Int>(0)
    /// The maximum length of a chain of messages, for owners that are created without a maximum of their own. `nil` if
    /// the trace sets no maximum.
    let maximumChain: Int?

    init(
        _ sink: any TraceSink, maximumGrowth: Int, clock: any Clock<Duration>, lastEvent: Int = 0,
        maximumChain: Int? = nil
    ) {
        self.lastEvent = Atomic(lastEvent)
        self.maximumChain = maximumChain
        self.sink = sink
        self.maximumGrowth = maximumGrowth
        // Specialized for the default clock, which is read for each event.
        elapsed = if let clock = clock as? ContinuousClock { AnyClock(clock).elapsed } else { AnyClock(clock).elapsed }
    }

    func nextOwner() -> Int { lastOwner.add(1, ordering: .relaxed).newValue }

    func next() -> Int { lastEvent.add(1, ordering: .relaxed).newValue }
}
