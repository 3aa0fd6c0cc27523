/// Formats the progress of work in one line of limited width.
public enum ProgressBar {
    /// Returns a bar if the total is known (`[#####     ]  50 %  5.0 MB of 10.0 MB`), and otherwise only the amount.
    ///
    /// The line has at most `width` columns. If the bar does not fit, only the text is returned. If the text does not
    /// fit, it is cut.
    public static func line(done: Int, total: Int?, width: Int) -> String {
        let width = max(0, width)
        guard let total, total > 0 else { return String("\(amount(done)) so far".prefix(width)) }
        let fraction = min(max(Double(done) / Double(total), 0), 1)
        let percent = "\(Int(fraction * 100)) %"
        let text = "\(String(repeating: " ", count: 5 - percent.count))\(percent)  \(amount(done)) of \(amount(total))"
        let columns = min(width - text.count - 3, 40)
        guard columns >= 5 else { return String(text.drop { $0 == " " }.prefix(width)) }
        let filled = Int(fraction * Double(columns))
        let bar = String(repeating: "#", count: filled) + String(repeating: " ", count: columns - filled)
        return "[\(bar)] \(text)"
    }

    /// Returns a number of bytes with a unit, and the exact number if the first is rounded: `1.5 kB (1549 bytes)`.
    public static func exactAmount(_ bytes: Int) -> String {
        bytes < 1_000 ? amount(bytes) : "\(amount(bytes)) (\(bytes) bytes)"
    }

    /// Returns a number of bytes with a unit: `999 bytes`, `1.5 kB`, `100.0 MB`.
    public static func amount(_ bytes: Int) -> String {
        guard bytes >= 1_000 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
        // In tenths of a unit and rounded down, so that no amount is shown larger than it is.
        var tenths = bytes / 100
        var unit = 0
        while tenths >= 10_000 {
            tenths /= 1_000
            unit += 1
        }
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}
