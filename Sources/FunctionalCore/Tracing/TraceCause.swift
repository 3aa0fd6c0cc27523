/// A cause in a trace: a message that is being processed, or a work that has been started.
///
/// It retains none of its own causes, so that an endless chain retains nothing.
package final class TraceCause: Sendable {
    /// The number of the event.
    package let id: Int
    package let root: TraceRoot
    /// How many works the chain of causes contains.
    let depth: Int
    /// What sends the messages that this causes. `nil` for a message: then the owner knows.
    package let sender: TraceEvent.Source?
    let owner: TraceEvent.Owner

    init(
        id: Int, owner: TraceEvent.Owner, cause: TraceCause?, sender: TraceEvent.Source?
    ) {
        self.id = id
        self.owner = owner
        root = cause?.root ?? TraceRoot(id: id)
        depth = (cause?.depth ?? 0) + (sender == nil ? 0 : 1)
        self.sender = sender
    }

    /// The cause of what `sender` does later, on an actor or in a task: the same event, one step further.
    package func continued(by sender: TraceEvent.Source) -> TraceCause {
        TraceCause(id: id, owner: owner, cause: self, sender: sender)
    }

    /// The cause of what the current task, or the current thread outside of tasks, does.
    @TaskLocal package static var current: TraceCause?
}

/// The first event of a chain of causes, and how fast the chain grows.
package final class TraceRoot: Sendable {
    package let id: Int
    private let growth = Locked(Growth())

    private struct Growth: Sendable {
        var depth = 0
        var depthBefore = 0
        var begin = Duration.zero
        var isReported = false
        var last: [TraceValue] = []
    }

    /// How many messages a report names.
    private static var namedMessages: Int { 16 }

    init(id: Int) {
        self.id = id
    }

    /// Notes a message at a depth. Returns the last messages if the chain has grown by more than `maximum` in a second,
    /// the first time that it has.
    func grow(to depth: Int, by message: TraceValue, at time: Duration, maximum: Int) -> [TraceValue]? {
        // The removed value is released outside of the lock.
        var removed: TraceValue?
        defer { withExtendedLifetime(removed) {} }
        return growth.withLock { growth in
            if depth <= growth.depth || growth.isReported { return nil }
            growth.depth = depth
            if growth.last.count == Self.namedMessages { removed = growth.last.removeFirst() }
            growth.last.append(message)
            if time - growth.begin > .seconds(1) { (growth.begin, growth.depthBefore) = (time, depth) }
            guard depth - growth.depthBefore > maximum else { return nil }
            growth.isReported = true
            defer { growth.last = [] }
            return growth.last
        }
    }
}
