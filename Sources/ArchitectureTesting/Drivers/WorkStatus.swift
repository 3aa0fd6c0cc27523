/// What work under way waits for; see `expectWork` of a test driver.
public enum WorkStatus: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// It sleeps until the clock of the driver has advanced to a time since its beginning.
    case sleeping(until: Duration)
    /// It waits for something else: another task, a continuation, or an element of a sequence.
    case waiting

    /// The status as it is written in a test.
    public var description: String {
        switch self {
        case .sleeping(let time): ".sleeping(until: \(time.code))"
        case .waiting: ".waiting"
        }
    }
}

extension Duration {
    /// The number of seconds, with at least one and as many digits as it needs: "0.7".
    private var secondsText: String {
        let (seconds, attoseconds) = components
        let isNegative = seconds < 0 || attoseconds < 0
        var digits = String(attoseconds.magnitude)
        digits = String(repeating: "0", count: 18 - digits.count) + digits
        while digits.count > 1, digits.hasSuffix("0") { digits.removeLast() }
        return "\(isNegative ? "-" : "")\(seconds.magnitude).\(digits)"
    }

    /// "0.7 s"
    var text: String { secondsText + " s" }

    /// ".seconds(0.7)"
    var code: String {
        let text = secondsText
        return ".seconds(\(text.hasSuffix(".0") ? String(text.dropLast(2)) : text))"
    }
}
