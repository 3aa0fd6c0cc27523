import ArchitectureTracing
import Foundation

/// A part of the rows of a page, as JSON arrays with one element to a line.
struct Chunk: Sendable {
    var rows: [UInt8]
    /// Empty if no row of the chunk has a state.
    var states: [UInt8]
    var count: Int

    var size: Int { rows.count + states.count }
}

/// Encodes the lines of a trace as rows of a page, in the format that `RowFormat` describes.
struct RowEncoder {
    static let maximumRows = 1_000
    static let maximumBytes = 1_000_000
    /// The longest texts, in characters.
    static let maximumText = 20_000
    static let maximumState = 16_000_000

    private(set) var owners: [LineHead.Owner] = []
    private var ownerPlaces: [LineHead.Owner: Int] = [:]
    private var threads: [Int: Int] = [:]
    private var states: [Int: OwnerState] = [:]
    private var chunk = Chunk(rows: [], states: [], count: 0)
    private var cutTexts = 0
    private var omittedStates: [(id: Int, count: Int)] = []

    private struct OwnerState {
        var text: String
        var scalars: [Unicode.Scalar]
        /// The cost and the number of the changes since the last whole state.
        var cost = 0
        var count = 0
    }

    /// One sentence for each thing that is missing in the rows.
    var notes: [String] {
        var notes: [String] = []
        if cutTexts > 0 {
            notes.append(cutTexts == 1 ? "A long text is cut." : "\(grouped(cutTexts)) long texts are cut.")
        }
        for (id, count) in omittedStates.prefix(20) {
            notes.append("The state of #\(id) has \(grouped(count)) characters and is left out.")
        }
        if omittedStates.count > 20 {
            notes.append("\(grouped(omittedStates.count)) states are too long and are left out.")
        }
        return notes
    }

    /// Adds a line. `json` is its text. Returns a chunk if it is complete.
    mutating func add(_ line: TraceLine, json: Data) -> Chunk? {
        let owner = place(of: line.head.owner)
        chunk.rows.append(contentsOf: chunk.count == 0 ? "[\n".utf8 : ",\n".utf8)
        appendRow(line, owner: owner, json: json)
        appendState(line, owner: owner)
        chunk.count += 1
        return chunk.count >= Self.maximumRows || chunk.size >= Self.maximumBytes ? finish() : nil
    }

    /// Returns the last chunk, or `nil` if no line was added after the chunk before.
    mutating func finish() -> Chunk? {
        guard chunk.count > 0 else { return nil }
        var result = chunk
        result.rows.append(contentsOf: "\n]".utf8)
        if !result.states.isEmpty { result.states.append(contentsOf: "\n]".utf8) }
        chunk = Chunk(rows: [], states: [], count: 0)
        return result
    }

    /// Returns the place of an owner. Places follow the order in which owners are first asked for.
    mutating func place(of owner: LineHead.Owner) -> Int {
        if let place = ownerPlaces[owner] { return place }
        ownerPlaces[owner] = owners.count
        owners.append(owner)
        return owners.count - 1
    }

    /// Returns the number of a thread, from 1. Numbers follow the order in which threads are first asked for.
    @discardableResult
    mutating func place(ofThread thread: Int) -> Int {
        if let place = threads[thread] { return place }
        let place = min(threads.count + 1, 65_535)
        threads[thread] = place
        return place
    }

    // MARK: Rows

    private mutating func appendRow(_ line: TraceLine, owner: Int, json: Data) {
        let head = line.head
        let kind = RowFormat.number(of: head.kind)
        let thread = place(ofThread: head.thread)
        chunk.rows.append(UInt8(ascii: "["))
        for number in [head.id, head.cause ?? 0, line.root] {
            chunk.rows.append(number)
            chunk.rows.append(UInt8(ascii: ","))
        }
        chunk.rows.append(contentsOf: "\(head.time)".utf8)
        for number in [thread, owner, kind, detail(of: line), line.messageID ?? head.workID ?? 0] {
            chunk.rows.append(UInt8(ascii: ","))
            chunk.rows.append(number)
        }
        let difference = cut(line.difference ?? [])
        let isEqualState =
            head.kind == .changed && difference.isEmpty && line.from != nil && line.from == line.state
        if head.kind == .endlessChain {
            chunk.rows.append(UInt8(ascii: ","))
            chunk.rows.appendJSON((line.messages ?? []).suffix(16).map { cut($0, 1_000) })
        } else {
            let text = cut(text(of: line, json: json), Self.maximumText)
            if !text.isEmpty || !difference.isEmpty || isEqualState {
                chunk.rows.append(UInt8(ascii: ","))
                chunk.rows.appendJSON(text)
            }
        }
        if !difference.isEmpty || isEqualState {
            chunk.rows.append(UInt8(ascii: ","))
            chunk.rows.appendJSON(difference)
        }
        chunk.rows.append(UInt8(ascii: "]"))
    }

    private func detail(of line: TraceLine) -> Int {
        let place = { (name: String?, names: [String]) in (name.flatMap(names.firstIndex(of:)) ?? -1) + 1 }
        return switch line.head.kind {
        case .received, .started: place(line.source, RowFormat.sources)
        case .decided: place(line.decision, RowFormat.decisions)
        case .dropped: place(line.reason, RowFormat.reasons)
        case .changed: min(line.observers ?? 0, 255)
        case .gap: line.head.missingEvents ?? 0
        default: 0
        }
    }

    private func text(of line: TraceLine, json: Data) -> String {
        switch line.head.kind {
        case nil: String(decoding: json.prefix(2_000), as: UTF8.self)
        case .failed: line.error ?? ""
        case .recovered: "\(line.error ?? "an error") became \(line.recovery ?? "something else")"
        case .changed: summary(of: line)
        default: line.message ?? line.subject ?? ""
        }
    }

    /// Says what a change has changed, if the trace has both states.
    private func summary(of line: TraceLine) -> String {
        guard let before = line.from, let after = line.state, before != after,
            max(before.utf8.count, after.utf8.count) <= ValueText.maximumBytes
        else { return "" }
        return ChangeSummary(from: before, to: after).text
    }

    private mutating func cut(_ text: String, _ length: Int) -> String {
        guard text.utf8.count > length,
            let end = text.unicodeScalars.index(text.startIndex, offsetBy: length, limitedBy: text.endIndex),
            end < text.endIndex
        else { return text }
        cutTexts += 1
        return "\(text[..<end])… (\(grouped(text.unicodeScalars.count)) characters)"
    }

    private mutating func cut(_ difference: [String]) -> [String] {
        var (lines, length): ([String], Int) = ([], 0)
        for line in difference {
            length += line.utf8.count
            if length > Self.maximumText { break }
            lines.append(line)
        }
        if lines.count < difference.count {
            lines.append("  … \(grouped(difference.count - lines.count)) more lines")
            cutTexts += 1
        }
        return lines
    }

    // MARK: States

    private mutating func appendState(_ line: TraceLine, owner: Int) {
        guard let after = line.state else { return }
        if after.utf8.count > Self.maximumState {
            let count = after.unicodeScalars.count
            if count > Self.maximumState {
                omittedStates.append((line.head.id, count))
                states[owner] = nil
                return
            }
        }
        chunk.states.append(contentsOf: chunk.states.isEmpty ? "[\n[".utf8 : ",\n[".utf8)
        chunk.states.append(chunk.count)
        var next = OwnerState(text: after, scalars: Array(after.unicodeScalars))
        defer {
            states[owner] = next
            chunk.states.append(UInt8(ascii: "]"))
        }
        // After a gap, the state before is not the last one that was seen.
        if let before = states[owner], line.head.kind != .changed || line.from == nil || line.from == before.text,
            before.count < 1_000
        {
            let changes = StateChanges(from: before.scalars, to: next.scalars)
            let cost = before.cost + changes.cost
            if cost <= max(next.scalars.count, 4_000) {
                (next.cost, next.count) = (cost, before.count + 1)
                for change in changes.changes.isEmpty ? [.init(keep: 0, drop: 0, insert: "")] : changes.changes {
                    chunk.states.append(UInt8(ascii: ","))
                    chunk.states.append(change.keep)
                    chunk.states.append(UInt8(ascii: ","))
                    chunk.states.append(change.drop)
                    chunk.states.append(UInt8(ascii: ","))
                    chunk.states.appendJSON(change.insert)
                }
                return
            }
        }
        chunk.states.append(UInt8(ascii: ","))
        chunk.states.appendJSON(after)
    }
}
