import Foundation

/// The ratio of each line as it was recorded: the one number that is kept of it. A bar is 1.3 times its record.
///
/// `Benchmarks/records.txt` has a line for each: the ratio, and the name.
struct Records {
    static let tolerance = 1.3

    private static let file = URL(filePath: #filePath).appending(path: "../../../../records.txt").standardized
    private static let head = """
        # The ratio of each line of the benchmark, or its megabytes or bytes, as recorded. Its bar is 1.3 times that.
        # Written by --record. See README.md.

        """

    private var ratios: [String: Double] = [:]

    /// Reads the file. A line that is not understood is reported, and then has no record.
    init() {
        let text = (try? String(contentsOf: Self.file, encoding: .utf8)) ?? ""
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ", maxSplits: 1)
            if words.count == 2, let ratio = Double(words[0]), ratio.isFinite, ratio > 0 {
                self[words[1].trimmingCharacters(in: .whitespaces)] = ratio
            } else {
                print("records.txt has a line that is not understood: \(line)")
            }
        }
    }

    subscript(name: String) -> Double? {
        get { ratios[name] }
        set { ratios[name] = newValue }
    }

    /// Writes the file, in the order of `names`, without lines of other names.
    func write(_ names: [String]) throws {
        let lines = names.compactMap { name in
            ratios[name].map { "\(short($0).padded(to: -8))  \(name)\n" }
        }
        try (Self.head + lines.joined()).write(to: Self.file, atomically: true, encoding: .utf8)
    }
}
