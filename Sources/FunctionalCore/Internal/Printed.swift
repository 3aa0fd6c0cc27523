/// Conversion of values to text that resembles their source code.
///
/// The text is the same in every process, because sets and dictionaries are sorted.
///
/// Deeply nested values, and values with very many parts, are cut off with `…`. Otherwise a linked list with a thousand
/// nodes could overflow the stack, and objects that share other objects could print far more values than there are.
package struct Printed {
    /// The number of values that may still be printed.
    private var left: Int
    private var depth = 0
    private var objects: Set<ObjectIdentifier> = []
    private var isCut = false
    /// Whether equal strings and numbers, and functions with equal outputs, have equal texts, for ``key(of:)``.
    private let isKey: Bool

    private init(isKey: Bool, left: Int = 10_000) {
        self.isKey = isKey
        self.left = left
    }

    package static func text(of value: Any) -> String {
        var printed = Printed(isKey: false)
        return printed.text(of: value)
    }

    /// Returns a text that is the same for equal numbers and strings, even if they print differently, as 0.0 and -0.0
    /// do.
    package static func key(of value: Any) -> String {
        var printed = Printed(isKey: true)
        return printed.text(of: value)
    }

    /// Returns the text that a failure shows. A very long text is cut off, and ends with the number of omitted
    /// characters.
    package static func excerpt(of value: Any) -> String {
        var printed = Printed(isKey: false)
        let (text, limit) = (printed.text(of: value), 500)
        let count = text.count
        guard count > limit else { return text }
        return "\(text.prefix(limit))… (\(printed.isCut ? "at least " : "")\(count - limit) more characters)"
    }

    private mutating func text(of value: Any) -> String {
        guard left > 0, depth < 64 else {
            isCut = true
            return "…"
        }
        left -= 1
        depth += 1
        defer { depth -= 1 }
        switch value {
        case let text as String: return quoted(text)
        case let text as Substring: return quoted(String(text))
        case let character as Character: return quoted(String(character))
        case let function as any PrintedKey where isKey: return function.key
        case let number as any BinaryFloatingPoint where isKey && number.isZero: return "0.0"
        default: return structuredText(of: value)
        }
    }

    private func quoted(_ text: String) -> String {
        // Escaping separates scalars that may be a single scalar in an equal string.
        isKey ? "\"\(text)\"" : text.sourceCode
    }

    private mutating func structuredText(of value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional:
            return mirror.children.first.map { text(of: $0.value) } ?? "nil"
        case .collection:
            return "[" + texts(mirror.children).joined(separator: ", ") + "]"
        case .set:
            return "[" + sortedTexts(mirror.children).joined(separator: ", ") + "]"
        case .dictionary:
            let entries = sortedTexts(mirror.children, areEntries: true)
            return entries.isEmpty ? "[:]" : "[" + entries.joined(separator: ", ") + "]"
        case .tuple:
            return "(\(labelled(mirror.children)))"
        case .struct where !describesItself(value):
            return "\(mirror.subjectType)(\(labelled(mirror.children)))"
        case .enum where !describesItself(value):
            return enumText(value, mirror)
        case .class where !describesItself(value):
            return objectText(value, mirror)
        default:
            return value is any CustomStringConvertible ? "\(value)" : String(reflecting: value)
        }
    }

    private mutating func texts(_ children: Mirror.Children) -> [String] {
        var texts: [String] = []
        for child in children {
            // One `…` stands for all further elements.
            let isLast = left <= 0
            texts.append(text(of: child.value))
            if isLast { break }
        }
        return texts
    }

    /// Returns the sorted texts of elements or entries, whose order differs between processes.
    ///
    /// The remaining number of values is divided equally among them, so that the result does not depend on their order.
    private mutating func sortedTexts(_ children: Mirror.Children, areEntries isEntries: Bool = false) -> [String] {
        let share = max(1, left / max(1, children.count))
        let all = left
        var used = 0
        var texts: [String] = []
        for child in children {
            left = share
            texts.append(
                isEntries
                    ? self.texts(Mirror(reflecting: child.value).children).joined(separator: ": ")
                    : text(of: child.value))
            used += share - left
        }
        left = all - used
        return texts.sorted()
    }

    private func describesItself(_ value: Any) -> Bool {
        value is any CustomStringConvertible || value is any CustomDebugStringConvertible
    }

    private mutating func enumText(_ value: Any, _ mirror: Mirror) -> String {
        guard let payload = mirror.children.first else { return ".\(value)" }
        let inner = Mirror(reflecting: payload.value)
        let parts = inner.displayStyle == .tuple ? labelled(inner.children) : text(of: payload.value)
        return ".\(payload.label ?? "\(value)")(\(parts))"
    }

    /// Returns the text of an object with its stored properties.
    ///
    /// The properties are omitted for an object that is printed inside of itself, and for an actor, whose state is
    /// isolated.
    private mutating func objectText(_ value: Any, _ mirror: Mirror) -> String {
        let object = ObjectIdentifier(value as AnyObject)
        guard !(value is any Actor), objects.insert(object).inserted else { return "\(mirror.subjectType)(…)" }
        defer { objects.remove(object) }
        var parts: [String] = []
        for mirror in sequence(first: mirror, next: \.superclassMirror).reversed() {
            parts.append(labelled(mirror.children))
        }
        return "\(mirror.subjectType)(\(parts.filter { !$0.isEmpty }.joined(separator: ", ")))"
    }

    private mutating func labelled(_ children: Mirror.Children) -> String {
        var parts: [String] = []
        for child in children {
            let text = text(of: child.value)
            let label = child.label.flatMap { $0.hasPrefix(".") ? nil : $0 }
            parts.append(label.map { "\($0): \(text)" } ?? text)
        }
        return parts.joined(separator: ", ")
    }
}

/// A value that a text identifies. The text is the same in every process.
package protocol PrintedKey {
    var key: String { get }
}
