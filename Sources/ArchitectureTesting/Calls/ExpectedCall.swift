import FunctionalCore

/// A call that a test expects.
package struct ExpectedCall: CustomStringConvertible {
    let name: String
    /// The expected arguments, or `nil` if any arguments match.
    private let arguments: [any Equatable & Sendable]?

    package init<each Argument: Equatable & Sendable>(_ name: String, _ arguments: repeat each Argument) {
        var values: [any Equatable & Sendable] = []
        repeat values.append(each arguments)
        (self.name, self.arguments) = (name, values)
    }

    package init(named name: String) {
        (self.name, arguments) = (name, nil)
    }

    /// The name and the arguments, as in `load(5)`.
    package var description: String {
        "\(name)(\(arguments.map { $0.map(text).joined(separator: ", ") } ?? "…"))"
    }

    func matches(_ call: RecordedCall) -> Bool {
        if call.name != name { return false }
        guard let arguments else { return true }
        return arguments.count == call.arguments.count && zip(arguments, call.arguments).allSatisfy { $0.equals($1) }
    }

    /// Returns the text of the issue for an expected call that is not the next call without an expectation.
    ///
    /// - Parameters:
    ///   - calls: The recorded calls, as they were before one of them was marked as expected because of this failure.
    ///   - names: The names of all functions of the recorder.
    func failure(in calls: [RecordedCall], names: [String]) -> String {
        if !names.isEmpty, !names.contains(name) {
            return """
                \(self) was expected, but no function of this name was stubbed or called.
                To fix, use one of the names \(listed(names.map(text))), or let the code under test make the call.
                """
        }
        let left = calls.filter(\.isLeft)
        let earlier = calls.first { $0.isExpected && matches($0) }
            .map { "\nThe call \($0), number \($0.number), was already expected." }
        guard let next = left.first else {
            return """
                \(self) was expected, but \(calls.isEmpty ? "no function was called." : "no call is left.")\(earlier ?? "")
                To fix, let the code under test make the call before the expectation, or remove the expectation.
                """
        }
        if let index = left.firstIndex(where: matches) {
            let skipped = left[..<index]
            return """
                \(self) was expected, but \(skipped.count == 1 ? "1 call comes" : "\(skipped.count) calls come") before it: \
                \(listed(skipped))
                To fix, write before it: \(listed(skipped.map(\.expectation))).
                """
        }
        if next.name == name {
            return """
                \(report("\(name) was called with other arguments", difference(to: next)))\(earlier ?? "")
                To fix, \(next.expectation), or correct the call.
                """
        }
        let later = left.first { $0.name == name }
            .map { "\n" + report("\(name) is called later, with other arguments", difference(to: $0)) }
        return """
            \(self) was expected, but the next call is \(next).\(later ?? "")\(earlier ?? "")
            To fix, \(next.expectation), or let the code under test make the expected call before it.
            """
    }

    /// Returns the lines that show how the arguments differ. If the texts of the calls differ and have at most 60
    /// characters, they are compared as one line. Otherwise the arguments are compared line by line, and the lines of
    /// `differentTypes(_:)` follow.
    private func difference(to call: RecordedCall) -> [String] {
        let (expected, actual) = (description, call.description)
        if expected != actual, max(expected.count, actual.count) <= 60 {
            return LineDiff(from: [expected], to: [actual]).lines
        }
        return orderedLines(arguments ?? [], call.arguments) + differentTypes(call)
    }

    /// Returns a line for each argument that has the same text as the expected argument, but another type.
    private func differentTypes(_ call: RecordedCall) -> [String] {
        zip(arguments ?? [], call.arguments).enumerated().compactMap { index, pair in
            let types = (type(of: pair.0 as Any), type(of: pair.1 as Any))
            if types.0 == types.1 || text(pair.0) != text(pair.1) { return nil }
            return "  The type of argument \(index + 1) differs: \(types.0) was expected, it is \(types.1)."
        }
    }
}

extension Equatable {
    /// Returns whether the values are equal and have the same type, apart from optionals. A cast alone would convert an
    /// empty array to an array of any type. An object may be of a subclass.
    fileprivate func equals(_ other: any Sendable) -> Bool {
        let (mine, its) = (withoutOptional(Self.self), withoutOptional(type(of: other)))
        return (mine == its || mine is AnyClass) && other as? Self == self
    }
}

private protocol OptionalType {
    static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
    fileprivate static var wrapped: Any.Type { withoutOptional(Wrapped.self) }
}

private func withoutOptional(_ type: Any.Type) -> Any.Type {
    (type as? any OptionalType.Type)?.wrapped ?? type
}

/// Returns the first ten elements, separated by commas, and the number of further elements.
func listed(_ elements: some Collection<some CustomStringConvertible>) -> String {
    let shown = elements.prefix(10).map(\.description).joined(separator: ", ")
    return elements.count > 10 ? "\(shown), and \(elements.count - 10) more" : shown
}
