package import Testing

/// The error that a function from ``Recorder/unstubbed(_:sourceLocation:)`` throws when it is called.
public struct Unstubbed: Error, CustomStringConvertible {
    /// The call that failed.
    public let call: RecordedCall

    /// A text that names the call and the remedy.
    public var description: String {
        """
        \(call) was called, but \(call.name) is unstubbed.
        To fix, create the function with stub(\(text(call.name))) { … }, or do not call it.
        """
    }
}

/// A call of an unstubbed function, for a driver to report.
package struct UnstubbedCall: Sendable {
    package let call: RecordedCall
    /// The place where the function was created.
    package let sourceLocation: SourceLocation

    /// The text of the issue.
    package var failure: String { "\(Unstubbed(call: call))" }
}
