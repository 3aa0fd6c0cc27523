/// Values as text that looks like their source code, the same in every process: sets and dictionaries are sorted.
enum Printed {
    static func text(of value: Any) -> String {
        switch value {
        case let text as String: return text.debugDescription
        case let character as Character: return "\"\(character)\""
        case let error as Unmet: return error.description
        default: break
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional:
            return mirror.children.first.map { text(of: $0.value) } ?? "nil"
        case .collection where !isDescribed(value, as: Substring.self):
            return "[" + mirror.children.map { text(of: $0.value) }.joined(separator: ", ") + "]"
        case .set:
            return "[" + mirror.children.map { text(of: $0.value) }.sorted().joined(separator: ", ") + "]"
        case .dictionary:
            let entries = mirror.children.map { child in
                Mirror(reflecting: child.value).children.map { text(of: $0.value) }.joined(separator: ": ")
            }
            return entries.isEmpty ? "[:]" : "[" + entries.sorted().joined(separator: ", ") + "]"
        case .tuple:
            return "(" + mirror.children.map(labelled).joined(separator: ", ") + ")"
        case .struct where !(value is any CustomStringConvertible) && !(value is any CustomDebugStringConvertible):
            return "\(mirror.subjectType)(" + mirror.children.map(labelled).joined(separator: ", ") + ")"
        case .enum where !(value is any CustomStringConvertible) && !(value is any CustomDebugStringConvertible):
            return enumText(value, mirror)
        default:
            return value is any CustomStringConvertible ? "\(value)" : String(reflecting: value)
        }
    }

    private static func isDescribed(_ value: Any, as type: Any.Type) -> Bool {
        Swift.type(of: value) == type
    }

    private static func enumText(_ value: Any, _ mirror: Mirror) -> String {
        guard let payload = mirror.children.first else { return ".\(value)" }
        let inner = Mirror(reflecting: payload.value)
        let parts =
            inner.displayStyle == .tuple
            ? inner.children.map(labelled).joined(separator: ", ") : text(of: payload.value)
        return ".\(payload.label ?? "\(value)")(\(parts))"
    }

    private static func labelled(_ child: Mirror.Child) -> String {
        guard let label = child.label, !label.hasPrefix(".") else { return text(of: child.value) }
        return "\(label): \(text(of: child.value))"
    }
}

/// A value as counterexamples print it.
package func described(_ value: Any) -> String {
    Printed.text(of: value)
}
