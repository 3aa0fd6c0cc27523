import ArchitectureTracing
import Foundation

/// Where an event is in the file of its trace, and what choosing events needs to know of it.
package struct TraceEntry: Sendable {
    package let id: Int
    package let kind: TraceRecord.Kind?
    package let time: Double
    package let cause: Int?
    let workID: Int?
    let missingEvents: Int?
    let hasState: Bool
    /// The place of the owner in `TraceIndex.owners`.
    let owner: Int
    let thread: Int
    let offset: Int
    let count: Int

    /// Whether the state or the changes are left out, because the line is too long.
    var isTooLongForStates: Bool { hasState && count > RowEncoder.maximumState }
}

/// The events of the traces in a file. Skips and counts the lines that are no events.
struct TraceIndex {
    /// The events of each trace, in the order of the file. A file has several if files were joined.
    private(set) var traces: [[TraceEntry]] = []
    private(set) var owners: [LineHead.Owner] = []
    private var ownerPlaces: [LineHead.Owner: Int] = [:]
    private var seen: Set<Int> = []
    private var skips: [Skip: (first: Int, count: Int)] = [:]
    private let decoder = JSONDecoder()

    /// Adds the event of a line. Returns `nil` if the line was skipped.
    @discardableResult
    mutating func add(_ line: LineReader.Line) -> TraceEntry? {
        var data = line.data
        if line.number == 1 && data.starts(with: [0xEF, 0xBB, 0xBF]) { data = data.dropFirst(3) }
        while let last = data.last, last == 0x0D || last == 0x20 || last == 0x09 { data.removeLast() }
        if data.isEmpty && !line.isTooLong { return nil }
        do {
            if line.isTooLong { throw Skip.tooLong }
            if String(validating: data, as: UTF8.self) == nil { throw line.isComplete ? Skip.notUTF8 : .cutOff }
            let head = try head(of: data, isComplete: line.isComplete)
            if head.kind != .gap {
                if seen.contains(head.id) {
                    guard head.kind == .created || head.id <= 2 else { throw Skip.repeated }
                    traces.append([])
                    seen = []
                }
                seen.insert(head.id)
            }
            if traces.isEmpty { traces.append([]) }
            let owner = place(of: head.owner)
            let entry = TraceEntry(
                id: head.id, kind: head.kind, time: head.time, cause: head.cause, workID: head.workID,
                missingEvents: head.missingEvents, hasState: head.hasState, owner: owner,
                thread: head.thread,
                offset: line.offset + (data.startIndex - line.data.startIndex), count: data.count)
            traces[traces.count - 1].append(entry)
            return entry
        } catch {
            skip(line.number, error as? Skip ?? .notJSON)
            return nil
        }
    }

    private func head(of data: Data, isComplete: Bool) throws -> LineHead {
        do {
            return try decoder.decode(LineHead.self, from: data)
        } catch let skip as Skip {
            throw skip
        } catch DecodingError.typeMismatch {
            throw Skip.notAnObject
        } catch {
            throw isComplete ? Skip.notJSON : .cutOff
        }
    }

    private mutating func place(of owner: LineHead.Owner) -> Int {
        if let place = ownerPlaces[owner] { return place }
        ownerPlaces[owner] = owners.count
        owners.append(owner)
        return owners.count - 1
    }

    mutating func skip(_ line: Int, _ reason: Skip) {
        let (first, count) = skips[reason] ?? (line, 0)
        skips[reason] = (first, count + 1)
    }

    /// One sentence for each reason why lines were skipped.
    var notes: [String] {
        skips.sorted { $0.value.first < $1.value.first }.map { reason, lines in
            lines.count == 1
                ? "Skipped: line \(lines.first) \(reason.reason)."
                : "Skipped: \(grouped(lines.count)) lines, the first of which, line \(lines.first), \(reason.reason)."
        }
    }
}

/// A number with its digits in groups of three.
func grouped(_ number: Int) -> String {
    var digits = String(number.magnitude)
    var place = digits.count - 3
    while place > 0 {
        digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
        place -= 3
    }
    return number < 0 ? "-\(digits)" : digits
}
