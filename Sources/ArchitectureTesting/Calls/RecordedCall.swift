/// A call of a function in a ``Recorder``.
public struct RecordedCall: Sendable, CustomStringConvertible {
    /// The number of the call, from 1, in the order in which the calls were recorded.
    public let number: Int
    /// The name of the function.
    public let name: String
    /// The arguments of the call.
    public let arguments: [any Sendable]
    /// The trace's number of the message or work that made the call, if it was traced.
    package let causeID: Int?
    /// The trace's number of the first event of the chain of causes, if the call was traced.
    package let rootID: Int?
    /// Whether the function must not be called. Then the call needs no expectation.
    package let isUnstubbed: Bool
    /// Whether the test has expected the call.
    public internal(set) var isExpected = false

    /// Whether the call needs an expectation, and has none.
    package var isLeft: Bool { !isExpected && !isUnstubbed }

    /// The name and the arguments, as in `load(5)`.
    public var description: String { "\(name)(\(arguments.map(text).joined(separator: ", ")))" }

    /// The code that expects the call.
    var expectation: String {
        if arguments.contains(where: { !($0 is any Equatable) }) { return "expectCall(named: \(text(name)))" }
        return "expectCall(\(([name] + arguments).map(text).joined(separator: ", ")))"
    }
}

/// The text of an argument, which resembles its source code.
func text(_ argument: any Sendable) -> String {
    if argument is String { return String(reflecting: argument) }
    let text = "\(argument)"
    return text == "(Function)" ? "{ … }" : text
}
