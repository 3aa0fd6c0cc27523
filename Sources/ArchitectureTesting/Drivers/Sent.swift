public import Testing

/// A message that a test has sent with a driver or received, and everything that it has caused.
public struct Sent: Sendable {
    /// The number of the event that stands for the message among the events of the driver's trace.
    let id: Int
    /// The message.
    let message: any Sendable
    /// Whether the test has sent the message. If not, the test has received it.
    let isSent: Bool
    /// The line of the `send` or the `receive`, at which issues about the work of the message are recorded.
    public let sourceLocation: SourceLocation
}
