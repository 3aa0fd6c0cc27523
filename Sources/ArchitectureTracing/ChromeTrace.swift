public import Foundation
public import FunctionalCore

/// The events of a trace in the Trace Event Format of Chrome, which Perfetto and `chrome://tracing` show.
///
/// ```swift
/// try ChromeTrace(events.all).write(to: URL(filePath: "feed.json"))
/// ```
///
/// To see a trace, open the file at <https://ui.perfetto.dev>. The page shows
/// - each component, loop and store as a process, and each of its threads,
/// - the processing of a message as a slice of its thread,
/// - a work as a track of its own, from its start to its end,
/// - the creation and the end of an owner, changes, policy decisions, dropped messages, endless chains, gaps, and
///   failures outside of works as instants,
/// - an arrow from each message to the messages that it causes, also through works.
///
/// The arguments of a slice, a track or an instant are the properties of its ``TraceRecord``.
///
/// The end of a message or a work whose beginning is not among the events, for example because a `TraceBuffer` has
/// released it, is omitted. The format is described in "Trace Event Format" (Google, 2016).
public struct ChromeTrace: Sendable {
    private let records: [TraceRecord]

    /// Creates a Chrome trace of the events of a trace, which may be in any order.
    ///
    /// - Complexity: O(n log n) in the number of events, plus the cost of describing their values.
    public init(_ events: some Sequence<TraceEvent>) {
        self.init(JSONLines(events))
    }

    /// Creates a Chrome trace of events that were read from JSON lines, which may be in any order.
    ///
    /// ```swift
    /// try ChromeTrace(JSONLines(decoding: lines)).write(to: URL(filePath: "feed.json"))
    /// ```
    ///
    /// - Complexity: O(n log n) in the number of events.
    public init(_ lines: JSONLines) {
        records = lines.records.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
    }

    /// The JSON object in UTF-8.
    ///
    /// - Complexity: O(n log n) in the number of events.
    public var data: Data { json(ChromeDocument(traceEvents: ChromeEvent.events(of: records))) }

    /// Writes the JSON object to a file, and replaces what is in it.
    ///
    /// - Throws: The error of Foundation if the file cannot be written.
    public func write(to file: URL) throws {
        try data.write(to: file)
    }
}

/// The JSON object that a file in the Trace Event Format consists of.
private struct ChromeDocument: Encodable {
    let displayTimeUnit = "ms"
    let traceEvents: [ChromeEvent]
}
