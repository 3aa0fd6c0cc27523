import ArchitectureEngine
import FunctionalCore
import Synchronization

/// The lifetime of a stream that a store runs. Everything that the stream has started is a child of the run.
///
/// The runs of a store are a tree. The root belongs to the store. The children of the root are the effects, as
/// `EffectRun`. Each attempt of an effect and each inner stream has a run inside of the effect's run. When a run ends,
/// its children end.
///
/// Unchecked: `host` does not change after the initializer. `children` is used under the lock. Everything else is
/// constant or atomic.
@usableFromInline
class StreamRun: @unchecked Sendable {
    /// The store that runs the stream. `nil` for the root, and after the store has been deallocated.
    final private(set) weak var host: (any StreamHost)?
    final let parent: StreamRun?
    /// The number of the run among the children of its parent.
    final let place: Int
    private let outermost: EffectRun?
    /// The lock of all runs of a store. They share one lock, because there may be very many runs.
    final let lock: Locked<Void>
    private let childCount = Atomic<Int>(0)
    private var children = Children()
    /// The number of runs around this run. This number and the phase share a word.
    private let depth: UInt32
    private let phase = Atomic<UInt8>(Phase.running)

    /// Whether the stream of this run should pause if it can, because an operator has no use for its next value yet. Used
    /// only while the store processes a message.
    final var isPausing = false
    /// Whether the run around this run decides when the stream pauses, because the values pass to that run. Set before
    /// the stream starts.
    final var isPacedByParent = false
    /// Continues the stream that pauses. Used under the lock.
    private var paused: (() -> Void)?

    /// The phase of a run, whose value only grows. A run that has ended by itself can still be cancelled. Calls that
    /// the run has enqueued on an actor are then dropped.
    private enum Phase {
        static var running: UInt8 { 0 }
        static var ended: UInt8 { 1 }
        static var cancelled: UInt8 { 2 }
    }

    /// Creates the root of a store's runs.
    init() {
        (lock, place, depth, parent, outermost) = (Locked(), 0, 0, nil, nil)
    }

    /// Creates a run inside of `parent`. The run ends when `parent` ends. If `effect` is `nil`, the run is itself the
    /// run of an effect.
    init(in parent: StreamRun, of effect: EffectRun?, host: (any StreamHost)?) {
        self.host = host
        self.parent = parent
        lock = parent.lock
        place = parent.takePlace()
        depth = parent.depth + 1
        outermost = effect
        if !parent.add(.run(self), at: place) { cancel() }
    }

    /// Creates a run inside of another run of the same effect.
    convenience init(in parent: StreamRun) {
        self.init(in: parent, of: parent.effect, host: parent.host)
    }

    /// The effect that the run belongs to, or `nil` for the root.
    final var effect: EffectRun? { outermost ?? (self as? EffectRun) }

    /// Whether the run has ended or was cancelled. It then passes on no more values.
    @usableFromInline
    final var isOver: Bool { phase.load(ordering: .acquiring) != Phase.running }

    /// Whether this run or a run around it was cancelled. Calls that the run has enqueued on an actor are then dropped.
    final var wasCancelled: Bool {
        phase.load(ordering: .acquiring) == Phase.cancelled || parent?.wasCancelled == true
    }

    /// The runs inside of this run that have not ended, in the order in which they were created.
    final var runs: [StreamRun] {
        lock.withLock { children.all }.compactMap { if case .run(let run) = $0 { run } else { nil } }
    }

    final var executor: (any TaskExecutor)? { host?.executor }

    // MARK: - Children

    /// Calls `receive` with the store's actions of `types`. Must be called while the store processes a message.
    @usableFromInline
    final func listen(to types: ActionTypes, _ receive: @escaping (any Action) -> Void) {
        guard let effect else { return }
        let place = takePlace()
        let listener = Listener(self, at: place, of: effect, to: types, receive)
        if add(.listener(listener), at: place) { host?.effects.insert(listener) }
    }

    /// Closes `child` when the run ends, or at once if the run has already ended.
    final func own(_ child: Child) {
        if !add(child, at: takePlace()) { child.close() }
    }

    /// Starts the values that wait for a clock, of an id or of all, in this run and the runs inside of it; see
    /// `Store.flush()`. Must be called while the store processes a message.
    final func flush(_ id: AnyKey?) {
        for child in lock.withLock({ children.all }) {
            switch child {
            case .run(let run): run.flush(id)
            case .queue(let queue): if id == nil { queue.flush() }
            case .queues(let queues): queues.flush(id)
            case .listener, .work, .end: break
            }
        }
    }

    /// Calls `body` on the thread that ends or cancels the run, or at once if the run has ended already.
    final func onEnd(_ body: @escaping @Sendable () -> Void) {
        let end = Work()
        end.onCancel { _ in body() }
        own(.end(end))
    }

    /// Records the start of a work in the trace of the store. Returns the work, or `nil` if the store has no trace.
    final func trace(_ kind: StreamWork.Kind) -> TracedWork? {
        guard let effect, let tracer = effect.tracer else { return nil }
        return tracer.begin(StreamWork(kind: kind, effect: effect.name), .effect)
    }

    /// Runs `body` in a task that is cancelled when the run ends. `Store.settled()` waits for the task, unless `body`
    /// pauses the `Work` that it receives. If the run has already ended, the task is cancelled at once. The task still
    /// runs, because it may have to finish a program that has started on the draining thread.
    ///
    /// - Parameters:
    ///   - traced: The work of the task in a trace. If `body` does not end this work, it ends as cancelled.
    ///   - body: The work.
    final func task(_ traced: TracedWork?, _ body: @escaping @Sendable (Work) async -> Void) {
        let host = host
        let (work, place) = (Work(), takePlace())
        if !add(.work(work), at: place) { work.cancel() }
        if let host { work.activate(in: host.settling) }
        traced?.suspend()
        traced.run {
            work.startTask(in: host?.currentContext ?? SendContext(), on: host?.executor) { [self] in
                await body(work)
                remove(at: place)
                work.end(traced)
            }
        }
    }

    private func takePlace() -> Int {
        childCount.add(1, ordering: .relaxed).oldValue
    }

    /// Adds a child. Returns `false` without adding the child if the run has ended.
    private func add(_ child: Child, at place: Int) -> Bool {
        lock.withLock {
            if isOver { return false }
            children.insert(child, at: place)
            return true
        }
    }

    private func remove(at place: Int) {
        // The child is released outside of the lock.
        _ = lock.withLock { children.remove(at: place) }
    }

    /// Returns whether the child at `place` in this run receives actions before the child at `otherPlace` in `other`.
    /// The innermost run that contains both children decides: the order is that of its own two children that are, or
    /// contain, these two.
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

    // MARK: - Pausing

    /// The run that decides when the stream of this run pauses.
    final var pacer: StreamRun { isPacedByParent ? parent?.pacer ?? self : self }

    /// Keeps `next` until ``resume()`` is called, or the run ends.
    final func pause(_ next: @escaping () -> Void) {
        lock.withLock { if !isOver { paused = next } }
    }

    /// Lets the stream of this run continue. Must be called while the store processes a message.
    final func resume() {
        isPausing = false
        lock.withLock { paused.take() }?()
    }

    // MARK: - Messages

    /// Calls `body` in a message of the store, and waits until `body` has returned. Returns `false` without calling
    /// `body` if the run has ended.
    @discardableResult
    final func performAndWait(_ body: @escaping () -> Void) async -> Bool {
        // Unchecked: the values that `body` captures are used only while the store processes a message, and one thread
        // at a time processes messages.
        let body = Unchecked(body)
        return await withCheckedContinuation { waiter in
            guard let host else { return waiter.resume(returning: false) }
            host.perform { [self] in
                let isOver = self.isOver
                if !isOver { body.value() }
                waiter.resume(returning: !isOver)
            }
        }
    }

    // MARK: - Ending

    /// Cancels the run. May be called from any thread.
    func cancel() {
        end(in: Phase.cancelled)
    }

    /// Ends the run after its stream has completed. Calls that the run has enqueued on an actor are still made.
    final func end() {
        end(in: Phase.ended)
    }

    private func end(in phase: UInt8) {
        guard self.phase.max(phase, ordering: .acquiringAndReleasing).oldValue == Phase.running else { return }
        // The children and the paused sequence are released outside of the lock.
        let (ended, _) = lock.withLock {
            defer { (children, paused) = (Children(), nil) }
            return (children.all, paused)
        }
        // Inner runs end first: closing a queue cancels the inner runs that have not ended.
        for case .run(let run) in ended { if phase == Phase.cancelled { run.cancel() } else { run.end() } }
        for child in ended { child.close() }
        parent?.remove(at: place)
        guard let host else { return }
        for case .listener(let listener) in ended { host.inTurn { host.effects.remove(listener) } }
    }
}

extension StreamRun: CancellationToken {
    /// Whether the programs of this run must stop.
    @usableFromInline
    final var isCancelled: Bool { isOver }
}
