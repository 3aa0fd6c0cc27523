import Synchronization

/// A cause in a trace: a message that is being processed, or a work that has been started.
///
/// It retains none of its own causes, so that an endless chain retains nothing.
package final class TraceCause: Sendable {
    /// The number of the event.
    package let id: Int
    package let root: TraceRoot
    /// How many times the chain of causes has gone on through a task, or through a callback of another thread.
    let depth: Int
    /// What sends the messages that this causes. `nil` for a message: then the owner knows.
    package let sender: TraceEvent.Source?
    /// The thread that processes the message, or calls the synchronous part of the work. 0 at all other times.
    private let activeThread = Atomic<UInt>(0)

    private init(id: Int, root: TraceRoot, depth: Int, sender: TraceEvent.Source?) {
        (self.id, self.root, self.depth, self.sender) = (id, root, depth, sender)
    }

    /// Creates a cause that is itself caused by `cause`, another one of the same trace.
    ///
    /// - Parameters:
    ///   - recorder: The recorder of the trace.
    ///   - depth: The depth; see ``depth(after:)``.
    convenience init(id: Int, in recorder: TraceRecorder, cause: TraceCause?, depth: Int, sender: TraceEvent.Source?) {
        self.init(id: id, root: cause?.root ?? TraceRoot(id: id, recorder: recorder), depth: depth, sender: sender)
    }

    /// The same cause as another object.
    var copy: TraceCause { TraceCause(id: id, root: root, depth: depth, sender: sender) }

    /// The same event as a cause of messages that others send.
    var withoutSender: TraceCause { TraceCause(id: id, root: root, depth: depth, sender: nil) }

    /// The depth of what the calling thread causes now, if `cause` is its cause.
    static func depth(after cause: TraceCause?) -> Int {
        cause.map { $0.depth + ($0.isActiveHere ? 0 : 1) } ?? 0
    }

    private var isActiveHere: Bool { activeThread.load(ordering: .relaxed) == CurrentThread.identity }

    /// Calls `body` with this as the current cause.
    ///
    /// - Parameter isSynchronous: Whether the thread calls `body` while it processes a message; `nil` if the cause so far
    ///   decides that.
    func perform<Result>(isSynchronous: Bool? = nil, _ body: () -> Result) -> Result {
        let isSynchronous = isSynchronous ?? (TraceCause.current?.isActiveHere == true)
        let becomesActive = isSynchronous && !isActiveHere
        if becomesActive { activeThread.store(CurrentThread.identity, ordering: .relaxed) }
        defer { if becomesActive { activeThread.store(0, ordering: .relaxed) } }
        return TraceCause.$current.withValue(self, operation: body)
    }

    /// The cause of what `sender` does later, on an actor or in a task: the same event.
    package func continued(by sender: TraceEvent.Source) -> TraceCause {
        TraceCause(id: id, root: root, depth: depth, sender: sender)
    }

    /// The cause of what the sender of this does in answer to the current cause: the same event as that one. If there is
    /// none, this cause itself.
    var answeringCurrent: TraceCause {
        guard let sender, let current = TraceCause.current, current.root.recorder === root.recorder else { return self }
        return current.continued(by: sender)
    }

    /// Calls `body`, in which observers send the messages that the current cause has as consequences.
    package static func asObserver(_ body: () -> Void) {
        if let current { current.continued(by: .observer).perform(body) } else { body() }
    }

    /// The cause of what the current task, or the current thread outside of tasks, does.
    @TaskLocal package static var current: TraceCause?

    /// Calls `body` with `cause` as the current cause. Without a trace, this allocates nothing.
    package static func with<Result>(_ cause: TraceCause?, _ body: () -> Result) -> Result {
        current === cause ? body() : $current.withValue(cause, operation: body)
    }
}

/// The first event of a chain of causes.
package final class TraceRoot: Sendable {
    package let id: Int
    /// The recorder of its trace. The numbers of events of another trace mean other events.
    let recorder: TraceRecorder
    // Most chains contain no work. Their growth is not followed.
    private let lazyGrowth = AtomicLazyReference<TraceGrowth>()

    init(id: Int, recorder: TraceRecorder) {
        (self.id, self.recorder) = (id, recorder)
    }

    /// How fast the chain grows.
    var growth: TraceGrowth { lazyGrowth.load() ?? lazyGrowth.storeIfNil(TraceGrowth()) }
}

/// How fast a chain of causes grows.
final class TraceGrowth: Sendable {
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
