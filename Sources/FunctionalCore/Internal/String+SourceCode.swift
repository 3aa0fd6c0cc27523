extension String {
    /// The string as a literal in which all invisible scalars are escaped, except those inside of an emoji.
    package var sourceCode: String {
        let literal = debugDescription
        guard !literal.utf8.allSatisfy({ $0 < 0x80 }) else { return literal }
        return literal.reduce(into: "") { text, character in
            // The joiners inside of an emoji are not escaped.
            let scalars = character.unicodeScalars
            guard scalars.contains(where: \.isInvisible), !scalars.first!.isEmoji else { return text.append(character) }
            for scalar in scalars {
                text += scalar.isInvisible ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isEmoji: Bool { value > 0x7F && properties.isEmoji }

    fileprivate var isInvisible: Bool {
        guard value > 0x7F, !properties.isDefaultIgnorableCodePoint else { return value > 0x7F }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .privateUse, .unassigned:
            return true
        default: return false
        }
    }
}
