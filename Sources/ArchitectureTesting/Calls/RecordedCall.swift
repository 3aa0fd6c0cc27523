import FunctionalCore

/// A call of a function in a ``Recorder``.
public struct RecordedCall: Sendable, CustomStringConvertible {
    /// The number of the call, from 1, in the order in which the calls were recorded.
    public let number: Int
    /// The name of the function.
    public let name: String
    /// The arguments of the call.
    public let arguments: [any Sendable]
    /// The number of the message or work that made the call, in its trace. `nil` if the call was not traced.
    package let causeID: Int?
    /// The number of the first event of the call's chain of causes, in its trace. `nil` if the call was not traced.
    package let rootID: Int?
    /// Whether `unstubbed` has created the function that was called. Such a call is reported, and needs no expectation.
    package let isUnstubbed: Bool
    /// Whether the test has expected the call.
    public internal(set) var isExpected = false

    /// The number of the test driver in which the call was made, or `nil` if the call was made outside of a driver. The
    /// upper half of each event's number in the trace of a driver is the number of the driver.
    package var driver: Int? { causeID.flatMap { $0 >> 32 > 0 ? $0 >> 32 : nil } }

    /// Whether the call needs an expectation, and has none.
    package var isLeft: Bool { !isExpected && !isUnstubbed }

    /// The name and the arguments, as in `load(5)`.
    public var description: String { "\(name)(\(arguments.map(text).joined(separator: ", ")))" }

    /// The code that expects the call. It contains the arguments if each of them is `Equatable` and can be written as
    /// code.
    var expectation: String {
        let codes = arguments.compactMap { $0 is any Equatable ? code($0) : nil }
        if codes.count < arguments.count { return "expectCall(named: \(text(name)))" }
        return "expectCall(\(([text(name)] + codes).joined(separator: ", ")))"
    }
}

/// Returns the text of an argument, which resembles its source code.
func text(_ argument: Any) -> String {
    if argument is String { return String(reflecting: argument).excerpt(100_000) }
    if let bytes = ByteText(argument) { return bytes.code ?? bytes.summary }
    let text = boundedDescription(argument)
    return text == "(Function)" ? "{ … }" : text
}

/// Returns the source code of an argument. Returns `nil` if the description of the argument is not code, as for a date.
private func code(_ argument: Any) -> String? {
    if let bytes = ByteText(argument) { return bytes.code }
    let (type, mirror) = (type(of: argument), Mirror(reflecting: argument))
    var parts: [String] = []
    for (label, value) in mirror.children {
        guard let code = code(value) else { return nil }
        let isMember = mirror.displayStyle == .struct || mirror.displayStyle == .tuple
        // The elements of tuples without labels have labels such as ".0".
        if isMember, let label, !label.hasPrefix(".") { parts.append("\(label): \(code)") } else { parts.append(code) }
    }
    let list = parts.joined(separator: ", ")
    switch mirror.displayStyle {
    case .optional: return parts.isEmpty ? "\(type).none" : "Optional(\(list))"
    case .collection where argument is [Any]: return parts.isEmpty ? "\(type)()" : "[\(list)]"
    case .tuple: return "(\(list))"
    case .enum where !(argument is any CustomStringConvertible):
        guard let (name, _) = mirror.children.first else { return "\(type).\(argument)" }
        return "\(type).\(name ?? "")\(list.hasPrefix("(") ? list : "(\(list))")"
    case .struct where !(argument is any CustomStringConvertible): return "\(type)(\(list))"
    default: break
    }
    switch argument {
    case is String, is Int, is Double, is Bool: return text(argument)
    case is any BinaryInteger, is any BinaryFloatingPoint: return "\(type)(\(argument))"
    case let duration as Duration: return "Duration\(duration.code)"
    default: return nil
    }
}
