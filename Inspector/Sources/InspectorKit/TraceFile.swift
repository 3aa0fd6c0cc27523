import Foundation

/// An error for the user of the inspector, as a sentence.
package struct InspectorError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// A file with a trace: JSON lines as `JSONLines` and `JSONLinesFile` of ArchitectureTracing write them.
///
/// Only the places of the lines are in memory. Not thread-safe.
package final class TraceFile {
    package let name: String
    /// The events in the order of their numbers.
    package let entries: [TraceEntry]
    /// One sentence for each reason why lines were skipped.
    package let notes: [String]
    private let lines: LineReader
    private let decoder = JSONDecoder()
    private var progress: (String, Double) -> Void = { _, _ in }

    /// Reads the places of the events. If the file contains several traces, `number` chooses one of them.
    /// Each step passes its name, and the part that is done, from 0 to 1, to `progress`.
    package convenience init(
        _ url: URL, trace number: Int = 1, progress: @escaping (String, Double) -> Void = { _, _ in }
    ) throws {
        let lines = try LineReader(url)
        var index = TraceIndex()
        let showPart = { (part: Double) in progress("Reading", part) }
        try lines.readLines(progress: showPart) { index.add($0) }
        try lines.readRest { index.add($0) }
        let count = max(1, index.traces.count)
        guard number >= 1 && number <= count else {
            throw InspectorError(
                "--trace must be from 1 to \(count), the number of traces in \(url.lastPathComponent).")
        }
        var notes: [String] = []
        if count > 1 {
            notes.append(
                "The file contains \(count) traces. This page shows number \(number). Choose another with --trace NUMBER."
            )
        }
        let entries = index.traces.isEmpty ? [] : index.traces[number - 1].sorted { $0.id < $1.id }
        if entries.isEmpty { notes.append("The file contains no events.") }
        self.init(name: url.lastPathComponent, entries: entries, notes: notes + index.notes, lines: lines)
        self.progress = progress
    }

    init(name: String, entries: [TraceEntry], notes: [String], lines: LineReader) {
        (self.name, self.entries, self.notes, self.lines) = (name, entries, notes, lines)
    }

    func line(of entry: TraceEntry) throws -> (line: TraceLine, json: Data) {
        let json = try lines.data(at: entry.offset, count: entry.count)
        decoder.userInfo[.omitsStates] = entry.isTooLongForStates ? true : nil
        do {
            return (try decoder.decode(TraceLine.self, from: json), json)
        } catch {
            throw InspectorError("\(name) has changed while it was read. To see a file that grows, use --follow.")
        }
    }

    /// Adds the lines of some events to an encoder, and passes each chunk to `body`. The lines of the others are
    /// followed: they have the states that the rows begin with.
    func encode(
        _ entries: ArraySlice<TraceEntry>, where isRow: (Int) -> Bool, with encoder: inout RowEncoder,
        _ body: (Chunk) -> Void
    ) throws {
        for (place, entry) in zip(entries.indices, entries) {
            if !isRow(place) {
                if entry.hasState { encoder.follow(try line(of: entry).line) }
                continue
            }
            let (line, json) = try line(of: entry)
            guard let chunk = encoder.add(line, json: json) else { continue }
            body(chunk)
            progress("Encoding", Double(place + 1) / Double(entries.count))
        }
        if let chunk = encoder.finish() { body(chunk) }
    }
}
