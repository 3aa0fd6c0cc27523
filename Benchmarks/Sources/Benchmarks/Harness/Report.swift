import Foundation

/// Prints findings as they are made, one line for each bar.
struct Report {
    private(set) var failures = 0
    private var rows = 0
    private var section = ""
    private var pending: [String] = []
    private var reached: [String] = []

    mutating func add(_ row: Row, _ findings: [(Line, Finding)]) {
        if section != row.section {
            section = row.section
            print("\n" + line([section, "work", "baseline", "ratio", "bar", "", "best peer"]))
        }
        rows += 1
        if findings.count == 1, let (line, finding) = findings.first, line.detail.isEmpty {
            print(text(row.name, line, finding, peer: row.peer))
        } else {
            print(self.line([row.name, "", "", "", "", "", row.peer]))
            for (line, finding) in findings { print(text("    " + line.detail, line, finding, peer: "")) }
        }
        for (line, finding) in findings { count(line, finding, name: row.name) }
        fflush(nil)
    }

    func finish() {
        if !pending.isEmpty { print("\nNot reached yet:") }
        for name in pending { print("    \(name)") }
        if !reached.isEmpty { print("\nReached, although marked pending:") }
        for name in reached { print("    \(name)") }
        print("\n\(rows) rows; of their lines \(failures) over the bar or wrong, \(pending.count) pending")
    }

    private mutating func count(_ line: Line, _ finding: Finding, name: String) {
        let place = line.detail.isEmpty ? name : "\(name): \(line.detail)"
        if finding.isFailure { failures += 1 }
        if finding.verdict == .pending { pending.append("\(place): \(line.pending?.reason ?? "")") }
        if finding.verdict == .reached { reached.append(place) }
    }

    private func text(_ name: String, _ line: Line, _ finding: Finding, peer: String) -> String {
        let bar = line.bar.map { "≤ \(short($0))" } ?? ""
        return self.line([
            name, finding.work, finding.baseline, short(finding.ratio), bar, finding.verdict.rawValue, peer,
        ])
    }

    private func line(_ cells: [String]) -> String {
        let widths = [60, -12, 28, -7, 7, 7, 0]
        return zip(cells, widths).map { $0.padded(to: $1) }.joined(separator: "  ").trimmed
    }
}

/// Returns a number with three digits.
func short(_ number: Double) -> String {
    if !number.isFinite { return "?" }
    let digits = number < 10 ? 2 : number < 100 ? 1 : 0
    return String(format: "%.\(digits)f", number)
}

extension String {
    /// The string padded at its end, or at its beginning if `width` is negative.
    func padded(to width: Int) -> String {
        let padding = String(repeating: " ", count: max(0, abs(width) - count))
        return width < 0 ? padding + self : self + padding
    }

    var trimmed: String {
        String(prefix(upTo: lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex))
    }
}
