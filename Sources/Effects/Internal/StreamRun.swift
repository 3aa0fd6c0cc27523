import ArchitectureEngine
import FunctionalCore
import Synchronization

/// One run of the stream of an effect, or of an inner stream. Ending the run ends everything that belongs to it.
///
/// Unchecked: what is not atomic is touched under the lock.
@usableFromInline
final class StreamRun: @unchecked Sendable {
    /// The store it runs in; gone when the store is.
    private(set) weak var host: (any StreamHost)?
    /// The effect that all of it belongs to.
    let effect: EffectRun

    private let parent: StreamRun?
    /// Its place among the members of its parent, under whose lock this is touched.
    private var place = 0
    private let phase = Atomic<UInt8>(Phase.running)
    private let lock = Locked()
    private var works: [ObjectIdentifier: WorkItem] = [:]
    private var lanes: [PolicyQueue] = []
    /// The first who listens: most often it is the only one, and nothing began before.
    private var first: Listener?
    /// Who else listens, and the runs inside, by when they began.
    private var members: [Int: Member] = [:]
    private var nextPlace = 0

    /// The phase of the run. A run that has ended by itself can still be cancelled. Calls that it has enqueued on an actor
    /// are then dropped.
    private enum Phase {
        static var running: UInt8 { 0 }
        static var ended: UInt8 { 1 }
        static var cancelled: UInt8 { 2 }
    }

    private enum Member {
        case listener(Listener)
        case inner(StreamRun)
    }

    init(host: any StreamHost, effect: EffectRun) {
        self.host = host
        self.effect = effect
        parent = nil
    }

    /// A run inside of another, which ends with that.
    init(in parent: StreamRun) {
        host = parent.host
        effect = parent.effect
        self.parent = parent
        let isTooLate = parent.lock.withLock {
            if !parent.isOver { place = parent.add(.inner(self)) }
            return parent.isOver
        }
        if isTooLate { cancel() }
    }

    /// Whether the run passes on no more values.
    @usableFromInline
    var isOver: Bool { phase.load(ordering: .acquiring) != Phase.running }

    /// Whether the run was cancelled, so that calls that are enqueued on an actor are dropped, too.
    var wasCancelled: Bool {
        phase.load(ordering: .acquiring) == Phase.cancelled || parent?.wasCancelled ?? effect.isCancelled
    }

    var executor: (any TaskExecutor)? { host?.executor }

    /// All who listen, in this run and in those inside it, in the order in which they began to.
    func forEachListener(_ body: (Listener) -> Void) {
        let (first, members) = lock.withLock { (self.first, self.members) }
        if let first { body(first) }
        for (_, member) in members.sorted(by: { $0.key < $1.key }) {
            switch member {
            case .listener(let listener): body(listener)
            case .inner(let run): run.forEachListener(body)
            }
        }
    }

    /// Under the lock.
    private func add(_ member: Member) -> Int {
        defer { nextPlace += 1 }
        members[nextPlace] = member
        return nextPlace
    }

    /// Whether anything is under way in it, beside listening to the store.
    var isBusy: Bool {
        let (hasWorks, lanes, members) = lock.withLock { (!works.isEmpty, self.lanes, self.members) }
        return hasWorks || lanes.contains { !$0.isIdle }
            || members.values.contains { if case .inner(let run) = $0 { run.isBusy } else { false } }
    }

    // MARK: - What belongs to it

    /// Calls `receive` with the store's actions of `types`, or with all actions. Must be called while the store handles
    /// something.
    @usableFromInline
    func listen(to types: ActionTypes?, _ receive: @escaping (any Action) -> Void) {
        let listener = Listener(self, to: types, receive)
        let isInTime = lock.withLock {
            if isOver { return false }
            if first == nil, nextPlace == 0 { first = listener } else { _ = add(.listener(listener)) }
            return true
        }
        if isInTime { host?.listenerBegan(listener, isLastOfEffect: isLast) }
    }

    /// Whether what begins in this run comes after everything else that the effect has begun.
    private var isLast: Bool {
        guard let parent else { return true }
        return parent.lock.withLock { place == parent.nextPlace - 1 } && parent.isLast
    }

    /// Closes `lane` with the run.
    func own(_ lane: PolicyQueue) {
        let isTooLate = lock.withLock {
            lanes.append(lane)
            return isOver
        }
        if isTooLate { lane.close() }
    }

    /// Runs `body` in a task that is cancelled with the run. If the run has ended already, the task is cancelled at
    /// once: a program that has begun on the draining thread waits in it, and another thread may have ended the run since.
    func task(_ body: @escaping @Sendable (StreamTask) async -> Void) {
        let work = WorkItem()
        let isTooLate = lock.withLock {
            if !isOver { works[ObjectIdentifier(work)] = work }
            return isOver
        }
        if isTooLate { work.cancel() }
        let progress = host?.beginWork()
        work.attach(
            Task(executorPreference: executor) { [self] in
                await body(StreamTask(run: self, progress: progress))
                lock.withLock { works[ObjectIdentifier(work)] = nil }
                work.finish()
                progress?.end()
            })
    }

    /// Calls `body` while the store processes a message: at once if this thread does, otherwise in a message of its own.
    func perform(_ body: @escaping () -> Void) {
        guard let host, !isOver else { return }
        if host.isHandlingHere { return body() }
        host.enter(by: effect) { [self] in if isWanted { body() } }
    }

    /// Whether the result of a task or a clock is still needed. Must be called while the store processes a message.
    var isWanted: Bool {
        if !isOver, effect.isOrphan { host?.dismiss(effect) }
        return !isOver
    }

    // MARK: - Ending

    /// Cancels the run. May be called from any thread.
    func cancel() {
        let phase = phase.exchange(Phase.cancelled, ordering: .acquiringAndReleasing)
        if phase == Phase.running { letGo { $0.cancel() } }
    }

    /// Ends the run, which has come to its end by itself. What it has handed on arrives.
    func end() {
        let (isFirst, _) = phase.compareExchange(
            expected: Phase.running, desired: Phase.ended, ordering: .acquiringAndReleasing)
        if isFirst { letGo { $0.end() } }
    }

    /// Its tasks are cancelled, and nothing it makes is handed on.
    private func letGo(_ finish: (StreamRun) -> Void) {
        let (works, lanes, first, members) = lock.withLock {
            defer { (self.works, self.lanes, self.first, self.members) = ([:], [], nil, [:]) }
            return (self.works, self.lanes, self.first, self.members)
        }
        var listeners = first.map { [$0] } ?? []
        for member in members.values {
            switch member {
            case .listener(let listener): listeners.append(listener)
            case .inner(let run): finish(run)
            }
        }
        for work in works.values { work.cancel() }
        for lane in lanes { lane.close() }
        if let parent {
            // The removed member is released outside of the lock.
            _ = parent.lock.withLock { parent.members.removeValue(forKey: place) }
        }
        if !listeners.isEmpty { host?.listenersEnded(listeners) }
    }
}

extension StreamRun: CancellationToken {
    /// Stops the programs that are running in it.
    @usableFromInline
    var isCancelled: Bool { isOver }
}

/// A task of a run, and how it comes back to the store.
struct StreamTask: Sendable {
    let run: StreamRun
    let progress: FiniteWork?

    /// Has `body` called in turn, and waits for that. Says whether it was: not when the run has ended.
    @discardableResult
    func enter(_ body: @escaping () -> Void) async -> Bool {
        let body = Confined(body)
        return await withCheckedContinuation { waiter in
            guard let host = run.host else { return waiter.resume(returning: false) }
            host.enter(by: run.effect) {
                let isWanted = run.isWanted
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
    /// Where things are done on the main actor, in the order in which the store has them done.
    var mainActorQueue: ActorQueue { get }
    /// Begins some work that ends by itself.
    func beginWork() -> FiniteWork
    /// Whether the calling thread is the one that handles something.
    var isHandlingHere: Bool { get }
    /// Calls `body` in turn, as something that `effect` does.
    func enter(by effect: EffectRun?, _ body: @escaping () -> Void)
    /// Ends an effect. Must be called while the store processes a message.
    func dismiss(_ effect: EffectRun)
    /// Adds a listener, which may come after all others of its effect. Must be called while the store processes a message.
    func listenerBegan(_ listener: Listener, isLastOfEffect: Bool)
    /// Releases listeners that are not called any more. May be called from any thread.
    func listenersEnded(_ listeners: [Listener])
}
