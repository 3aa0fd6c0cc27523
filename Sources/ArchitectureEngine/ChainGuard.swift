/// The chain of the synchronous causes of a message: their senders, and the names of the last causes. Each instance is
/// a link with one sender; `parent` links to the earlier senders.
///
/// A message that the draining thread sends while it processes another message is caused by that other message. A
/// message of another thread or of a task has no cause: it is the root of a chain. A sender is anything that the core
/// calls and that can send: an observer, an effect, a middleware, a handler or a source.
///
/// A message is counted if its sender is already among the senders of its causes. An endless chain is therefore counted
/// at every step, even if the chain branches.
///
/// An answer is all messages that one sender sends while one message is processed. The first answer of a sender in a
/// chain is not counted, however many messages it has.
///
/// If the sender is unknown, as for the actions of a dispatcher, or if a chain has too many senders, the guard cannot
/// tell whether the sender has already sent one of the causes. The guard then counts at most one message of each
/// answer.
///
/// Unchecked: only the draining thread uses the mutable parts.
@usableFromInline
package final class Chain: @unchecked Sendable {
    /// The number of counted messages of one root, and whether a chain of this root was reported.
    fileprivate final class Tally {
        var count = 0
        var isReported = false
    }

    fileprivate var tally: Tally
    fileprivate var sender: ObjectIdentifier?
    fileprivate let parent: Chain?
    /// The number of different senders in this chain.
    fileprivate let depth: Int
    fileprivate let causes: [String]
    fileprivate let isCausedByReport: Bool

    /// The number of causes that a report names.
    static var namedCauses: Int { 16 }

    /// The number of different senders from which on senders are no longer compared. This limit bounds the cost of a
    /// message, and detects chains that register a new sender at every step.
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

/// A guard that tracks which message causes which other message, and decides when a chain is stopped.
///
/// Only the draining thread may use it.
@usableFromInline
package struct ChainGuard {
    private let maximumChain: Int
    /// The chain of the message that is being processed, or `nil` if the message is a root.
    private var current: Chain?
    /// The tally of the message that is being processed, if it is a root and has caused a message. Otherwise `nil`.
    private var rootTally: Chain.Tally?
    /// The chain that was created last. It is usually the chain of the next message, too, which saves an allocation.
    private var last: Chain?
    /// Whether the message that is being processed has already caused a message that was counted.
    private var hasCounted = false

    @usableFromInline
    package init(maximumChain: Int) {
        self.maximumChain = maximumChain
    }

    /// Begins the processing of a message. `chain` is `nil` if the message is a root.
    @usableFromInline
    mutating func begin(_ chain: Chain?) {
        current = chain
        rootTally = nil
        hasCounted = false
    }

    /// The decision about a message that is sent while another message is being processed.
    @usableFromInline
    enum Verdict {
        case admitted(Chain)
        /// The count is near the limit or exceeds it. The caller must call `named(_:in:)`, which returns `nil` if the
        /// count exceeds the limit.
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
    ///   - isKnown: Whether the sender is known. If it is not, `sender` stands for all unknown senders.
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

    /// Returns the chain with `name` added to its causes, or `nil` if the limit is exceeded.
    @usableFromInline
    func named(_ name: String, in chain: Chain) -> Chain? {
        chain.tally.count > maximumChain ? nil : chain.naming(name)
    }

    /// Returns the report of a chain that exceeds the limit, or `nil` if a chain of the same root was reported before.
    @usableFromInline
    func stop(_ chain: Chain, at name: String, from sender: ObjectIdentifier) -> ChainStop? {
        if chain.tally.isReported { return nil }
        chain.tally.isReported = true
        return ChainStop(
            sender: sender, causes: chain.naming(name).causes, maximumChain: maximumChain,
            isCausedByReport: chain.isCausedByReport)
    }

    /// Returns the chain for the message that reports a stopped chain.
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

    /// Resets `last` to the first link of a new root, if it was the first link of its root, and nothing else references
    /// it or its tally. Returns whether `last` was reset.
    private mutating func reuse(for sender: ObjectIdentifier) -> Bool {
        // Such a chain was the first chain of a root, so it names no causes, and no report caused it.
        guard isKnownUniquelyReferenced(&last), let last, last.parent == nil, isKnownUniquelyReferenced(&last.tally)
        else { return false }
        (last.tally.count, last.tally.isReported) = (0, false)
        last.sender = sender
        return true
    }
}
