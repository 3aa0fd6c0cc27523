import Foundation

/// Prints findings as they come, one line for each bar.
struct Report {
    private(set) var rows = 0
    private(set) var over = 0
    private var section = ""

    mutating func add(_ row: Row, _ findings: [(Line, Finding)]) {
        if section != row.section {
            section = row.section
            print("\n" + line([section, "work", "baseline", "ratio", "bar", "", "original"]))
        }
        rows += 1
        over += findings.contains { $1.isOver } ? 1 : 0
        if findings.count == 1, let (line, finding) = findings.first, line.detail.isEmpty {
            print(text(row.name, line, finding, original: row.original))
        } else {
            print(self.line([row.name, "", "", "", "", "", row.original]))
            for (line, finding) in findings { print(text("    " + line.detail, line, finding, original: "")) }
        }
        fflush(nil)
    }

    func finish() {
        print("\n\(rows) rows, \(over) over their bar")
    }

    private func text(_ name: String, _ line: Line, _ finding: Finding, original: String) -> String {
        let bar = line.bar.map { "≤ \(short($0))" } ?? ""
        return self.line([name, finding.work, finding.baseline, short(finding.ratio), bar, finding.verdict, original])
    }

    private func line(_ cells: [String]) -> String {
        let widths = [66, -12, 36, -7, 7, 6, 0]
        return zip(cells, widths).map { $0.padded(to: $1) }.joined(separator: "  ").trimmed
    }
}

/// A number to three digits.
func short(_ number: Double) -> String {
    if number.isInfinite || number.isNaN { return "\(number)" }
    let digits = number < 10 ? 2 : number < 100 ? 1 : 0
    return String(format: "%.\(digits)f", number)
}

extension String {
    /// Padded at its end, or where `width` is negative at its beginning.
    fileprivate func padded(to width: Int) -> String {
        let padding = String(repeating: " ", count: max(0, abs(width) - count))
        return width < 0 ? padding + self : self + padding
    }

    fileprivate var trimmed: String {
        String(prefix(upTo: lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex))
    }
}
