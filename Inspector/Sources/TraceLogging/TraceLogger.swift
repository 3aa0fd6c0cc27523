public import ArchitectureTracing
public import FunctionalCore
public import Logging

/// A sink that writes the events of a trace as log lines of swift-log.
///
/// ```swift
/// let trace = Trace(to: TraceLogger(Logger(label: "feed")))
/// ```
///
/// The properties of an event are the metadata of its line. Failures, dropped messages and endless chains are logged as
/// errors and warnings. Everything else is logged with the level `debug`, or `trace` for what happens most often.
public struct TraceLogger: TraceSink {
    private let logger: Logger

    public init(_ logger: Logger) { self.logger = logger }

    public func receive(_ event: TraceEvent) {
        let level = Self.level(of: event.kind)
        // Describing values costs time. What the logger ignores is not described.
        guard level >= logger.logLevel else { return }
        let record = TraceRecord(event)
        logger.log(level: level, "\(record.kind.rawValue)", metadata: Self.metadata(of: record))
    }

    /// The level of an event.
    public static func level(of kind: TraceEvent.Kind) -> Logger.Level {
        switch kind {
        case .failed: .error
        case .dropped, .endlessChain: .warning
        case .recovered: .info
        case .created, .closed, .received, .changed, .started, .decided: .debug
        case .handled, .suspended, .ended, .cancelled: .trace
        }
    }

    /// The properties of an event as metadata.
    public static func metadata(of record: TraceRecord) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "event": "\(record.id)", "root": "\(record.root)", "owner": "\(record.owner)",
        ]
        metadata["cause"] = record.cause.map { "\($0)" }
        metadata["message"] = record.message.map { "\($0)" }
        metadata["source"] = record.source.map { "\($0)" }
        metadata["subject"] = record.subject.map { "\($0)" }
        metadata["decision"] = record.decision.map { "\($0)" }
        metadata["work"] = record.workID.map { "\($0)" }
        metadata["error"] = record.error.map { "\($0)" }
        metadata["state"] = record.state.map { "\($0)" }
        metadata["changes"] = record.changes.map { .array($0.map { "\(text(of: $0))" }) }
        metadata["messages"] = record.messages.map { .array($0.map { "\($0)" }) }
        return metadata
    }

    /// A change as its path and the values, as in `posts.3.title: "a" → "b"`.
    private static func text(of change: ValueChange) -> String {
        let path = change.path.map { step in
            switch step {
            case .label(let label): label
            case .index(let index): "\(index)"
            }
        }
        return "\(path.joined(separator: ".")): \(change.from?.description ?? "") → \(change.to?.description ?? "")"
    }
}
