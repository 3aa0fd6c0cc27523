import ArchitectureTracing
import Foundation
import FunctionalCore

/// A part of the rows of a page, as JSON arrays with one element to a line.
struct Chunk: Sendable {
    var rows: [UInt8]
    /// For some rows, the state after it: `[row, state]`, `[row, changes]` if the row does not have all of its changes, or
    /// `[row, null]` if it is unknown. The states of other rows follow from their changes. Empty if there are none.
    var states: [UInt8]
    var count: Int

    var size: Int { rows.count + states.count }
}

/// Encodes the lines of a trace as rows of a page, in the format that `RowFormat` describes.
struct RowEncoder {
    static let maximumRows = 1_000
    static let maximumBytes = 1_000_000
    /// The longest texts in characters, and the longest changes and lines with a state in bytes.
    static let maximumText = 20_000
    static let maximumState = 16_000_000
    /// How many changes of an owner follow a whole state, and how many bytes if the state is small.
    private static let maximumChanges = 1_000
    private static let smallState = 4_000

    private(set) var owners: [LineHead.Owner] = []
    private var ownerPlaces: [LineHead.Owner: Int] = [:]
    private var threads: [Int: Int] = [:]
    /// The states of owners after the lines so far.
    var states: [LineHead.Owner: OwnerState] = [:]
    private var chunk = Chunk(rows: [], states: [], count: 0)
    private var cutTexts = 0
    private var unknownStates = 0
    private var omittedStates: [(id: Int, size: Int)] = []

    struct OwnerState {
        var tree: ValueTree
        /// The size of the last whole state among the rows, and the sizes and the number of the changes since then.
        var whole: (size: Int, changes: Int, count: Int)?
    }

    /// One sentence for each thing that is missing in the rows.
    var notes: [String] {
        var notes: [String] = []
        if cutTexts > 0 {
            notes.append(cutTexts == 1 ? "A long text is cut." : "\(grouped(cutTexts)) long texts are cut.")
        }
        for (id, size) in omittedStates.prefix(20) {
            notes.append("The line of #\(id) has \(grouped(size)) bytes, and its state is left out.")
        }
        if omittedStates.count > 20 {
            notes.append("\(grouped(omittedStates.count)) lines are too long, and their states are left out.")
        }
        if unknownStates > 0 {
            notes.append(
                "\(unknownStates == 1 ? "One state is" : "\(grouped(unknownStates)) states are") unknown, because the "
                    + "trace does not have the state before.")
        }
        return notes
    }

    /// Follows the state of a line that is not a row.
    mutating func follow(_ line: TraceLine) {
        let owner = line.head.owner
        if let state = line.state {
            states[owner] = OwnerState(tree: state)
        } else if let changes = line.changes, var state = states[owner] {
            let tree = changes.reduce(state.tree as ValueTree?) { tree, change in tree?.applying(change) }
            if let tree { state.tree = tree }
            states[owner] = tree == nil ? nil : state
        } else if line.head.hasState || line.head.kind == .changed {
            states[owner] = nil
        }
    }

    /// Adds a line. `json` is its text. Returns a chunk if it is complete.
    mutating func add(_ line: TraceLine, json: Data) -> Chunk? {
        let owner = place(of: line.head.owner)
        chunk.rows.append(contentsOf: chunk.count == 0 ? "[\n".utf8 : ",\n".utf8)
        appendState(line, json: json, changes: appendRow(line, owner: owner, json: json))
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

    /// Returns the size of the changes in the row, or `nil` if not all of them fit.
    private mutating func appendRow(_ line: TraceLine, owner: Int, json: Data) -> Int? {
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
        if head.kind == .endlessChain {
            chunk.rows.append(UInt8(ascii: ","))
            chunk.rows.appendJSON((line.messages ?? []).suffix(16).map { cut($0, 1_000) })
        } else {
            let text = cut(text(of: line, json: json), Self.maximumText)
            if !text.isEmpty || line.changes != nil {
                chunk.rows.append(UInt8(ascii: ","))
                chunk.rows.appendJSON(text)
            }
        }
        let begin = chunk.rows.count
        var isCut = false
        if let changes = line.changes {
            chunk.rows.append(UInt8(ascii: ","))
            isCut = !chunk.rows.appendJSON(changes, limit: Self.maximumText)
        }
        defer { chunk.rows.append(UInt8(ascii: "]")) }
        if isCut { cutTexts += 1 }
        return isCut ? nil : chunk.rows.count - begin
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
        case .changed: ChangeSummary(line.changes ?? []).text
        default: line.message ?? line.subject ?? ""
        }
    }

    private mutating func cut(_ text: String, _ length: Int) -> String {
        guard text.utf8.count > length,
            let end = text.unicodeScalars.index(text.startIndex, offsetBy: length, limitedBy: text.endIndex),
            end < text.endIndex
        else { return text }
        cutTexts += 1
        return "\(text[..<end])… (\(grouped(text.unicodeScalars.count)) characters)"
    }

    // MARK: States

    /// Appends the state after the row, unless it follows from the changes in the row, which have a size of `changes`.
    private mutating func appendState(_ line: TraceLine, json: Data, changes: Int?) {
        let owner = line.head.owner
        let wasKnown = states[owner] != nil
        follow(line)
        guard line.head.hasState || wasKnown && line.head.kind == .changed else { return }
        if let changes, add(changes, to: owner) { return }
        chunk.states.append(contentsOf: chunk.states.isEmpty ? "[\n[".utf8 : ",\n[".utf8)
        chunk.states.append(chunk.count)
        chunk.states.append(UInt8(ascii: ","))
        defer { chunk.states.append(UInt8(ascii: "]")) }
        let begin = chunk.states.count
        if let state = states[owner] {
            if changes == nil, state.whole != nil, let changes = line.changes {
                chunk.states.appendJSON(changes)
                if add(chunk.states.count - begin, to: owner) { return }
                chunk.states.removeSubrange(begin...)
            }
            chunk.states.appendJSON(state.tree)
            states[owner]?.whole = (chunk.states.count - begin, 0, 0)
        } else {
            chunk.states.append(contentsOf: "null".utf8)
            if json.count > Self.maximumState {
                omittedStates.append((line.head.id, json.count))
            } else {
                unknownStates += 1
            }
        }
    }

    /// Counts changes of a size. Returns `false` if the whole state takes their place.
    private mutating func add(_ size: Int, to owner: LineHead.Owner) -> Bool {
        guard let whole = states[owner]?.whole, whole.count < Self.maximumChanges,
            whole.changes + size <= max(whole.size, Self.smallState)
        else { return false }
        states[owner]?.whole = (whole.size, whole.changes + size, whole.count + 1)
        return true
    }
}
