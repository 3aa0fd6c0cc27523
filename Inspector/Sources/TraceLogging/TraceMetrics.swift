public import FunctionalCore
public import Metrics
import Synchronization

/// A sink that counts the events of a trace and records how long messages and works take, with swift-metrics.
///
/// The metrics are
/// - the counter `architecture_events`, with the dimensions `owner` and `kind`,
/// - the timer `architecture_processing`, with the dimension `owner`: the time in which a message is processed,
/// - the timer `architecture_work`, with the dimensions `owner` and `outcome`: the time from the start of a work to its
///   end. The outcome is `ended`, `cancelled` or `failed`.
///
/// The owner is the name of its type. Messages are no dimension, because a program has any number of them.
public final class TraceMetrics: TraceSink {
    private let factory: any MetricsFactory
    /// When messages and works that have not ended began, by the number of their event.
    private let starts = Mutex<[Int: Duration]>([:])

    public init(factory: any MetricsFactory = MetricsSystem.factory) { self.factory = factory }

    public func receive(_ event: TraceEvent) {
        let owner = event.owner.name
        let name = Self.name(of: event.kind)
        Counter(label: "architecture_events", dimensions: [("owner", owner), ("kind", name)], factory: factory)
            .increment()
        switch event.kind {
        case .received, .started:
            starts.withLock { $0[event.id] = event.time }
        case .handled(let message):
            record("architecture_processing", [("owner", owner)], from: message, to: event)
        case .ended(let work), .cancelled(let work), .failed(.some(let work), _):
            record("architecture_work", [("owner", owner), ("outcome", name)], from: work, to: event)
        default:
            break
        }
    }

    private func record(_ label: String, _ dimensions: [(String, String)], from start: Int, to end: TraceEvent) {
        guard let begin = starts.withLock({ $0.removeValue(forKey: start) }) else { return }
        Timer(label: label, dimensions: dimensions, factory: factory).record(duration: end.time - begin)
    }

    /// The name of a kind of events.
    private static func name(of kind: TraceEvent.Kind) -> String {
        switch kind {
        case .created: "created"
        case .received: "received"
        case .handled: "handled"
        case .changed: "changed"
        case .started: "started"
        case .suspended: "suspended"
        case .ended: "ended"
        case .cancelled: "cancelled"
        case .failed: "failed"
        case .recovered: "recovered"
        case .decided: "decided"
        case .dropped: "dropped"
        case .endlessChain: "endlessChain"
        case .closed: "closed"
        }
    }
}
