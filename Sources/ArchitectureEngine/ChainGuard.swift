/// A chain of messages that was stopped.
@usableFromInline
package struct ChainStop: Sendable {
    /// The sender of the dropped message.
    package let sender: ObjectIdentifier
    /// The names of the last messages, at most `Chain.namedCauses`. The last one is the dropped message.
    package let causes: [String]
    /// The limit that was exceeded.
    package let maximumChain: Int
    /// Whether the chain was caused by the report of another stopped chain. If so, no observer receives its
    /// report, because reporting would never end.
    package let isCausedByReport: Bool

    /// The causes and the remedies, for messages to the user.
    package func description(of sender: String) -> String {
        """
        \(sender) answers its own messages without end, and was stopped after \(maximumChain) of them: \
        \(causes.joined(separator: " → ")). To fix, let it send only when something has changed, \
        or raise the maximum chain if a chain of this length is intended.
        """
    }
}

/// The senders among the synchronous causes of a message.
///
/// A message that is sent while another one is being processed, by the thread that processes it, is caused by that one.
/// Messages of other threads and of tasks have no cause: each is the root of a chain of its own. A sender is whatever
/// the core calls and what may then send: an observer, an effect, a middleware, a handler or a source. Of the messages
/// that descend from one root, those are counted whose sender is already among their causes. An answer consists of the
/// messages that a sender sends while one message is processed. So a runaway is counted at every step, also when it
/// branches. A single answer is not counted, however many messages it has.
///
/// If the sender is not known, as for the actions of a dispatcher, or there are too many different ones to compare, one
/// message of each answer is counted: the sender may be another one than before, and its answer a single one.
///
/// Unchecked: only the draining thread uses the mutable parts.
@usableFromInline
package final class Chain: @unchecked Sendable {
    /// How many messages of this root have repeated a sender.
    fileprivate final class Tally {
        var count = 0
        var isReported = false
    }

    fileprivate var tally: Tally
    fileprivate var sender: ObjectIdentifier?
    fileprivate let parent: Chain?
    /// The number of different senders.
    fileprivate let depth: Int
    fileprivate let causes: [String]
    fileprivate let isCausedByReport: Bool

    /// How many causes a report names.
    static var namedCauses: Int { 16 }

    /// In a chain of so many different senders further ones are not compared. This bounds the cost of a message, and
    /// finds chains that register another sender at every step.
    private static var maximumDepth: Int { 64 }

    fileprivate init(
        tally: Tally, sender: ObjectIdentifier?, parent: Chain?, causes: [String] = [], isCausedByReport: Bool
    ) {
        self.tally = tally
        self.sender = sender
        self.parent = parent
        self.causes = causes
        self.isCausedByReport = isCausedByReport
        depth = (parent?.depth ?? 0) + 1
    }

    /// Whether this chain is too deep to compare senders.
    fileprivate var isDeep: Bool { depth >= Self.maximumDepth }

    fileprivate func contains(_ other: ObjectIdentifier) -> Bool {
        var chain: Chain? = self
        while let link = chain {
            if link.sender == other { return true }
            chain = link.parent
        }
        return false
    }

    fileprivate func naming(_ name: String) -> Chain {
        Chain(
            tally: tally, sender: sender, parent: parent, causes: causes.suffix(Self.namedCauses - 1) + [name],
            isCausedByReport: isCausedByReport)
    }
}

/// Follows which message causes which, and decides when a chain is stopped.
///
/// Only the draining thread may use it.
@usableFromInline
package struct ChainGuard {
    private let maximumChain: Int
    /// The chain of the message that is being processed. `nil` for a root.
    private var current: Chain?
    /// Whether the message that is being processed has already caused a message that was counted.
    private var hasCounted = false
    /// The tally of the root that is being processed. `nil` until the root has caused a message.
    private var rootTally: Chain.Tally?
    /// The chain of the last message, which mostly fits the next one, too: then nothing is allocated.
    private var last: Chain?

    @usableFromInline
    package init(maximumChain: Int) {
        self.maximumChain = maximumChain
    }

    /// Begins to process a message of `chain`. `nil` is a root.
    @usableFromInline
    mutating func enter(_ chain: Chain?) {
        current = chain
        rootTally = nil
        hasCounted = false
    }

    /// The decision about a message that is sent while another one is being processed.
    @usableFromInline
    enum Verdict {
        case admitted(Chain)
        /// So near to the limit that causes are to be named, or beyond it.
        case near(Chain)

        var chain: Chain {
            switch self {
            case .admitted(let chain), .near(let chain): chain
            }
        }
    }

    /// Decides about a message of `sender`.
    ///
    /// - Parameters:
    ///   - isKnown: Whether the sender is known. If not, `sender` stands for all unknown ones.
    ///   - isCounted: `false` for a message that must not be dropped.
    @usableFromInline
    mutating func admit(from sender: ObjectIdentifier, isKnown: Bool, isCounted: Bool) -> Verdict {
        guard let current, current.isDeep || current.contains(sender) else {
            return .admitted(extended(by: sender))
        }
        guard isCounted else { return .admitted(current) }
        let isOver = current.tally.count > maximumChain
        let countsOnce = !isKnown || current.isDeep
        if countsOnce, hasCounted, !isOver { return .admitted(current) }
        hasCounted = true
        if !isOver { current.tally.count += 1 }
        return current.tally.count > maximumChain - Chain.namedCauses ? .near(current) : .admitted(current)
    }

    /// The chain of a message near the limit; `nil` if the limit is exceeded.
    @usableFromInline
    func named(_ name: String, in chain: Chain) -> Chain? {
        chain.tally.count > maximumChain ? nil : chain.naming(name)
    }

    /// The report of a chain that exceeds the limit, the first time that it does.
    @usableFromInline
    func stop(_ chain: Chain, at name: String, from sender: ObjectIdentifier) -> ChainStop? {
        if chain.tally.isReported { return nil }
        chain.tally.isReported = true
        return ChainStop(
            sender: sender, causes: chain.naming(name).causes, maximumChain: maximumChain,
            isCausedByReport: chain.isCausedByReport)
    }

    /// The chain of the report of a stopped chain.
    @usableFromInline
    static func chainOfReport() -> Chain {
        Chain(tally: Chain.Tally(), sender: nil, parent: nil, isCausedByReport: true)
    }

    private mutating func extended(by sender: ObjectIdentifier) -> Chain {
        let tally = current?.tally ?? rootTally
        if let last, last.sender == sender, last.parent === current, last.tally === tally { return last }
        if current == nil, tally == nil, reuse(for: sender), let last {
            rootTally = last.tally
            return last
        }
        let chain = Chain(
            tally: tally ?? Chain.Tally(), sender: sender, parent: current, causes: current?.causes ?? [],
            isCausedByReport: current?.isCausedByReport ?? false)
        if current == nil { rootTally = chain.tally }
        last = chain
        return chain
    }

    /// Makes the last chain the first one of another root, if nothing else refers to it any more.
    private mutating func reuse(for sender: ObjectIdentifier) -> Bool {
        // The first of a root, so it has neither causes nor is it caused by a report.
        guard isKnownUniquelyReferenced(&last), let last, last.parent == nil, isKnownUniquelyReferenced(&last.tally)
        else { return false }
        (last.tally.count, last.tally.isReported) = (0, false)
        last.sender = sender
        return true
    }
}
