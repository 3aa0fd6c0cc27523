extension StringProtocol {
    /// The text with control and formatting characters replaced by `�`, so that it can control neither the terminal nor
    /// the direction of text. Line breaks are replaced, too. Tabs are kept.
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
        // U+200D joins emoji.
        if self == "\t" || self == "\u{200D}" { return true }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
