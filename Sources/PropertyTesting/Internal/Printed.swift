/// Values as text that looks like their source code, the same in every process: sets and dictionaries are sorted.
enum Printed {
    static func text(of value: Any) -> String {
        text(of: value, inside: [])
    }

    /// The text as a failure shows it: of a very long one the beginning, and how much is left out.
    static func excerpt(of value: Any) -> String {
        let (text, limit) = (text(of: value), 500)
        let count = text.count
        return count > limit ? "\(text.prefix(limit))… (\(count - limit) more characters)" : text
    }

    private static func text(of value: Any, inside objects: Set<ObjectIdentifier>) -> String {
        switch value {
        case let text as String: return text.debugDescription
        case let character as Character: return "\"\(character)\""
        case let error as Unmet: return error.description
        default: break
        }
        func texts(_ children: Mirror.Children) -> [String] {
            children.map { text(of: $0.value, inside: objects) }
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional:
            return texts(mirror.children).first ?? "nil"
        case .collection where !isDescribed(value, as: Substring.self):
            return "[" + texts(mirror.children).joined(separator: ", ") + "]"
        case .set:
            return "[" + texts(mirror.children).sorted().joined(separator: ", ") + "]"
        case .dictionary:
            let entries = mirror.children.map { texts(Mirror(reflecting: $0.value).children).joined(separator: ": ") }
            return entries.isEmpty ? "[:]" : "[" + entries.sorted().joined(separator: ", ") + "]"
        case .tuple:
            return "(\(labelled(mirror.children, inside: objects)))"
        case .struct where !describesItself(value):
            return "\(mirror.subjectType)(\(labelled(mirror.children, inside: objects)))"
        case .enum where !describesItself(value):
            return enumText(value, mirror, inside: objects)
        case .class where !describesItself(value):
            return objectText(value, mirror, inside: objects)
        default:
            return value is any CustomStringConvertible ? "\(value)" : String(reflecting: value)
        }
    }

    private static func describesItself(_ value: Any) -> Bool {
        value is any CustomStringConvertible || value is any CustomDebugStringConvertible
    }

    private static func isDescribed(_ value: Any, as type: Any.Type) -> Bool {
        Swift.type(of: value) == type
    }

    private static func enumText(_ value: Any, _ mirror: Mirror, inside objects: Set<ObjectIdentifier>) -> String {
        guard let payload = mirror.children.first else { return ".\(value)" }
        let inner = Mirror(reflecting: payload.value)
        let parts =
            inner.displayStyle == .tuple
            ? labelled(inner.children, inside: objects) : text(of: payload.value, inside: objects)
        return ".\(payload.label ?? "\(value)")(\(parts))"
    }

    /// An object with what it stores; without it where it is inside of itself, and an actor, whose state is its own.
    private static func objectText(_ value: Any, _ mirror: Mirror, inside objects: Set<ObjectIdentifier>) -> String {
        let object = ObjectIdentifier(value as AnyObject)
        guard !(value is any Actor), !objects.contains(object) else { return "\(mirror.subjectType)(…)" }
        let parts = sequence(first: mirror) { $0.superclassMirror }.reversed()
            .map { labelled($0.children, inside: objects.union([object])) }
        return "\(mirror.subjectType)(\(parts.filter { !$0.isEmpty }.joined(separator: ", ")))"
    }

    private static func labelled(_ children: Mirror.Children, inside objects: Set<ObjectIdentifier>) -> String {
        children.map { child in
            let text = text(of: child.value, inside: objects)
            guard let label = child.label, !label.hasPrefix(".") else { return text }
            return "\(label): \(text)"
        }.joined(separator: ", ")
    }
}

/// A value as counterexamples print it.
package func described(_ value: Any) -> String {
    Printed.excerpt(of: value)
}
