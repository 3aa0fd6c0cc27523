import Foundation
import FunctionalCore

/// Which entries of two runs correspond.
struct RunComparison: Equatable {
    /// Entries that correspond, or a part in which the runs differ.
    struct Block: Equatable {
        var isEqual: Bool
        var left: Int
        var right: Int
    }

    private(set) var blocks: [Block] = []

    /// How far entries that correspond are looked for after a difference.
    private static let window = 256

    /// The number of entries before the first difference, or `nil` if there is none.
    var firstDifference: Int? {
        guard let index = blocks.firstIndex(where: { !$0.isEqual }) else { return nil }
        return blocks[..<index].reduce(0) { $0 + $1.left }
    }

    /// Compares two runs by a number for each entry, which is equal for entries that correspond.
    init(_ left: [Int], _ right: [Int]) {
        var (i, j) = (0, 0)
        // Limits the time for two runs that have little in common.
        var steps = 50_000_000
        while i < left.count || j < right.count {
            var equal = 0
            while i + equal < left.count && j + equal < right.count && left[i + equal] == right[j + equal] {
                equal += 1
            }
            if equal > 0 { blocks.append(Block(isEqual: true, left: equal, right: equal)) }
            (i, j) = (i + equal, j + equal)
            guard i < left.count || j < right.count else { break }
            let (p, q) = next(left[i...], right[j...], window: steps > 0 ? Self.window : 4, &steps)
            append(p, q)
            (i, j) = (i + p, j + q)
        }
    }

    private mutating func append(_ left: Int, _ right: Int) {
        if let last = blocks.last, !last.isEqual {
            blocks[blocks.count - 1] = Block(isEqual: false, left: last.left + left, right: last.right + right)
        } else {
            blocks.append(Block(isEqual: false, left: left, right: right))
        }
    }

    /// Returns how many entries of both runs differ until two in a row correspond.
    private func next(_ left: ArraySlice<Int>, _ right: ArraySlice<Int>, window: Int, _ steps: inout Int) -> (Int, Int)
    {
        let (m, n) = (min(left.count, window), min(right.count, window))
        guard m > 0 && n > 0 else { return (left.count, right.count) }
        for distance in 1..<(m + n - 1) {
            for p in max(0, distance - n + 1)...min(distance, m - 1) {
                let (i, j) = (left.startIndex + p, right.startIndex + distance - p)
                steps -= 1
                guard left[i] == right[j] else { continue }
                let (isLast, isOtherLast) = (i + 1 == left.endIndex, j + 1 == right.endIndex)
                if isLast || isOtherLast ? isLast == isOtherLast : left[i + 1] == right[j + 1] {
                    return (p, distance - p)
                }
            }
        }
        return (m, n)
    }
}

extension TraceFile {
    /// Returns a number for each entry, which is equal for entries of two runs that correspond. It does not depend on
    /// numbers, times and threads.
    func contents(of entries: [TraceEntry]) throws -> [Int] {
        var contents: [Int: Int] = [:]
        return try entries.map { entry in
            let line = try line(of: entry).line
            var hasher = Hasher()
            hasher.combine(entry.kind)
            hasher.combine(line.head.owner)
            let texts = [
                line.message, line.subject, line.source, line.decision, line.reason, line.error, line.recovery,
            ]
            for text in texts { hasher.combine(text) }
            hasher.combine(line.messages)
            // What a part was before, an earlier entry says. The whole state follows from the changes.
            if let changes = line.changes {
                for change in changes { hasher.combine([change.path.hashValue, change.to.hashValue]) }
            } else {
                hasher.combine(line.state)
            }
            for id in [entry.cause, line.messageID, entry.workID] { hasher.combine(id.flatMap { contents[$0] }) }
            let content = hasher.finalize()
            contents[entry.id] = content
            return content
        }
    }
}

/// A page that shows two runs side by side, from the first entry that differs.
package struct ComparisonPage {
    package let data: Data
    /// The number of the first entry of the first run that differs, or `nil` if none does.
    package let firstDifference: Int?

    /// Creates the page of two traces. Each of them may embed half of what a page can.
    package init(_ left: TraceFile, _ right: TraceFile, maximumBytes: Int = TracePage.maximumBytes) throws {
        let sides = try [left, right].map { try EmbeddedRows($0, maximumBytes: maximumBytes / 2) }
        let comparison = RunComparison(
            try left.contents(of: sides[0].entries), try right.contents(of: sides[1].entries))
        var meta = Array("{\"sides\":[".utf8)
        var elements: [PageTemplate.Element] = []
        for (place, (file, rows)) in zip([left, right], sides).enumerated() {
            if place > 0 { meta.append(UInt8(ascii: ",")) }
            meta +=
                PageMeta(
                    title: file.name, rows: rows.count, owners: rows.owners, notes: file.notes + rows.notes,
                    range: rows.range
                ).json
            let (first, rest) = rows.elements("data-side=\"\(place)\" ")
            elements += first + rest
        }
        meta.append(contentsOf: "],\"blocks\":[".utf8)
        for (index, block) in comparison.blocks.enumerated() {
            if index > 0 { meta.append(UInt8(ascii: ",")) }
            meta.append(contentsOf: "[\(block.isEqual ? 1 : 0),\(block.left),\(block.right)]".utf8)
        }
        meta.append(contentsOf: "]}".utf8)
        data = try PageTemplate("diff").page(meta: meta, first: elements, rest: [], connects: false)
        let entries = sides[0].entries
        firstDifference = comparison.firstDifference.map { $0 < entries.count ? entries[$0].id : entries.last?.id ?? 1 }
    }
}
