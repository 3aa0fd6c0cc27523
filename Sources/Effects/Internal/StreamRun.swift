import ArchitectureEngine
import Synchronization

/// One run of a stream: of an effect's, or of one inside it. Whoever cancels it cancels all that belongs to it.
///
/// Unchecked: the listeners are touched while the store handles something, what is to be cancelled under the lock.
final class StreamRun: @unchecked Sendable {
    /// The store it runs in; gone when the store is.
    private(set) weak var host: (any StreamHost)?
    /// The effect that all of it belongs to.
    let effect: EffectRun

    private let parent: StreamRun?
    private let cancellation = Atomic<Bool>(false)
    private let lock = Lock()
    private var works: [ObjectIdentifier: Work] = [:]
    private var lanes: [Lane] = []
    private(set) var listeners: [Listener] = []
    private var inner: [ObjectIdentifier: StreamRun] = [:]

    /// Who wants the store's actions, and by their type alone, which.
    struct Listener {
        let test: (@Sendable (any Action) -> Bool)?
        let receive: (any Action) -> Void
    }

    init(host: any StreamHost, effect: EffectRun) {
        self.host = host
        self.effect = effect
        parent = nil
    }

    /// A run inside of another, which is cancelled with that.
    init(in parent: StreamRun) {
        host = parent.host
        effect = parent.effect
        self.parent = parent
        let isTooLate = parent.lock.withLock {
            if !parent.isCancelled { parent.inner[ObjectIdentifier(self)] = self }
            return parent.isCancelled
        }
        if isTooLate { cancel() }
    }

    deinit { lock.free() }

    var isCancelled: Bool { cancellation.load(ordering: .acquiring) }

    var executor: (any TaskExecutor)? { host?.executor }

    /// All who listen, in this run and in those inside it.
    func forEachListener(_ body: (StreamRun, Listener) -> Void) {
        for listener in listeners { body(self, listener) }
        for run in lock.withLock({ Array(inner.values) }) { run.forEachListener(body) }
    }

    /// Whether anything is under way in it, beside listening to the store.
    var isBusy: Bool {
        let (hasWorks, lanes, inner) = lock.withLock { (!works.isEmpty, self.lanes, Array(self.inner.values)) }
        return hasWorks || lanes.contains { !$0.isIdle } || inner.contains { $0.isBusy }
    }

    // MARK: - What belongs to it

    /// Has `receive` called with the store's actions for which `test` holds.
    func listen(by test: (@Sendable (any Action) -> Bool)?, _ receive: @escaping (any Action) -> Void) {
        listeners.append(Listener(test: test, receive: receive))
        host?.listenersChanged()
    }

    /// Closes `lane` with the run.
    func own(_ lane: Lane) {
        let isTooLate = lock.withLock {
            lanes.append(lane)
            return isCancelled
        }
        if isTooLate { lane.close() }
    }

    /// Runs `body` in a task that is cancelled with the run.
    func task(_ body: @escaping @Sendable (StreamTask) async -> Void) {
        let work = Work()
        let isTooLate = lock.withLock {
            works[ObjectIdentifier(work)] = work
            return isCancelled
        }
        if isTooLate { return }
        let task = StreamTask(run: self, context: host?.context)
        work.attach(
            Task(executorPreference: executor) { [self] in
                await body(task)
                lock.withLock { works[ObjectIdentifier(work)] = nil }
                work.finish()
            })
    }

    /// Has `body` called while the store handles something: at once where it does on this thread.
    func perform(_ body: @escaping () -> Void) {
        guard let host, !isCancelled else { return }
        if host.isHandlingHere { return body() }
        host.enter(nil) { [self] in if !isCancelled { body() } }
    }

    // MARK: - Ending

    /// Ends the run: its tasks are cancelled, and nothing it makes is handed on. Any thread.
    func cancel() {
        if cancellation.exchange(true, ordering: .acquiringAndReleasing) { return }
        let (works, lanes, inner) = lock.withLock {
            defer { (self.works, self.lanes, self.inner) = ([:], [], [:]) }
            return (Array(self.works.values), self.lanes, Array(self.inner.values))
        }
        for run in inner { run.cancel() }
        for work in works { work.cancel() }
        for lane in lanes { lane.close() }
        leaveParent()
        host?.listenersChanged()
    }

    /// The run has come to its end by itself.
    func end() {
        if !listeners.isEmpty { return cancel() }
        leaveParent()
    }

    private func leaveParent() {
        guard let parent else { return }
        // Let go of outside of the lock.
        _ = parent.lock.withLock { parent.inner.removeValue(forKey: ObjectIdentifier(self)) }
    }
}

/// A task of a run, and how it comes back to the store.
struct StreamTask: Sendable {
    let run: StreamRun
    let context: CauseContext?

    /// Has `body` called in turn, and waits for that. Says whether it was: not when the run was cancelled.
    @discardableResult
    func enter(_ body: @escaping () -> Void) async -> Bool {
        let body = Confined(body)
        return await withCheckedContinuation { waiter in
            guard let host = run.host else { return waiter.resume(returning: false) }
            host.enter(context) {
                let isWanted = !run.isCancelled
                if isWanted { body.value() }
                waiter.resume(returning: isWanted)
            }
        }
    }
}

/// A closure on its way to the store, which alone calls it.
///
/// Unchecked: what it captures is touched while the store handles something, which one thread at a time does.
private struct Confined: @unchecked Sendable {
    let value: () -> Void

    init(_ value: @escaping () -> Void) {
        self.value = value
    }
}

/// What a stream needs of the store it runs in, whatever its state.
protocol StreamHost: AnyObject, Sendable {
    var executor: (any TaskExecutor)? { get }
    /// What is being handled: to be asked while it is.
    var context: CauseContext? { get }
    /// Whether the calling thread is the one that handles something.
    var isHandlingHere: Bool { get }
    /// Has `body` called in turn, as what follows from `context`.
    func enter(_ context: CauseContext?, _ body: @escaping () -> Void)
    /// Who listens to what is to be found out anew.
    func listenersChanged()
}
