/// Conversion of values to trees, and to text that resembles their source code.
///
/// The result is the same in every process, because sets and dictionaries are sorted.
///
/// Deeply nested values, and values with very many parts, are cut off. Otherwise a linked list with a thousand nodes could
/// overflow the stack, and objects that share other objects could print far more values than there are.
package struct Printed {
    /// The number of values that may still be printed.
    private(set) var left: Int
    private var depth = 0
    private var objects: Set<ObjectIdentifier> = []
    private(set) var isCut = false
    private let style: Style

    enum Style {
        /// For people and for source code.
        case text
        /// Equal strings and numbers, and functions with equal outputs, have equal texts, for ``key(of:)``.
        case key
        /// For traces: long texts are cut off, and collections of bytes are short.
        case trace
    }

    init(_ style: Style, left: Int = 10_000) {
        self.style = style
        self.left = left
    }

    package static func text(of value: Any) -> String {
        var printed = Printed(.text)
        return printed.tree(of: value).description
    }

    /// Returns a text that is the same for equal numbers and strings, even if they print differently, as 0.0 and -0.0
    /// do.
    package static func key(of value: Any) -> String {
        var printed = Printed(.key)
        return printed.tree(of: value).description
    }

    /// Returns the text that a failure shows. A very long text is cut off, and ends with the number of omitted
    /// characters.
    package static func excerpt(of value: Any) -> String {
        var printed = Printed(.text)
        let (text, limit) = (printed.tree(of: value).description, 500)
        let count = text.count
        guard count > limit else { return text }
        return "\(text.prefix(limit))… (\(printed.isCut ? "at least " : "")\(count - limit) more characters)"
    }

    /// Returns the tree of a value, within the bounds that are left.
    mutating func tree(of value: Any) -> ValueTree {
        guard left > 0, depth < ValueDump.maximumDepth else {
            isCut = true
            return leaf("…")
        }
        left -= 1
        depth += 1
        defer { depth -= 1 }
        switch value {
        case let text as String: return leaf(quoted(text))
        case let text as Substring: return leaf(quoted(String(text)))
        case let character as Character: return leaf(quoted(String(character)))
        case let function as any PrintedKey where style == .key: return leaf(function.key)
        case let number as any BinaryFloatingPoint where style == .key && number.isZero: return leaf("0.0")
        default: return structure(of: value)
        }
    }

    private func leaf(_ text: String) -> ValueTree {
        ValueTree(.value, style == .trace ? text.withoutPlacesInMemory.excerpt(10_000) : text)
    }

    private func quoted(_ text: String) -> String {
        switch style {
        case .text: text.sourceCode
        // Escaping separates scalars that may be a single scalar in an equal string.
        case .key: "\"\(text)\""
        case .trace: text.debugDescription
        }
    }

    private mutating func structure(of value: Any) -> ValueTree {
        if style == .trace, let bytes = ByteText(value) { return leaf(bytes.lines.joined(separator: "\n")) }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional:
            return mirror.children.first.map { tree(of: $0.value) } ?? leaf("nil")
        case .collection:
            let (parts, more) = elements(mirror.children)
            return ValueTree(.elements, "", parts, more: more)
        case .set:
            return sorted(.members, mirror.children)
        case .dictionary:
            return sorted(.entries, mirror.children)
        case .tuple:
            return ValueTree(.fields, "", labelled(mirror.children))
        case .struct where !Self.describesItself(value):
            return ValueTree(.fields, name(of: mirror), labelled(mirror.children))
        case .enum where !Self.describesItself(value):
            return enumTree(value, mirror)
        case .class where !Self.describesItself(value):
            return objectTree(value, mirror)
        default:
            // The description of a value without bounds may not have any.
            if style == .trace, !ValueBounds.contain(value) { return leaf("\(name(of: mirror))(…)") }
            return leaf(value is any CustomStringConvertible ? "\(value)" : String(reflecting: value))
        }
    }

    private func name(of mirror: Mirror) -> String { "\(mirror.subjectType)".withoutPlacesInMemory }

    private mutating func elements(_ children: Mirror.Children) -> ([ValueTree.Part], more: Int) {
        var parts: [ValueTree.Part] = []
        for child in children {
            if left <= 0 {
                isCut = true
                return (parts, children.count - parts.count)
            }
            parts.append(ValueTree.Part("", tree(of: child.value)))
        }
        return (parts, 0)
    }

    /// Returns a set or a dictionary with sorted members or entries, whose order differs between processes.
    ///
    /// The remaining number of values is divided equally among them, so that the result does not depend on their order.
    private mutating func sorted(_ kind: ValueTree.Kind, _ children: Mirror.Children) -> ValueTree {
        let share = max(1, left / max(1, children.count))
        let all = left
        var used = 0
        var parts: [ValueTree.Part] = []
        for child in children {
            left = share
            if kind == .entries {
                let entry = Array(Mirror(reflecting: child.value).children)
                let key = tree(of: entry[0].value).description
                parts.append(ValueTree.Part(key, tree(of: entry[1].value)))
            } else {
                let member = tree(of: child.value)
                parts.append(ValueTree.Part(member.description, member))
            }
            used += share - left
        }
        left = all - used
        parts.sort { $0.label < $1.label }
        let shown = min(parts.count, all)
        if shown < parts.count { isCut = true }
        return ValueTree(kind, "", Array(parts.prefix(shown)), more: parts.count - shown)
    }

    static func describesItself(_ value: Any) -> Bool {
        value is any CustomStringConvertible || value is any CustomDebugStringConvertible
    }

    private mutating func enumTree(_ value: Any, _ mirror: Mirror) -> ValueTree {
        guard let payload = mirror.children.first else { return leaf(".\(value)") }
        let inner = Mirror(reflecting: payload.value)
        let name = payload.label ?? "\(value)"
        let isTuple = inner.displayStyle == .tuple
        return ValueTree(
            .enumCase, name, isTuple ? labelled(inner.children) : [ValueTree.Part(name, tree(of: payload.value))])
    }

    /// Returns the tree of an object with its stored properties.
    ///
    /// The properties are omitted for an object that is printed inside of itself, and for an actor, whose state is
    /// isolated.
    private mutating func objectTree(_ value: Any, _ mirror: Mirror) -> ValueTree {
        let object = ObjectIdentifier(value as AnyObject)
        guard !(value is any Actor), objects.insert(object).inserted else { return leaf("\(name(of: mirror))(…)") }
        defer { objects.remove(object) }
        var parts: [ValueTree.Part] = []
        for mirror in sequence(first: mirror, next: \.superclassMirror).reversed() {
            parts += labelled(mirror.children)
        }
        return ValueTree(.fields, name(of: mirror), parts)
    }

    private mutating func labelled(_ children: Mirror.Children) -> [ValueTree.Part] {
        children.enumerated().map { index, child in
            ValueTree.Part(Self.label(of: child, at: index), tree(of: child.value))
        }
    }

    /// Returns the label of a property or of an element of a tuple, whose index is the label if it has none.
    static func label(of child: Mirror.Child, at index: Int) -> String {
        child.label.flatMap { $0.hasPrefix(".") ? nil : $0 } ?? "\(index)"
    }
}

extension ValueTree {
    /// The tree of a state. A tree with more than 100,000 values or 64 levels is cut off.
    package init(of state: Any) {
        var printed = Printed(.trace, left: 100_000)
        self = printed.tree(of: state)
    }
}

/// A value that a text identifies. The text is the same in every process.
package protocol PrintedKey {
    var key: String { get }
}
