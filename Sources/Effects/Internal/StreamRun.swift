import ArchitectureEngine
import FunctionalCore
import Synchronization

/// The lifetime of a stream that a store runs, and of everything that the stream has started: its children.
///
/// The runs of a store are a tree. The root belongs to the store, and its children are the effects, as `EffectRun`. Each
/// attempt of an effect and each inner stream has a run inside of it. When a run ends, its children end.
///
/// Unchecked: `host` does not change after the initializer. Everything else is constant, atomic or locked.
@usableFromInline
class StreamRun: @unchecked Sendable {
    /// The store that runs the stream, until it is deallocated.
    final private(set) weak var host: (any StreamHost)?
    private let parent: StreamRun?
    /// The number of the run among the children of its parent.
    final let place: Int
    private let outermost: EffectRun?
    private let childCount = Atomic<Int>(0)
    private let fields = Locked(Fields())
    /// The number of runs around it. There may be very many effects, so the fields are small, and the last ones share a
    /// word.
    private let depth: UInt32
    private let phase = Atomic<UInt8>(Phase.running)

    /// The phase of the run, which only grows. A run that has ended by itself can still be cancelled. Calls that it has
    /// enqueued on an actor are then dropped.
    private enum Phase {
        static var running: UInt8 { 0 }
        static var ended: UInt8 { 1 }
        static var cancelled: UInt8 { 2 }
    }

    private struct Fields {
        /// The children that have not ended, and their places in ascending order.
        var children: [(place: Int, child: Child)] = []
        /// The status of the effect, whose run this is.
        var status = EffectStatus.running
    }

    private enum Child {
        case listener(Listener)
        case run(StreamRun)
        case work(WorkItem)
        case queue(PolicyQueue)
    }

    /// Creates the root of a store's runs.
    init() {
        (place, depth, parent, outermost) = (0, 0, nil, nil)
    }

    /// Creates a run inside of `parent`, which ends with it. If `effect` is `nil`, it is the run of an effect itself.
    init(in parent: StreamRun, of effect: EffectRun?, host: (any StreamHost)?) {
        self.host = host
        self.parent = parent
        place = parent.takePlace()
        depth = parent.depth + 1
        outermost = effect
        if !parent.add(.run(self), at: place) { cancel() }
    }

    /// Creates a run inside of another run of the same effect.
    convenience init(in parent: StreamRun) {
        self.init(in: parent, of: parent.effect, host: parent.host)
    }

    /// The effect that the run belongs to. The root has none.
    final var effect: EffectRun? { outermost ?? (self as? EffectRun) }

    /// Whether the run passes on no more values.
    @usableFromInline
    final var isOver: Bool { phase.load(ordering: .acquiring) != Phase.running }

    /// Whether the run was cancelled, so that calls that are enqueued on an actor are dropped, too.
    final var wasCancelled: Bool {
        phase.load(ordering: .acquiring) == Phase.cancelled || parent?.wasCancelled == true
    }

    /// Whether anything is under way in it, beside listening to the store.
    final var isBusy: Bool {
        fields.withLock(\.children).contains { _, child in
            switch child {
            case .listener: false
            case .run(let run): run.isBusy
            case .work: true
            case .queue(let queue): !queue.isIdle
            }
        }
    }

    /// The runs inside of it that have not ended, in the order in which they were created.
    final var runs: [StreamRun] {
        fields.withLock(\.children).compactMap { if case .run(let run) = $0.child { run } else { nil } }
    }

    final var executor: (any TaskExecutor)? { host?.executor }

    // MARK: - Children

    /// Calls `receive` with the store's actions of `types`, or with all actions. Must be called while the store processes
    /// a message.
    @usableFromInline
    final func listen(to types: ActionTypes?, _ receive: @escaping (any Action) -> Void) {
        guard let effect else { return }
        let place = takePlace()
        let listener = Listener(self, at: place, of: effect, to: types, receive)
        if add(.listener(listener), at: place) { host?.effects.insert(listener) }
    }

    /// Closes `queue` with the run.
    final func own(_ queue: PolicyQueue) {
        if !add(.queue(queue), at: takePlace()) { queue.close() }
    }

    /// Runs `body` in a task that is cancelled with the run. If the run has already ended, the task is cancelled at once.
    /// It still runs, because a program that has started on the draining thread is finished in it.
    final func task(_ body: @escaping @Sendable (StreamTask) async -> Void) {
        let (work, place) = (WorkItem(), takePlace())
        if !add(.work(work), at: place) { work.cancel() }
        let progress = host?.settling.begin()
        work.attach(
            Task(executorPreference: executor) { [self] in
                await body(StreamTask(run: self, progress: progress))
                remove(at: place)
                work.finish()
                progress?.end()
            })
    }

    private func takePlace() -> Int {
        childCount.add(1, ordering: .relaxed).oldValue
    }

    /// Adds a child, and returns `true`, unless the run has ended.
    private func add(_ child: Child, at place: Int) -> Bool {
        fields.withLock { fields in
            if isOver { return false }
            // Another thread may have added a later child.
            fields.children.insert((place, child), at: fields.children.partitioningIndex { $0.place > place })
            return true
        }
    }

    private func remove(at place: Int) {
        // The child is released outside of the lock.
        _ = fields.withLock { fields in
            let index = fields.children.partitioningIndex { $0.place >= place }
            let isThere = index < fields.children.count && fields.children[index].place == place
            return isThere ? fields.children.remove(at: index) : nil
        }
    }

    /// Whether a child of this run comes before a child of another one in the order of delivery: in the innermost run
    /// around both, it or the run around it has the lower place.
    final func precedes(_ other: StreamRun, at place: Int, _ otherPlace: Int) -> Bool {
        var (left, right) = (self, other)
        var places = (left: place, right: otherPlace)
        while left !== right {
            if left.depth >= right.depth, let parent = left.parent {
                (left, places.left) = (parent, left.place)
            } else if let parent = right.parent {
                (right, places.right) = (parent, right.place)
            } else {
                return false
            }
        }
        return places.left < places.right
    }

    // MARK: - Messages

    /// Calls `body` while the store processes a message, unless the run has ended by then.
    final func perform(_ body: @escaping () -> Void) {
        host?.inTurn(by: effect) { [self] in if isWanted { body() } }
    }

    /// Whether the result of a task or a clock is still needed. Must be called while the store processes a message.
    final var isWanted: Bool {
        if !isOver, let effect, effect.isOrphan { effect.cancel() }
        return !isOver
    }

    // MARK: - Ending

    final var status: EffectStatus { fields.withLock(\.status) }

    /// Sets the status that an effect ends with. The first one wins: returns whether this is it.
    final func setStatus(_ status: EffectStatus) -> Bool {
        fields.withLock { fields in
            guard case .running = fields.status else { return false }
            fields.status = status
            return true
        }
    }

    /// Cancels the run. May be called from any thread.
    func cancel() {
        end(in: Phase.cancelled)
    }

    /// Ends the run, which has completed by itself. Values that it has passed on are delivered.
    final func end() {
        end(in: Phase.ended)
    }

    private func end(in phase: UInt8) {
        guard self.phase.max(phase, ordering: .acquiringAndReleasing).oldValue == Phase.running else { return }
        let children = fields.withLock { fields in
            defer { fields.children = [] }
            return fields.children
        }
        // Inner runs end first: closing a queue cancels those that have not ended.
        for case (_, .run(let run)) in children { if phase == Phase.cancelled { run.cancel() } else { run.end() } }
        var listeners: [Listener] = []
        for (_, child) in children {
            switch child {
            case .listener(let listener): listeners.append(listener)
            case .run: break
            case .work(let work): work.cancel()
            case .queue(let queue): queue.close()
            }
        }
        parent?.remove(at: place)
        guard !listeners.isEmpty, let host else { return }
        host.inTurn { host.effects.remove(listeners) }
    }
}

extension RandomAccessCollection {
    /// The index of the first element that satisfies a predicate, if all elements after it satisfy it, too. O(log n).
    func partitioningIndex(where predicate: (Element) -> Bool) -> Index {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = index(low, offsetBy: distance(from: low, to: high) / 2)
            if predicate(self[middle]) { high = middle } else { low = index(after: middle) }
        }
        return low
    }
}

extension StreamRun: CancellationToken {
    /// Stops the programs that run in it.
    @usableFromInline
    final var isCancelled: Bool { isOver }
}
