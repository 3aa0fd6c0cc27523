/// The difference of two lists of lines, such as the dumps of two values.
package struct LineDiff: Sendable {
    /// The difference as text: "− " precedes an expected line, and "+ " an actual line.
    ///
    /// Up to three equal lines surround each change. Longer runs of equal lines are replaced by a line with their
    /// number. If no lines differ, the text consists of all lines, and a last line that states this fact.
    package let lines: [String]
    /// The number of lines that differ.
    package let distance: Int

    /// Creates the difference between two lists of lines.
    ///
    /// - Complexity: O(n + d²), where n is the number of lines, and d is the number of differing lines that occur in
    ///   both lists. d is limited: if more lines differ, all lines between the first and the last difference count as
    ///   changed.
    package init(from expected: [String], to actual: [String]) {
        self.init(from: expected.map(ValueDump.Line.init), to: actual.map(ValueDump.Line.init))
    }

    init(from expected: [ValueDump.Line], to actual: [ValueDump.Line]) {
        var lines: [Line] = []
        var (left, right, distance) = (0, 0, 0)
        func skip(to pair: Pair) {
            lines += expected[left..<pair.left].map { (false, "− " + $0.text, $0) }
            lines += actual[right..<pair.right].map { (false, "+ " + $0.text, $0) }
            distance += pair.left - left + pair.right - right
            (left, right) = pair
        }
        for pair in Self.equalLines(expected, actual) {
            skip(to: pair)
            lines.append((true, "  " + actual[right].text, actual[right]))
            (left, right) = (left + 1, right + 1)
        }
        skip(to: (expected.count, actual.count))
        self.lines =
            distance == 0 ? lines.map(\.text) + ["  They are not equal, and look alike."] : Self.folded(lines)
        self.distance = distance
    }

    private typealias Line = (isEqual: Bool, text: String, line: ValueDump.Line)

    /// Replaces each run of two or more equal lines by their number, except for the `context` lines next to a change.
    private static func folded(_ lines: [Line]) -> [String] {
        var folded: [String] = []
        var rest = lines[...]
        while let first = rest.first {
            let run = rest.prefix { $0.isEqual == first.isEqual }
            rest = rest.dropFirst(run.count)
            let head = folded.isEmpty ? 0 : context
            let tail = rest.isEmpty ? 0 : context
            let middle = run.dropFirst(head).dropLast(tail)
            // A line with a number in place of a single line would save nothing.
            if first.isEqual, middle.count > 1 {
                folded += run.prefix(head).map(\.text)
                let hidden = middle.reduce(0) { $0 + max(1, $1.line.hidden) }
                let isAtLeast = middle.contains { $0.line.isAtLeast }
                folded.append("  " + ValueDump.Line(hidden: hidden, isAtLeast: isAtLeast, indentedBy: 0).text)
                folded += run.suffix(tail).map(\.text)
            } else {
                folded += run.map(\.text)
            }
        }
        return folded
    }

    /// Returns the first lines, and the number of the others.
    package static func excerpt(_ lines: [String]) -> [String] {
        let limit = 100
        return lines.count <= limit
            ? lines : lines.prefix(limit - 1) + ["… and \(lines.count - limit + 1) more lines"]
    }

    // MARK: - Comparing

    typealias Pair = (left: Int, right: Int)

    /// The number of equal lines that are kept on each side of a change.
    static var context: Int { 3 }

    /// The largest number of differing lines that an exact difference may have. Only lines that occur in both lists
    /// count.
    private static var maximumDistance: Int { 1_000 }

    /// Returns the pairs of indices of equal lines that are not part of the difference, in ascending order.
    private static func equalLines(_ left: [ValueDump.Line], _ right: [ValueDump.Line]) -> [Pair] {
        equalElements(
            left.count, right.count, maximumDistance: maximumDistance,
            candidates: { leftRange, rightRange in
                // A line that the other list does not contain has changed in any case. Without such lines, most pairs of
                // long lists differ in a few lines.
                let (leftLines, rightLines) = (Set(left[leftRange]), Set(right[rightRange]))
                return (
                    leftRange.filter { rightLines.contains(left[$0]) },
                    rightRange.filter { leftLines.contains(right[$0]) }
                )
            },
            areEqual: { left[$0] == right[$1] })
    }

    /// Returns the pairs of indices of equal elements of two lists, in ascending order: those at the beginning, those
    /// at the end, and a longest common subsequence of the `candidates` between them. Of the last, returns no pair if
    /// more than `maximumDistance` candidates are outside of the subsequence.
    ///
    /// - Complexity: O(n + d²) comparisons.
    static func equalElements(
        _ left: Int, _ right: Int, maximumDistance: Int,
        candidates: (_ left: Range<Int>, _ right: Range<Int>) -> ([Int], [Int]) = { (Array($0), Array($1)) },
        areEqual: (_ left: Int, _ right: Int) -> Bool
    ) -> [Pair] {
        let shorter = min(left, right)
        let prefix = (0..<shorter).first { !areEqual($0, $0) } ?? shorter
        let rest = shorter - prefix
        let suffix = (0..<rest).first { !areEqual(left - 1 - $0, right - 1 - $0) } ?? rest
        let (leftMiddle, rightMiddle) = candidates(prefix..<left - suffix, prefix..<right - suffix)
        let middle = longestCommonSubsequence(
            leftMiddle.count, rightMiddle.count, maximumDistance: maximumDistance
        ) { areEqual(leftMiddle[$0], rightMiddle[$1]) }
        return (0..<prefix).map { ($0, $0) }
            + middle.map { (leftMiddle[$0.left], rightMiddle[$0.right]) }
            + (0..<suffix).reversed().map { (left - 1 - $0, right - 1 - $0) }
    }

    /// Returns the pairs of indices of a longest common subsequence. Returns no pair if more than `maximumDistance`
    /// elements are outside of the subsequence.
    ///
    /// This is the greedy algorithm of Eugene W. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986).
    /// `CollectionDifference` is not used because it has no limit: thousands of shuffled lines take it seconds.
    private static func longestCommonSubsequence(
        _ left: Int, _ right: Int, maximumDistance: Int, areEqual: (_ left: Int, _ right: Int) -> Bool
    ) -> [Pair] {
        // `rows[changes][removals]` is the furthest index of `left` that a path with these numbers of changes and of
        // removals reaches.
        var rows: [[Int]] = []
        for distance in 0...maximumDistance {
            var row: [Int] = []
            for removals in 0...distance {
                // A path that inserts as often as it removes is at the same index of both lists.
                let insertions = distance - removals
                var index = beginning(ofRunAfter: removals, in: rows.last)
                while index < left, index - removals + insertions < right,
                    areEqual(index, index - removals + insertions)
                {
                    index += 1
                }
                row.append(index)
                if index >= left, index - removals + insertions >= right {
                    return path(to: index, removals, rows)
                }
            }
            rows.append(row)
        }
        return []
    }

    /// Returns whether the furthest path with d + 1 changes, `removals` of them removals, ends with an insertion, that
    /// is, whether it extends `row[removals]` and not `row[removals - 1]`. `row` contains the furthest paths with d
    /// changes.
    private static func isInsertion(after removals: Int, in row: [Int]) -> Bool {
        removals == 0 || (removals < row.count && row[removals - 1] < row[removals])
    }

    /// Returns the index of `left` after the last change of the furthest path with d + 1 changes, `removals` of them
    /// removals. `row` contains the furthest paths with d changes. If it is `nil`, the path has no changes, and the
    /// index is 0.
    private static func beginning(ofRunAfter removals: Int, in row: [Int]?) -> Int {
        guard let row else { return 0 }
        return isInsertion(after: removals, in: row) ? row[removals] : row[removals - 1] + 1
    }

    /// Returns the pairs of indices of equal elements on a path. The path ends at the index `end` of `left`, and has
    /// `rows.count` changes, `removals` of them removals.
    private static func path(to end: Int, _ removals: Int, _ rows: [[Int]]) -> [Pair] {
        var (end, removals) = (end, removals)
        var pairs: [Pair] = []
        for distance in (0...rows.count).reversed() {
            let row = distance == 0 ? nil : rows[distance - 1]
            let offset = distance - 2 * removals
            pairs += (beginning(ofRunAfter: removals, in: row)..<end).reversed().map { ($0, $0 + offset) }
            guard let row else { break }
            if !isInsertion(after: removals, in: row) { removals -= 1 }
            end = row[removals]
        }
        return pairs.reversed()
    }
}

extension String {
    /// The text without the memory addresses in the names of private and local types. These addresses differ in each
    /// run.
    ///
    /// - Complexity: O(n). Each description and each dump of a trace is searched. A regular expression would take fifty
    ///   times as long.
    var withoutPlacesInMemory: String {
        var (result, rest) = ("", self[...])
        while let place = rest.firstPlaceInMemory {
            result += rest[..<place.lowerBound]
            rest = rest[place.upperBound...]
        }
        return rest.startIndex == startIndex ? self : result + rest
    }
}

extension Substring {
    /// The range of the first "(unknown context at $1f).", with any number in hexadecimal digits.
    fileprivate var firstPlaceInMemory: Range<Index>? {
        let opening = "(unknown context at $".utf8
        var rest = utf8
        while let start = rest.firstIndex(of: UInt8(ascii: "(")) {
            rest = rest[start...]
            if rest.starts(with: opening) {
                let number = rest.dropFirst(opening.count)
                let end = number.drop { $0.isHexadecimalDigit }
                if end.startIndex != number.startIndex, end.starts(with: ").".utf8) {
                    return start..<end.index(end.startIndex, offsetBy: 2)
                }
            }
            rest.removeFirst()
        }
        return nil
    }
}

extension UInt8 {
    fileprivate var isHexadecimalDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
    }
}
