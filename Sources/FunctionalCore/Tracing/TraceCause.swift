import Synchronization

/// A cause in a trace: a message that is being processed, or a work that has been started.
///
/// A cause does not retain its own cause, so that an endless chain does not retain all its causes.
package final class TraceCause: Sendable {
    /// The number of the event that recorded the message or the start of the work.
    package let id: Int
    package let root: TraceRoot
    /// The tracer that recorded the event, or `nil` if code outside of all owners is the cause.
    let tracer: Tracer?
    /// The number of times that the chain of causes has continued through a task, or through a callback of another
    /// thread.
    let depth: Int
    /// The sender of the messages that this event causes. It is `nil` for a message that is being processed, and for a
    /// copy made by `withoutSender`. Then the closure passed to `Tracer.origin(_:)` supplies the sender. If it supplies
    /// none, the sender is `elsewhere`.
    package let sender: TraceEvent.Source?
    /// The thread that processes the message, or that calls a part of the work while it processes a message. At all
    /// other times, it is 0.
    private let activeThread = Atomic<UInt>(0)

    private init(id: Int, root: TraceRoot, tracer: Tracer?, depth: Int, sender: TraceEvent.Source?) {
        (self.id, self.root, self.tracer, self.depth, self.sender) = (id, root, tracer, depth, sender)
    }

    /// Creates a cause with the next number of a trace, whose own cause is `cause`, an event of the same trace. Without
    /// `cause`, it is the root of a chain.
    ///
    /// - Parameters:
    ///   - recorder: The recorder of the trace.
    ///   - tracer: The tracer that records the event, or `nil` if the cause is code outside of all owners.
    ///   - depth: The depth; see ``depth(after:)``.
    convenience init(
        in recorder: TraceRecorder, by tracer: Tracer?, cause: TraceCause?, depth: Int, sender: TraceEvent.Source?
    ) {
        let id = recorder.next()
        let root = cause?.root ?? TraceRoot(id: id, recorder: recorder)
        self.init(id: id, root: root, tracer: tracer, depth: depth, sender: sender)
    }

    /// A copy of this cause, as a new object.
    var copy: TraceCause { TraceCause(id: id, root: root, tracer: tracer, depth: depth, sender: sender) }

    /// A copy of this cause that has no sender.
    var withoutSender: TraceCause { TraceCause(id: id, root: root, tracer: tracer, depth: depth, sender: nil) }

    /// Returns the depth of an event that the calling thread records now, and whose cause is `cause`. It equals the
    /// depth of `cause` if this thread is processing `cause`, and is larger by one otherwise. Without a cause, it is 0.
    static func depth(after cause: TraceCause?) -> Int {
        cause.map { $0.depth + ($0.isActiveHere ? 0 : 1) } ?? 0
    }

    private var isActiveHere: Bool { activeThread.load(ordering: .relaxed) == CurrentThread.identity }

    /// Calls `body` with this cause as the current cause.
    ///
    /// - Parameter isSynchronous: Whether the thread calls `body` while it processes a message. If it is `nil`, this is
    ///   true if the previous current cause is active on this thread; see `activeThread`.
    func run<Result>(isSynchronous: Bool? = nil, _ body: () -> Result) -> Result {
        let isSynchronous = isSynchronous ?? (TraceCause.current?.isActiveHere == true)
        let becomesActive = isSynchronous && !isActiveHere
        if becomesActive { activeThread.store(CurrentThread.identity, ordering: .relaxed) }
        defer { if becomesActive { activeThread.store(0, ordering: .relaxed) } }
        return TraceCause.$current.withValue(self, operation: body)
    }

    /// Returns a copy of this cause for messages that `sender` sends. The copy denotes the same event.
    package func continued(by sender: TraceEvent.Source) -> TraceCause {
        TraceCause(id: id, root: root, tracer: tracer, depth: depth, sender: sender)
    }

    /// The current cause, with the sender of this cause as its sender. It is the cause of messages with which that
    /// sender answers the current cause. If the trace has no current cause, or if this cause has no sender, it is this
    /// cause.
    var answeringCurrent: TraceCause {
        guard let sender, let current = TraceCause.current, current.root.recorder === root.recorder else { return self }
        return current.continued(by: sender)
    }

    /// Calls `body`. If there is a current cause, the sender of the messages that `body` sends is an observer.
    package static func asObserver(_ body: () -> Void) {
        if let current { current.continued(by: .observer).run(body) } else { body() }
    }

    /// The cause of the events of the current task or, outside of tasks, of the current thread.
    @TaskLocal package static var current: TraceCause?

    /// Calls `body` with `cause` as the current cause. Without a trace, this allocates nothing.
    package static func with<Result>(_ cause: TraceCause?, _ body: () -> Result) -> Result {
        current === cause ? body() : $current.withValue(cause, operation: body)
    }
}

/// The first event of a chain of causes.
package final class TraceRoot: Sendable {
    package let id: Int
    /// The recorder of the chain's trace. The number of an event is unique only within its trace.
    let recorder: TraceRecorder
    // Created only if it is needed, because most chains contain no work.
    private let lazyGrowth = AtomicLazyReference<TraceGrowth>()

    init(id: Int, recorder: TraceRecorder) {
        (self.id, self.recorder) = (id, recorder)
    }

    /// The growth of the chain.
    var growth: TraceGrowth { lazyGrowth.load() ?? lazyGrowth.storeIfNil(TraceGrowth()) }
}

/// A measurement of the growth of a chain of causes.
final class TraceGrowth: Sendable {
    private let growth = Locked(Growth())

    private struct Growth: Sendable {
        var depth = 0
        var depthBefore = 0
        var begin = Duration.zero
        var isReported = false
        var last: [TraceValue] = []
    }

    /// The number of messages that a report names.
    private static var namedMessages: Int { 16 }

    /// Records that the chain has reached `depth` with `message`. Returns the last messages of the chain if the depth
    /// has grown by more than `maximum` in a second for the first time. Otherwise returns `nil`.
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
