import FunctionalCore

extension LineDiff {
    /// Creates the difference of two values, line by line of their dumps. If the dumps are equal, creates the
    /// difference of their descriptions.
    package init(from expected: Any, to actual: Any) {
        let (expectedLines, actualLines) = (Self.dump(expected), Self.dump(actual))
        if expectedLines == actualLines {
            // Values that are not equal should not look equal: their descriptions may show what their dumps do not.
            self.init(from: ["\(expected)"], to: ["\(actual)"])
        } else {
            self.init(from: expectedLines, to: actualLines)
        }
    }

    /// Returns the lines of the dump of a value. The elements of sets and dictionaries are sorted, and collections of
    /// bytes are shown as text or in rows.
    ///
    /// It is slower than ``dumpWithoutText(_:)``, because it searches the value for bytes.
    package static func dump(_ value: Any) -> [String] {
        if !containsBytes(value) { return dumpWithoutText(value) }
        var text = ""
        dump(value, named: nil, indentedBy: 0, to: &text)
        return lines(of: text)
    }

    /// Returns whether a value is a collection of bytes, or contains one that is not in an object.
    private static func containsBytes(_ value: Any) -> Bool {
        // Not recursive, because values may be deep.
        var rest = [value]
        while let value = rest.popLast() {
            let mirror = Mirror(reflecting: value)
            if mirror.displayStyle == .class { continue }
            if ByteText(value) != nil { return true }
            rest += mirror.children.map(\.value)
        }
        return false
    }

    /// Writes the dump of a value as `Swift.dump` does, with two exceptions: a collection of bytes is written as text
    /// or in rows, and each object has the number 0.
    private static func dump(_ value: Any, named name: String?, indentedBy indentation: Int, to text: inout String) {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .class {
            _ = Swift.dump(value, to: &text, name: name, indent: indentation)
            return
        }
        let margin = String(repeating: " ", count: indentation)
        if let bytes = ByteText(value) {
            let lines = bytes.lines
            let first = lines[0].prefix(2) + (name.map { "\($0): " } ?? "") + lines[0].dropFirst(2)
            for line in [String(first)] + lines.dropFirst() { text += margin + line + "\n" }
            return
        }
        var line = ""
        Swift.dump(value, to: &line, name: name, indent: indentation, maxDepth: 0)
        // Replaces the sign of a value with hidden parts, because the parts follow.
        if !mirror.children.isEmpty, let sign = line.firstIndex(of: "▹") {
            line.replaceSubrange(sign...sign, with: "▿")
        }
        text += line
        for child in mirror.children {
            dump(child.value, named: child.label, indentedBy: indentation + 2, to: &text)
        }
    }
}
