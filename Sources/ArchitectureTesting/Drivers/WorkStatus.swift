/// What work under way waits for; see `expectWork` of a test driver.
public enum WorkStatus: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The work sleeps on the driver's clock. The deadline is the time since the zero of the clock.
    case sleeping(until: Duration)
    /// The work waits for something else: another clock, another task, a continuation, or an element of a sequence.
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
    /// The number of seconds, with at least one digit after the point and as many as necessary, such as "0.7".
    private var secondsText: String {
        let (seconds, attoseconds) = components
        let isNegative = seconds < 0 || attoseconds < 0
        var digits = String(attoseconds.magnitude)
        digits = String(repeating: "0", count: 18 - digits.count) + digits
        while digits.count > 1, digits.hasSuffix("0") { digits.removeLast() }
        return "\(isNegative ? "-" : "")\(seconds.magnitude).\(digits)"
    }

    /// The number of seconds and the unit, such as "0.7 s".
    var text: String { secondsText + " s" }

    /// The code of this exact duration, such as ".seconds(0.7)" or ".seconds(1234567) + .milliseconds(890)".
    var code: String {
        let (seconds, attoseconds) = components
        if attoseconds == 0 { return ".seconds(\(seconds))" }
        for (unit, length) in [
            ("milliseconds", 1_000_000_000_000_000), ("microseconds", 1_000_000_000_000),
            ("nanoseconds", 1_000_000_000),
        ] as [(String, Int64)] where attoseconds.isMultiple(of: length) {
            // The shorter form, if the binary fraction has exactly this value.
            if unit == "milliseconds", let number = Double(secondsText), .seconds(number) == self {
                return ".seconds(\(secondsText))"
            }
            let fraction = ".\(unit)(\(attoseconds / length))"
            return seconds == 0 ? fraction : ".seconds(\(seconds)) + \(fraction)"
        }
        return "Duration(secondsComponent: \(seconds), attosecondsComponent: \(attoseconds))"
    }
}
