import FunctionalCore

/// The failure that a ``TestDriver`` reports for an input of a child that is absent: of an optional part, a case, a row,
/// or the part of a scope.
///
/// The component ignores such an input, so a test with a wrong id would pass. If it is what the test is about, state it:
///
/// ```swift
/// test.send(.row(id: 7, .toggle))
/// test.expectFailure(AbsentChild.self)
/// ```
///
/// The failure is reported once for each input, and only if the input has neither changed the state nor started other
/// work. So an input that removes a row, and then does not reach it, is not reported. Loops and stores have no such
/// failure, because only an update or a reducer knows to which part a message belongs.
public struct AbsentChild: Error, CustomStringConvertible {
    /// A sentence that names the input.
    public let description: String

    init(_ input: TraceValue) {
        description = "The input \(input) was for a child that is absent."
    }
}
