public import ArchitectureEngine
import FunctionalCore
import Synchronization

/// What a store runs on. Its effects hold it weakly; so the store itself can go away while their tasks wind down.
///
/// Unchecked: what is not constant is touched by the one who drains alone.
@usableFromInline
final class StoreRoot<S: Sendable>: @unchecked Sendable {
    @usableFromInline let core: SerialCore<S, StoreMessage>
    @usableFromInline let reduce: ReducerFn<S>
    @usableFromInline let observation = ObservationBridge()
    @usableFromInline let executor: (any TaskExecutor)?
    private let actorQueue = AtomicLazyReference<ActorQueue>()
    let settling = Settling()

    // Unchecked exclusivity: only the draining thread accesses these.
    @exclusivity(unchecked)
    @usableFromInline var observers = Observers<S>()
    var failureObservers = Observers<any Error>()
    /// Middleware, interceptors and late reducers; `nil` for a store without any.
    @exclusivity(unchecked)
    @usableFromInline var extras: CancellableList<StoreExtra<S>>?
    @exclusivity(unchecked)
    @usableFromInline var hasEffects = false
    let effects = EffectTable()

    /// Whether an action is on its way through the middleware, and so before the reducer.
    var isPassing = false

    @usableFromInline
    init(state: S, reduce: @escaping ReducerFn<S>, executor: (any TaskExecutor)?, maximumChain: Int) {
        core = SerialCore(state: state, owner: Store<S>.self, maximumChain: maximumChain)
        self.reduce = reduce
        self.executor = executor
        settling.enqueue = { [weak self] check in
            self?.send(.perform(nil) { [weak self] in if let self { check(core.isQueueEmpty) } })
        }
    }

    /// The actorQueue that the observers on the main actor share, so that they are called in registration order.
    @usableFromInline
    var mainActorQueue: ActorQueue {
        actorQueue.load() ?? actorQueue.storeIfNil(ActorQueue(of: MainActor.shared))
    }
}

// MARK: - Actions

extension StoreRoot {
    @inlinable
    @inline(__always)
    func dispatch(_ action: any Action) {
        guard core.enter() else { return enqueue(action) }
        handle(action)
        if !core.leave() { drain() }
    }

    @inlinable
    @inline(never)
    func enqueue(_ action: any Action) {
        if core.post(.action(action), isCounted: true) == .drain { drain() }
    }

    @inlinable
    func send(_ message: StoreMessage) {
        _ = core.send(message, handle: handle, handOver: handOver)
    }

    @inlinable
    @inline(never)
    func drain() {
        core.drain(handle: handle, handOver: handOver)
    }

    @inlinable
    func handOver() {
        Task(executorPreference: executor) { [self] in drain() }
    }

    @inlinable
    func handle(_ message: StoreMessage) {
        switch message {
        case .action(let action): handle(action)
        case .perform(let effect, let body): perform(effect, body)
        case .stoppedChain(let stop): report(stop)
        }
    }

    @usableFromInline
    func perform(_ effect: EffectRun?, _ body: () -> Void) {
        core.sender = effect.map { ObjectIdentifier($0) }
        body()
        core.sender = nil
    }

    @inlinable
    @inline(__always)
    func handle(_ action: any Action) {
        if extras != nil { passMiddleware(action) } else { commit(action) }
    }

    /// Changes the state, notifies the observers, and delivers the action to the effects.
    @inlinable
    @inline(__always)
    func commit(_ action: any Action) {
        if extras != nil {
            commitTelling(action)
        } else {
            core.change { state in reduce(&state, action) }
            if !observers.isEmpty { core.notify(&observers) }
            observation.changed()
        }
        if hasEffects { deliver(action) }
    }
}
