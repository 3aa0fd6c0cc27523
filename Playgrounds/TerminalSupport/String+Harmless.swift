extension StringProtocol {
    /// The text without what a terminal would obey, and without what turns the direction of the text: `�` in its place.
    /// Line breaks are among that; tabs stay.
    public var harmless: String {
        var harmless = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            harmless.append(scalar.isHarmless ? scalar : "\u{FFFD}")
        }
        return String(harmless)
    }
}

extension Unicode.Scalar {
    fileprivate var isHarmless: Bool {
        // The second joins emoji.
        if self == "\t" || self == "\u{200D}" { return true }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
