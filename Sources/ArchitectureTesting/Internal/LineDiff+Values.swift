import FunctionalCore

extension LineDiff {
    /// Creates the difference of two values, line by line of their dumps.
    package init(from expected: Any, to actual: Any) {
        let (expectedLines, actualLines) = (Self.dump(expected), Self.dump(actual))
        if expectedLines == actualLines {
            // Values that are not equal should not look equal: their descriptions may show what their dumps do not.
            self.init(from: ["\(expected)"], to: ["\(actual)"])
        } else {
            self.init(from: expectedLines, to: actualLines)
        }
    }

    /// The lines of the dump of a value, in which the elements of sets and dictionaries are sorted, and bytes are text.
    ///
    /// It takes twice as long as ``dumpWithoutText(_:)``.
    package static func dump(_ value: Any) -> [String] {
        if !containsBytes(value) { return dumpWithoutText(value) }
        var text = ""
        dump(value, named: nil, indentedBy: 0, to: &text)
        return lines(of: text)
    }

    /// Whether a value is a collection of bytes, or contains one outside of objects.
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

    /// Writes what `Swift.dump` writes, except for collections of bytes, and that each object is number 0.
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
        // The sign of a value whose parts `maxDepth` hides.
        if !mirror.children.isEmpty, let sign = line.firstIndex(of: "▹") {
            line.replaceSubrange(sign...sign, with: "▿")
        }
        text += line
        for child in mirror.children {
            dump(child.value, named: child.label, indentedBy: indentation + 2, to: &text)
        }
    }
}
