public import Testing

extension Recorder {
    /// Expects that the next call has this name and these arguments.
    ///
    /// ```swift
    /// calls.expectCall("load", 5)
    /// ```
    ///
    /// The next call is the first one that the test has not expected. Arguments are compared with `==`, and arguments
    /// of different types are not equal, except that an optional equals its value. If the next call differs, an issue is
    /// recorded that shows the difference. To prevent further issues, another call then counts as expected: a later one
    /// that equals the expected call, or the next one if it has the same name.
    ///
    /// A call of an unstubbed function needs no expectation. It can be expected in any order.
    ///
    /// - Parameters:
    ///   - name: The name of the function.
    ///   - arguments: The expected arguments.
    ///   - sourceLocation: The place where issues are recorded. By default, the call.
    /// - Returns: The call that counts as expected, or `nil` if there is none.
    /// - Complexity: O(n) in the number of recorded calls.
    @discardableResult
    public func expectCall<each Argument: Equatable & Sendable>(
        _ name: String, _ arguments: repeat each Argument, sourceLocation: SourceLocation = #_sourceLocation
    ) -> RecordedCall? {
        let result = expect(ExpectedCall(name, repeat each arguments))
        ArchitectureTesting.record([result.failure], sourceLocation)
        return result.call
    }

    /// Expects that the next call has this name, with any arguments.
    ///
    /// Use this method if an argument is not `Equatable`, such as a closure.
    ///
    /// ```swift
    /// let call = calls.expectCall(named: "watch")
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the function.
    ///   - sourceLocation: The place where issues are recorded. By default, the call.
    /// - Returns: The call that counts as expected, or `nil` if there is none.
    /// - Complexity: O(n) in the number of recorded calls.
    @discardableResult
    public func expectCall(named name: String, sourceLocation: SourceLocation = #_sourceLocation) -> RecordedCall? {
        let result = expect(ExpectedCall(named: name))
        ArchitectureTesting.record([result.failure], sourceLocation)
        return result.call
    }

    /// Expects that the test has expected all calls so far.
    ///
    /// Calls of unstubbed functions do not count, because they have been reported.
    ///
    /// - Parameter sourceLocation: The place where an issue is recorded. By default, the call.
    /// - Complexity: O(n) in the number of recorded calls.
    public func expectNoCalls(sourceLocation: SourceLocation = #_sourceLocation) {
        ArchitectureTesting.record([Self.failure(leaving: all.filter(\.isLeft))], sourceLocation)
    }

    /// Marks a call that matches `expected` as expected. If there is none, marks the next call if it has the same name,
    /// unless a call in another driver matches. Returns the call that was marked, and the text of an issue if the
    /// expectation fails.
    ///
    /// - Parameters:
    ///   - inOrder: Whether the expectation fails if calls without an expectation precede the matching call. If it is
    ///     `false`, those calls still need expectations.
    ///   - driver: The number of the driver that expects the call. Calls that were made in other drivers do not match.
    ///     If it is `nil`, the calls of all drivers match.
    ///   - waits: Returns whether the expectation is repeated later. Called if the expectation fails only because the
    ///     call has not been made. If it returns `true`, the result is empty.
    package func expect(
        _ expected: ExpectedCall, inOrder: Bool = true, by driver: Int? = nil, orWait waits: () -> Bool = { false }
    ) -> (call: RecordedCall?, failure: String?) {
        let (all, isOwn) = (
            all, { (call: RecordedCall) in driver == nil || call.driver == nil || call.driver == driver }
        )
        let calls = all.filter(isOwn)
        let left = calls.filter(\.isLeft)
        let isNext = left.first.map(expected.matches) == true
        // The call of an unstubbed function has been reported, so its expectation does not fail again.
        let match =
            (isNext ? left.first : nil)
            ?? calls.first { $0.isUnstubbed && !$0.isExpected && expected.matches($0) }
            ?? left.first(where: expected.matches)
        if let match, isNext || match.isUnstubbed || !inOrder {
            markAsExpected(match)
            return (match, nil)
        }
        // An equal call in another driver does not end a wait, because the call of this driver may still come.
        if match == nil, !inOrder || left.isEmpty, waits() { return (nil, nil) }
        if match == nil, let other = all.first(where: { !isOwn($0) && $0.isLeft && expected.matches($0) }) {
            return (nil, Self.failure(ofAnotherDriver: other))
        }
        let call = match ?? left.first.flatMap { $0.name == expected.name ? $0 : nil }
        if let call { markAsExpected(call) }
        return (call, expected.failure(in: calls, names: names))
    }

    private static func failure(ofAnotherDriver call: RecordedCall) -> String {
        """
        \(call) was expected, but the call was made in another test driver.
        To fix, expect it with that driver.
        """
    }

    /// Returns the text of an issue for calls in drivers that do not have the recorder, or `nil` if `calls` is empty.
    static func failure(withoutDriver calls: [RecordedCall]) -> String? {
        if calls.isEmpty { return nil }
        return """
            \(calls.count == 1 ? "1 call was" : "\(calls.count) calls were") made in a test driver that does not have the \
            recorder, and not expected: \(listed(calls))
            To fix, create the driver with calls: calls.
            """
    }

    /// Returns the text of an issue for calls that the test has not expected, or `nil` if `calls` is empty.
    ///
    /// - Parameter alternative: Another remedy, such as "relax .calls".
    package static func failure(leaving calls: [RecordedCall], or alternative: String? = nil) -> String? {
        if calls.isEmpty { return nil }
        let remedy = listed(calls.map(\.expectation)) + (alternative.map { ", or \($0)" } ?? "")
        return """
            \(calls.count == 1 ? "1 call was" : "\(calls.count) calls were") not expected: \(listed(calls))
            To fix, \(remedy).
            """
    }
}
