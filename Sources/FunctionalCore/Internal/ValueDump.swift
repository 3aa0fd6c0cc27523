/// The lines of a dump of a value, within bounds.
///
/// The lines are those of `Swift.dump`, with three exceptions. The elements of sets and dictionaries are sorted,
/// collections of bytes are text or rows, and what is below the deepest level or after the last line is left out. The
/// standard library has no such bounds: it overflows the stack, or takes seconds, with a value that is nested deeply.
package struct ValueDump {
    /// A line, or a mark that stands for lines that are left out.
    package struct Line: Hashable {
        package let text: String
        /// How many lines the mark stands for, or 0 for a line.
        let hidden: Int
        /// Whether the mark may stand for more lines.
        let isAtLeast: Bool

        package init(_ text: String) { (self.text, hidden, isAtLeast) = (text, 0, false) }

        init(hidden: Int, isAtLeast: Bool, indentedBy indentation: Int) {
            let count = isAtLeast ? "at least \(hidden)" : "\(hidden)"
            text = String(repeating: " ", count: indentation) + "… \(count) equal lines"
            (self.hidden, self.isAtLeast) = (hidden, isAtLeast)
        }
    }

    package private(set) var lines: [Line] = []
    /// Whether lines are missing at the end or below the deepest level, or a line is shortened.
    package private(set) var isCut = false
    private var limit: Int
    private var objects: [ObjectIdentifier: Int] = [:]

    package static var maximumDepth: Int { 64 }
    static var maximumLines: Int { 1_000 }
    private static var maximumLength: Int { 1_000 }

    package init(limit: Int = maximumLines) { self.limit = limit }

    /// Returns the lines of a value.
    package static func lines(of value: Any) -> [String] {
        var dump = ValueDump()
        dump.add(value)
        return dump.lines.map(\.text)
    }

    var isFull: Bool { lines.count >= limit }

    /// Adds lines that do not count for the limit. Otherwise many equal lines would hide the difference behind them.
    mutating func append(_ more: ArraySlice<Line>) {
        lines += more
        limit += more.count
    }

    /// Adds the lines of a value, or a mark if no line is left.
    package mutating func add(_ value: Any, named name: String? = nil, indentedBy indentation: Int = 0) {
        guard !isFull, indentation <= 2 * Self.maximumDepth else { return cut(indentedBy: indentation) }
        if addBytes(value, named: name, indentedBy: indentation) { return }
        let mirror = Mirror(reflecting: value)
        if addHead(of: value, mirror, named: name, indentedBy: indentation) { return }
        if mirror.displayStyle == .set || mirror.displayStyle == .dictionary {
            return addSorted(mirror.children.lazy.map(\.value), indentedBy: indentation + 2)
        }
        for part in Self.parts(of: mirror) {
            if isFull { return cut(indentedBy: indentation + 2) }
            add(part.value, named: part.label, indentedBy: indentation + 2)
        }
    }

    /// Adds the lines of values, one after the other.
    mutating func add(_ values: ArraySlice<Any>, indentedBy indentation: Int) {
        for value in values {
            if isFull { return cut(indentedBy: indentation) }
            add(value, indentedBy: indentation)
        }
    }

    /// Adds the lines of values, in the order of their lines.
    mutating func addSorted(_ values: some Collection<Any>, indentedBy indentation: Int) {
        let parts = values.prefix(limit).map { value in
            var part = ValueDump(limit: limit)
            part.add(value, indentedBy: indentation)
            return part
        }
        for part in parts.sorted(by: { $0.text.lexicographicallyPrecedes($1.text) }) {
            lines += part.lines.prefix(max(0, limit - lines.count))
            if part.isCut { isCut = true }
        }
        if values.count > parts.count || isFull { cut(indentedBy: indentation) }
    }

    private mutating func cut(indentedBy indentation: Int) {
        isCut = true
        if lines.last?.text.hasSuffix("…") != true {
            lines.append(Line(String(repeating: " ", count: indentation) + "…"))
        }
    }

    private var text: [String] { lines.map(\.text) }

    /// The stored properties or elements, also those of superclasses.
    static func parts(of mirror: Mirror) -> Mirror.Children {
        guard let inherited = mirror.superclassMirror.map(parts), !inherited.isEmpty else { return mirror.children }
        return Mirror.Children(Array(inherited) + Array(mirror.children))
    }

    /// Returns the key of an entry of a dictionary, or the member of a set.
    static func key(of member: Any, isEntry: Bool) -> AnyHashable? {
        let key: Any? = isEntry ? Mirror(reflecting: member).children.first?.value : member
        return key as? AnyHashable
    }

    /// Adds a collection of bytes as text or in rows. Returns `false`, and adds nothing, if the value is none.
    mutating func addBytes(_ value: Any, named name: String?, indentedBy indentation: Int) -> Bool {
        guard let bytes = ByteText(value) else { return false }
        let margin = String(repeating: " ", count: indentation)
        let texts = bytes.lines
        if bytes.isLong { isCut = true }
        let first = texts[0].prefix(2) + (name.map { "\($0): " } ?? "") + texts[0].dropFirst(2)
        for text in [String(first)] + texts.dropFirst() { lines.append(Line(margin + text)) }
        return true
    }

    /// Adds the first line of a value. Returns whether the parts are not to be added, because they are above.
    mutating func addHead(of value: Any, _ mirror: Mirror, named name: String?, indentedBy indentation: Int) -> Bool {
        var isKnown = false
        var text = ""
        if mirror.displayStyle == .optional, !mirror.children.isEmpty, !ValueBounds.contain(value, parts: 100) {
            text = String(repeating: " ", count: indentation) + "▿ \(name.map { "\($0): " } ?? "")Optional"
        } else {
            Swift.dump(value, to: &text, name: name, indent: indentation, maxDepth: 0)
            if text.last == "\n" { text.removeLast() }
            text = text.withoutPlacesInMemory
            // Replaces the sign of a value with hidden parts, because the parts follow.
            if !Self.parts(of: mirror).isEmpty, let sign = text.firstIndex(of: "▹") {
                text.replaceSubrange(sign...sign, with: "▿")
            }
        }
        if mirror.displayStyle == .class {
            let object = ObjectIdentifier(value as AnyObject)
            isKnown = objects[object] != nil
            let number = objects[object, default: objects.count]
            objects[object] = number
            if text.hasSuffix(" #0") { text = text.dropLast(2) + "#\(number)" }
        }
        let excerpt = text.excerpt(Self.maximumLength)
        if excerpt.utf8.count != text.utf8.count { isCut = true }
        lines.append(Line(excerpt))
        return isKnown
    }
}

/// The bounds within which a value is described.
package enum ValueBounds {
    /// Returns whether a value has few parts, and is not nested deeply. Descriptions do not look into objects.
    package static func contain(_ value: Any, parts limit: Int = 10_000) -> Bool {
        // Not recursive, because values may be deep.
        var (rest, left) = ([(value: value, depth: 0)], limit)
        while let (value, depth) = rest.popLast() {
            left -= 1
            if left < 0 || depth > ValueDump.maximumDepth { return false }
            let mirror = Mirror(reflecting: value)
            if mirror.displayStyle == .class { continue }
            if mirror.children.count > left { return false }
            for child in mirror.children { rest.append((child.value, depth + 1)) }
        }
        return true
    }
}

/// Returns the description of a value. That of a value with very many parts or levels is cut off with `…`, and a very
/// long one ends with the number of characters that are left out.
package func boundedDescription(_ value: Any) -> String {
    (ValueBounds.contain(value) ? "\(value)" : Printed.text(of: value)).withoutPlacesInMemory.excerpt(100_000)
}

extension String {
    /// The text, or its first characters and the number of the others.
    package func excerpt(_ limit: Int) -> String {
        // The bytes are counted first, in O(1).
        guard utf8.count > limit, count > limit else { return self }
        return "\(prefix(limit))… (\(count - limit) more characters)"
    }
}
