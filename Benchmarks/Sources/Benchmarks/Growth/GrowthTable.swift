/// The growth as a Markdown table, which is printed line by line.
struct GrowthTable {
    private static let sizes = [1, 10, 100, 1_000, 10_000]

    static func printHead() {
        print("Nanoseconds per operation.\n\(Curve.rule)\n")
        printLine(["of", "n", "operation"] + sizes.map { rounded(Double($0)) } + ["growth"])
        print("|---|---|---|---:|---:|---:|---:|---:|---|")
    }

    static func print(_ curve: Curve, of group: String) {
        let cells = sizes.map { size in
            curve.points.first { $0.size == size }.map { Self.rounded($0.nanoseconds) } ?? "–"
        }
        printLine([group, curve.series.name, curve.series.operation] + cells + [curve.growth.rawValue])
    }

    static func printNotes(of curves: [Curve]) {
        for curve in curves where !curve.series.note.isEmpty { print("\n\(curve.series.name): \(curve.series.note)") }
    }

    private static func printLine(_ cells: [String]) {
        print("| " + cells.joined(separator: " | ") + " |")
    }

    private static func print(_ text: String) {
        Swift.print(text)
    }

    /// Two significant digits, with a separator of thousands.
    private static func rounded(_ number: Double) -> String {
        var scale = 1.0
        while number / scale >= 100 { scale *= 10 }
        var digits = Array("\(Int((number / scale).rounded() * scale))")
        for index in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: index) }
        return String(digits)
    }
}
