public import ArchitectureEngine
import FunctionalCore
public import Synchronization

/// What a store runs on. Its effects hold it weakly; so the store itself can go away while their tasks wind down.
///
/// Unchecked: what is not constant is touched by the one who drains alone.
@usableFromInline
final class StoreRoot<S: Sendable>: @unchecked Sendable {
    @usableFromInline let core: SerialCore<S, StoreMessage>
    @usableFromInline let reduce: ReducerFn<S>
    @usableFromInline let watch = Watch()
    @usableFromInline let executor: (any TaskExecutor)?
    @usableFromInline let limits: StoreLimits
    let mailbox = AtomicLazyReference<Mailbox>()

    // Unchecked exclusivity: only who drains touches these.
    @exclusivity(unchecked)
    @usableFromInline var observers = Observers<S>()
    var failureObservers = Observers<any Error>()
    /// What has to happen around the reducer: middleware, interceptors, reducers that came later. Mostly nothing.
    @exclusivity(unchecked)
    @usableFromInline var extras: StoreExtras<S>?
    @exclusivity(unchecked)
    @usableFromInline var hasEffects = false
    let effects = EffectTable()
    let groups = EffectGroups()

    // What is being handled: an action that follows from others, or what comes of a task or an actor.
    @exclusivity(unchecked)
    @usableFromInline var causes: CauseContext?
    @exclusivity(unchecked)
    var entered: (context: CauseContext, tally: Tally)?
    /// The effect that is at work.
    @exclusivity(unchecked)
    var acting: EffectRun?
    /// See `CauseContext.beginning(_:)`.
    @exclusivity(unchecked)
    var spare: CauseContext?
    /// Whether anything runs in tasks, or on actors, that may dispatch: before that nobody need be asked for causes.
    @usableFromInline let mayBeFollowed = Atomic<Bool>(false)
    /// Whether an action is on its way through the middleware, and so before the reducer.
    var isPassing = false

    @usableFromInline
    init(state: S, reduce: @escaping ReducerFn<S>, executor: (any TaskExecutor)?, limits: StoreLimits) {
        core = SerialCore(state: state, owner: Store<S>.self)
        self.reduce = reduce
        self.executor = executor
        self.limits = limits
    }
}

// MARK: - Actions

extension StoreRoot {
    @inlinable
    @inline(__always)
    func dispatch(_ action: any Action) {
        guard core.enter() else { return wait(action) }
        if mayBeFollowed.load(ordering: .relaxed), let cause = boundCause {
            handle(.following(action, cause))
        } else {
            handle(action)
        }
        causes = nil
        if !core.leave() { drain() }
    }

    /// Leaves an action for its turn.
    @inlinable
    @inline(never)
    func wait(_ action: any Action) {
        if core.isDrainingHere {
            // It comes of what is being handled.
            postOwn(action)
        } else {
            send(message(action))
        }
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
        case .action(let action, let causes):
            self.causes = causes
            handle(action)
            self.causes = nil
        case .following(let action, let cause):
            guard let causes = follow(cause, action) else { return }
            self.causes = causes
            handle(action)
            self.causes = nil
        case .perform(let cause, let body):
            perform(cause, body)
        }
    }

    @inlinable
    @inline(__always)
    func handle(_ action: any Action) {
        if extras != nil { passMiddleware(action) } else { commit(action) }
    }

    /// Changes the state, tells everybody, and hands the action to the effects.
    @inlinable
    @inline(__always)
    func commit(_ action: any Action) {
        if extras != nil {
            commitTelling(action)
        } else {
            core.change { state in reduce(&state, action) }
            if !observers.isEmpty { observers.notify(of: core.state) }
            watch.changed()
        }
        if hasEffects { deliver(action) }
    }
}
