public import ArchitectureEngine
import FunctionalCore

/// The runtime of a store: reduces each action, and delivers it to the effects. Effects retain it weakly, so that the store
/// can be deallocated while their tasks end.
///
/// Unchecked: only the draining thread uses the variables.
@usableFromInline
final class StoreRuntime<S: Sendable>: ObservableRuntime, @unchecked Sendable {
    @usableFromInline let core: RuntimeCore<S, any Action, any Error>
    @usableFromInline let observation = ObservationBridge()
    @usableFromInline let reduce: ReducerFn<S>

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
        core = RuntimeCore(
            state: state, owner: Store<S>.self, scheduler: .inline(executor), maximumChain: maximumChain)
        self.reduce = reduce
        prepareSettling()
    }

    var executor: (any TaskExecutor)? { core.scheduler.executor }

    var settling: Settling { core.settling }

    @usableFromInline
    var mainActorQueue: ActorQueue { core.mainActorQueue }
}

// MARK: - Actions

extension StoreRuntime {
    @inlinable
    @inline(__always)
    func handle(_ action: any Action) {
        if extras != nil { passMiddleware(action) } else { commit(action) }
    }

    /// Changes the state, notifies the observers, and delivers the action to the effects.
    @inlinable
    @inline(__always)
    func commit(_ action: any Action) {
        if extras != nil { commitTelling(action) } else { commit { state in reduce(&state, action) } }
        if hasEffects { deliver(action) }
    }
}

// MARK: - Errors

extension StoreRuntime {
    /// Reports an error in turn.
    func report(_ error: any Error) {
        perform { [self] in report(error, unobserved: "\(error)") }
    }

    @usableFromInline
    func report(_ stop: ChainStop, dropping action: any Action) {
        let error = RunawayEffect(effect: effects.name(of: stop.sender), stop)
        // An observer that answers the report with another endless chain would be notified without end, too.
        if stop.isCausedByReport { FunctionalCore.report("\(error)") } else { report(error, unobserved: "\(error)") }
    }

    @usableFromInline
    static func name(of action: any Action) -> String { "\(type(of: action))" }
}
