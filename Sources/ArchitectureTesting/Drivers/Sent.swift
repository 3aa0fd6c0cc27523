public import Testing

/// A handle on a message that a test has sent or received with a test driver, and on the work that the message has
/// caused.
public struct Sent: Sendable {
    /// The number of the message in the driver's trace, or 0 if nothing was sent, or no message came to be received.
    let id: Int
    /// The message, or a text that describes it.
    let message: any Sendable
    /// Whether the test has sent the message. If not, the test has received it.
    let isSent: Bool
    /// The line of the `send` or the `receive`, at which issues about the work of the message are recorded.
    public let sourceLocation: SourceLocation
}
