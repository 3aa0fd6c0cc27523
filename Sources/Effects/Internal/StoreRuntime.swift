public import ArchitectureEngine
import FunctionalCore
public import Synchronization

/// The runtime of a store: reduces each action, and delivers it to the effects. Effects do not retain the runtime, so
/// that the store can be deallocated while their tasks end.
///
/// Unchecked: only the draining thread uses the variables.
@usableFromInline
final class StoreRuntime<S: Sendable>: ObservableRuntime, @unchecked Sendable {
    @usableFromInline let core: RuntimeCore<S, any Action, any Error>
    @usableFromInline let observation = ObservationBridge()
    @usableFromInline let reduce: ReducerFn<S>

    /// Middleware, interceptors and the reducers that were added later. `nil` if there are none.
    @usableFromInline var extras: CancellableList<StoreExtra<S>>? {
        didSet { hasExtras.store(extras != nil, ordering: .relaxed) }
    }
    // Both are read for each action. They are atomic because Swift checks exclusive access to a variable, and an atomic
    // read is cheaper than this check.
    @usableFromInline let hasExtras = Atomic(false)
    @usableFromInline let hasEffects = Atomic(false)
    let effects = EffectTable()
    /// The effect whose chain of actions was stopped last, until the stop is reported. It is kept because it may have
    /// ended by then.
    private var lastStopped: EffectRun?

    /// Whether an action is passing through the middleware, and has not reached the reducer.
    var isPassing = false

    /// Whether an action of a traced store is being delivered to the effects.
    private var isDelivering = false

    @usableFromInline
    init(
        state: S, reduce: @escaping ReducerFn<S>, executor: (any TaskExecutor)?, carrying: CarriedValues?,
        maximumChain: Int, trace: Trace?
    ) {
        core = RuntimeCore(
            state: state, owner: Store<S>.self, scheduler: .inline(executor), maximumChain: maximumChain,
            carrying: carrying, trace: trace)
        self.reduce = reduce
        observeForTrace()
    }

    var executor: (any TaskExecutor)? { core.scheduler.executor }

    var settling: Settling { core.settling }
    var currentContext: SendContext { core.currentContext }
    func inContext(_ context: SendContext?, _ body: () -> Void) { core.inContext(context, body) }

    @usableFromInline
    var mainActorQueue: ActorQueue { core.mainActorQueue }
}

// MARK: - Actions

extension StoreRuntime {
    @inlinable
    @inline(__always)
    func handle(_ action: any Action) {
        if hasExtras.load(ordering: .relaxed) { passMiddleware(action) } else { apply(action) }
    }

    /// Changes the state, notifies the observers, calls the interceptors, and delivers the action to the effects.
    @inlinable
    @inline(__always)
    func apply(_ action: any Action) {
        if hasExtras.load(ordering: .relaxed) {
            applyTelling(action)
        } else {
            commit { state in reduce(&state, action) }
        }
        if hasEffects.load(ordering: .relaxed) { deliver(action) }
    }
}

// MARK: - Effects

extension StoreRuntime: StreamHost {
    var tracer: Tracer? { core.tracer }
    var isHandlingHere: Bool { core.isDrainingHere && !core.isChangingHere }

    /// Delivers an action to the listeners of its type, in registration order of their effects.
    @usableFromInline
    func deliver(_ action: any Action) {
        if core.tracer != nil { isDelivering = true }
        defer { if core.tracer != nil { isDelivering = false } }
        effects.forEachListener(to: action) { listener in
            core.attribute(to: listener.effect) { listener.receive(action) }
        }
    }

    /// Registers effects. If one of them emits an action when it starts, the action is delivered after all of them have
    /// started.
    func register(
        _ effects: [Effect<Void>],
        as group: AnyHashable? = nil,
        onEnd: (@Sendable (EffectRun) -> Void)? = nil
    ) -> [EffectRun] {
        refuseWithinTransition("given an effect")
        let runs = effects.map { EffectRun($0, host: self, onEnd: onEnd) }
        if let group { self.effects.insert(runs, into: group) }
        perform { [self] in
            for (run, effect) in zip(runs, effects) { start(effect, in: run) }
        }
        return runs
    }

    /// Starts an effect. Must be called while the store processes a message.
    func start(_ effect: Effect<Void>, in run: EffectRun) {
        hasEffects.store(true, ordering: .relaxed)
        if run.isOver { return }
        // The closures are called while the store processes a message, which retains the runtime.
        let runtime = Unretained(self)
        let stream = ActionStream.restarting(
            sleep: effect.failure.sleep,
            pause: { [policy = effect.failure] error, _ in run.pause(after: error, by: policy) },
            { [describe = effect.describe] in describe(()).asAttempts(of: run) })
        let subscriber = Subscriber<any Action>(
            receive: { action in
                if !run.isStarting.load(ordering: .relaxed) { run.hasEmitted.store(true, ordering: .relaxed) }
                if run.dispatches { runtime.with { $0.post(action, from: run) } }
            },
            complete: { error in run.complete(error) }
        )
        core.attribute(to: run) { stream.start(run, subscriber) }
    }

    /// Enqueues an action that an effect emits, or drops it if the effect's chain of actions is stopped.
    private func post(_ action: any Action, from effect: EffectRun) {
        // Only the draining thread calls this function, so no drain has to be scheduled.
        let posting = core.attribute(to: effect) {
            core.post(
                action, from: core.tracer.map { $0.origin { .effect } }, until: effect.partEnd, in: core.tracer,
                name: Self.name(of:in:))
        }
        if case .stopped = posting {
            lastStopped = effect
            recordDrop(of: action, because: .endlessChain)
        }
    }

    /// Ends all effects, and releases all observers, middleware, interceptors and added reducers. Called when the store
    /// is deallocated.
    @usableFromInline
    func close() {
        // No caller of `settled()` can be waiting, because it would retain the store.
        perform { [self] in
            effects.close()
            core.removeObservers()
            extras = nil
            tracer?.record(.closed)
        }
    }
}

// MARK: - Errors

extension StoreRuntime {
    func report(_ error: any Error) {
        perform { [self] in
            let text = (error as? EffectFailure)?.description { core.tracer.text(of: $0) }
            report(error, unobserved: text ?? core.tracer.text(of: error))
        }
    }

    @usableFromInline
    func report(_ stop: ChainStop, dropping action: any Action) {
        let ended = lastStopped.flatMap { ObjectIdentifier($0) == stop.sender ? $0.name : nil }
        lastStopped = nil
        let error = RunawayEffect(effect: effects.name(of: stop.sender) ?? ended, stop)
        // An observer that answers the report with another endless chain would be notified without end, too.
        if stop.isCausedByReport { FunctionalCore.report("\(error)") } else { report(error, unobserved: "\(error)") }
    }

    @usableFromInline
    static func name(of action: any Action, in tracer: Tracer?) -> String { "\(type(of: action))" }

    @inlinable
    static func message(in action: any Action) -> any Sendable { action }

    @usableFromInline
    func source(of sender: ObjectIdentifier?) -> TraceEvent.Source {
        if isDelivering { return .effect }
        return isPassing ? .middleware : .observer
    }
}
