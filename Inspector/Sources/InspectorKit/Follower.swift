import Foundation

/// Follows a trace while its program writes it. Of several traces in a file, it follows the last one. Thread-safe.
package actor Follower {
    private let url: URL
    private var lines: LineReader
    private var index = TraceIndex()
    /// The events in the order of their numbers, with which the page is up to date.
    private var entries: [TraceEntry] = []
    /// Events that wait for one with a lower number.
    private var waiting: [(entry: TraceEntry, since: Duration)] = []
    /// Gives the owners and the threads of `entries` the places that they have on each page, in the order of their events.
    private var places = RowEncoder()
    /// For each owner in that order, the place of its first event.
    private var firstRows: [Int] = []
    /// The states after a number of rows, the last few.
    private var states: [(rows: Int, states: [LineHead.Owner: RowEncoder.OwnerState])] = []
    private var run = 1
    /// The number of traces in the file.
    private var traces = 1

    package init(_ url: URL) throws {
        self.url = url
        lines = try LineReader(url)
    }

    /// Reads what was added to the file. An event is held back for a second if one with a lower number is missing,
    /// because threads may write in another order. `now` is the time since any moment.
    package func update(now: Duration) throws {
        if try lines.hasBegunAgain() {
            lines = try LineReader(url)
            traces = 1
            beginAgain()
        }
        try lines.readLines { line in
            guard var entry = index.add(line) else { return }
            if index.traces.count > 1 {
                // A program has written a further trace to the file.
                traces += 1
                beginAgain()
                entry = index.add(line)!
            }
            if let last = entries.last, entry.id <= last.id {
                index.skip(line.number, .late)
            } else {
                waiting.append((entry, now))
            }
        }
        waiting.sort { $0.entry.id < $1.entry.id }
        var count = 0
        for (entry, since) in waiting {
            let last = entries.last?.id ?? 0
            guard entry.id - (entry.missingEvents ?? 1) <= last || now - since >= .seconds(1) else { break }
            let place = places.place(of: index.owners[entry.owner])
            if place == firstRows.count { firstRows.append(entries.count) }
            places.place(ofThread: entry.thread)
            entries.append(entry)
            count += 1
        }
        waiting.removeFirst(count)
    }

    private func beginAgain() {
        (index, entries, waiting, places, firstRows, states) = (TraceIndex(), [], [], RowEncoder(), [], [])
        run += 1
    }

    private var notes: [String] {
        (traces > 1 ? ["The file contains \(traces) traces. This page shows the last one."] : []) + index.notes
    }

    /// Returns the page of what was read.
    package func page(maximumBytes: Int = TracePage.maximumBytes) throws -> Data {
        let page = try TracePage(file(entries), range: nil, maximumBytes: maximumBytes, encoder: places, run: run)
        keep(page.encoder, after: entries.count)
        return page.data
    }

    /// Returns an encoder of the rows after the first `count`, which knows the states before them.
    private func encoder(after count: Int) throws -> RowEncoder {
        let known = states.filter { $0.rows <= count }.max { $0.rows < $1.rows } ?? (0, [:])
        var encoder = places
        encoder.states = known.states
        let file = file([])
        for entry in entries[known.rows..<count] where entry.hasState {
            encoder.follow(try file.line(of: entry).line)
        }
        keep(encoder, after: count)
        return encoder
    }

    /// Several pages may show the trace, and each asks for the rows that it does not have.
    private func keep(_ encoder: RowEncoder, after rows: Int) {
        states = states.suffix(7).filter { $0.rows != rows } + [(rows, encoder.states)]
    }

    /// Returns the rows after the one with the number `id` as JSON: `{"rows", "states", "owners", "notes",
    /// "rowNotes"}`, with at most 1,000 rows. The rows are an empty text if there are none. `notes` is about all lines that
    /// were read, and `rowNotes` about these rows.
    ///
    /// If the page follows another run, returns `{"restart": true}`.
    package func rows(after id: Int, run: Int) throws -> Data {
        guard run == self.run else { return Data("{\"restart\":true}".utf8) }
        let count = (entries.lastIndex { $0.id <= id } ?? -1) + 1
        let end = min(entries.count, count + RowEncoder.maximumRows)
        var encoder = try encoder(after: count)
        var chunks: [Chunk] = []
        for entry in entries[count..<end] {
            let (line, json) = try file([]).line(of: entry)
            if let chunk = encoder.add(line, json: json) {
                // The page asks for the others next.
                chunks.append(chunk)
                break
            }
        }
        let chunk = chunks.first ?? encoder.finish() ?? Chunk(rows: [], states: [], count: 0)
        keep(encoder, after: count + chunk.count)
        let isNew = { (row: Int) in row >= count && row < count + chunk.count }
        let first = firstRows.firstIndex(where: isNew) ?? 0
        let last = (firstRows.lastIndex(where: isNew) ?? first - 1) + 1
        var json = Array("{\"rows\":".utf8)
        json.appendJSON(String(decoding: chunk.rows, as: UTF8.self))
        json.append(contentsOf: ",\"states\":".utf8)
        json.appendJSON(String(decoding: chunk.states, as: UTF8.self))
        json.append(contentsOf: ",\"owners\":".utf8)
        json.appendOwners(places.owners[first..<last])
        json.append(contentsOf: ",\"notes\":".utf8)
        json.appendJSON(notes)
        json.append(contentsOf: ",\"rowNotes\":".utf8)
        json.appendJSON(encoder.notes)
        json.append(UInt8(ascii: "}"))
        return Data(json)
    }

    private func file(_ entries: [TraceEntry]) -> TraceFile {
        TraceFile(name: url.lastPathComponent, entries: entries, notes: notes, lines: lines)
    }
}
