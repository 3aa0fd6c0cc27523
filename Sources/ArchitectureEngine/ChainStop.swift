/// A chain of messages that was stopped.
@usableFromInline
package struct ChainStop: Sendable {
    /// The sender of the dropped message.
    package let sender: ObjectIdentifier
    /// The names of the last messages, at most `Chain.namedCauses`. The last name is the name of the dropped message.
    package let causes: [String]
    /// The maximum that the chain has exceeded.
    package let maximumChain: Int
    /// Whether the report of another stopped chain caused this chain. If so, no observer receives the report of this
    /// chain, because reporting would never end.
    package let isCausedByReport: Bool

    /// Returns a message to the user that names the sender and the causes, and says how to fix the chain.
    package func description(of sender: String) -> String {
        """
        \(sender) answers its own messages without end, and was stopped after \(maximumChain) of them: \
        \(causes.joined(separator: " → ")). To fix, let it send only when something has changed, \
        or raise the maximum chain if a chain of this length is intended.
        """
    }
}
