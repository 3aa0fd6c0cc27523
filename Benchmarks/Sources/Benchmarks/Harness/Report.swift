import Foundation

/// Prints findings as they are made, one line for each bar.
struct Report {
    private(set) var failures = 0
    private var rows = 0
    private var section = ""
    private var notes: [Finding.Verdict: [String]] = [:]

    mutating func add(_ row: Row, _ findings: [Finding]) {
        if section != row.section {
            section = row.section
            print("\n" + line([section, "work", "baseline", "ratio", "bar", "", "best peer"]))
        }
        rows += 1
        if findings.count == 1, let finding = findings.first, finding.line.detail.isEmpty {
            print(text(row.name, finding, peer: row.peer))
        } else {
            print(self.line([row.name, "", "", "", "", "", row.peer]))
            for finding in findings { print(text("    " + finding.line.detail, finding, peer: "")) }
        }
        for finding in findings {
            if finding.isFailure { failures += 1 }
            let goal = finding.line.goal.map { ": the goal is \(short($0.ratio)); \($0.reason)" } ?? ""
            notes[finding.verdict, default: []].append(row.name(of: finding.line) + goal)
        }
        fflush(nil)
    }

    func finish() {
        note("Goals that are not reached yet", .pending)
        note("Goals that are reached, although they are marked pending", .reached)
        note("Better than recorded; see --record", .better)
        note("Not recorded; see --record", .unrecorded)
        note("Over the bar", .over)
        note("Wrong", .wrong)
        print("\n\(rows) rows; of their lines \(failures) over the bar, not recorded or wrong")
    }

    private func note(_ title: String, _ verdict: Finding.Verdict) {
        guard let names = notes[verdict] else { return }
        print("\n\(title):")
        for name in names { print("    \(name)") }
    }

    private func text(_ name: String, _ finding: Finding, peer: String) -> String {
        let bar = finding.bar.map { "≤ \(short($0))" } ?? ""
        let measured = finding.measured
        return self.line([
            name, measured.work, measured.baseline, short(measured.ratio), bar, finding.verdict.rawValue, peer,
        ])
    }

    private func line(_ cells: [String]) -> String {
        let widths = [60, -12, 28, -7, 7, 10, 0]
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
