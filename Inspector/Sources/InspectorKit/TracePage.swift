import Foundation

/// A page that shows a trace, as one file without network.
package struct TracePage {
    /// The most bytes of rows that a page embeds.
    package static let maximumBytes = 200_000_000

    package let data: Data
    /// The number of entries on the page.
    package let count: Int
    /// What the page says about what is missing, in sentences.
    package let notes: [String]
    /// The encoder of the page, for rows that follow it.
    let encoder: RowEncoder

    /// Creates the page of a trace, or of a range of it.
    ///
    /// If the rows have more than `maximumBytes`, the page contains the last part that fits. A page that does not contain
    /// the beginning also contains the starts of works under way and the last state of each owner before it.
    package init(_ file: TraceFile, range: TraceRange? = nil, maximumBytes: Int = Self.maximumBytes) throws {
        try self.init(file, range: range, maximumBytes: maximumBytes, encoder: RowEncoder(), run: nil)
    }

    init(_ file: TraceFile, range: TraceRange?, maximumBytes: Int, encoder: RowEncoder, run: Int?) throws {
        let rows = try EmbeddedRows(file, range: range, maximumBytes: maximumBytes, encoder: encoder)
        let meta = PageMeta(
            title: file.name, rows: rows.count, owners: rows.owners, notes: file.notes + rows.notes, range: rows.range,
            run: run)
        let elements = rows.elements()
        data = try PageTemplate("index").page(
            meta: meta.json, first: elements.first, rest: elements.rest, connects: run != nil)
        count = rows.count
        self.encoder = rows.encoder
        notes = [rows.range].compactMap(\.self) + meta.notes
    }
}

/// The rows of a trace that a page embeds.
struct EmbeddedRows {
    private(set) var chunks: [Chunk] = []
    /// The encoder of the rows.
    private(set) var encoder: RowEncoder
    private(set) var range: String?
    /// The entries of the rows.
    private(set) var entries: [TraceEntry]

    var count: Int { entries.count }
    var owners: [LineHead.Owner] { encoder.owners }
    var notes: [String] { encoder.notes }

    /// Encodes rows. `start` may know owners and threads already, which then keep their places.
    init(_ file: TraceFile, range: TraceRange? = nil, maximumBytes: Int, encoder start: RowEncoder = RowEncoder())
        throws
    {
        let all = file.entries
        var first = all.startIndex
        var last = all.endIndex
        if let range {
            first = all.firstIndex(where: range.contains) ?? all.endIndex
            last = (all.lastIndex(where: range.contains) ?? first - 1) + 1
            self.range = "Range \(range.text): \(grouped(last - first)) of \(grouped(all.count)) entries."
        }
        entries = []
        var hasContext = first < last
        while true {
            let context = hasContext ? all.context(before: first) : []
            entries = context.sorted().map { all[$0] } + all[first..<last]
            encoder = start
            var kept: [Chunk] = []
            var (size, dropped) = (0, 0)
            let isRow = { $0 >= first || context.contains($0) }
            try file.encode(all[..<last], where: isRow, with: &encoder) { chunk in
                kept.append(chunk)
                size += chunk.size
                // The rest of what does not fit is encoded again, with other states at its beginning.
                while size > maximumBytes && kept.count > 1 {
                    size -= kept[0].size
                    dropped += kept[0].count
                    kept.removeFirst()
                }
            }
            if dropped == 0 {
                chunks = kept
                break
            }
            // Leaves room for the states with which the part begins.
            let fitting = last - first - dropped
            first = last - max(1, min(fitting, (last - first) - 1) * 19 / 20)
            hasContext = last - first > 1
            self.range = """
                The last \(grouped(last - first)) of \(grouped(all.count)) entries, because a page contains at most \
                \(grouped(maximumBytes / 1_000_000)) MB. Choose others with --range.
                """
        }
        if first > all.startIndex && hasContext {
            self.range? += " Before them are the works under way and the last state of each owner."
        }
    }

    /// The elements of the first chunk, and those of the others.
    func elements(_ attributes: String = "") -> (first: [PageTemplate.Element], rest: [PageTemplate.Element]) {
        let elements = chunks.enumerated().map { index, chunk in
            [PageTemplate.Element(attributes: "\(attributes)data-rows=\"\(index)\"", content: chunk.rows)]
                + (chunk.states.isEmpty
                    ? []
                    : [PageTemplate.Element(attributes: "\(attributes)data-states=\"\(index)\"", content: chunk.states)])
        }
        return (Array(elements.prefix(1).joined()), Array(elements.dropFirst().joined()))
    }
}
