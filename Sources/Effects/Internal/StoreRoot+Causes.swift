import ArchitectureEngine
import FunctionalCore
import Synchronization

// What follows from what, and from when on that is too much.

extension StoreRoot {
    // MARK: - Inside of the handling

    /// Leaves an action that somebody has dispatched from within.
    @usableFromInline
    func postOwn(_ action: any Action) {
        post(action, from: acting)
    }

    /// Leaves an action that comes of what is being handled, unless that goes on and on.
    func post(_ action: any Action, from effect: EffectRun?) {
        if let context = admit(action, from: effect, ownContext(effect)) { _ = core.post(.action(action, context)) }
    }

    private func ownContext(_ effect: EffectRun?) -> CauseContext {
        if let causes { return causes }
        if let entered { return entered.context.afterHop(by: doer(effect), counting: entered.tally, limits) }
        let context = CauseContext.beginning(&spare)
        causes = context
        return context
    }

    /// Does something that comes of a task or an actor, as what follows from `cause`.
    @usableFromInline
    func perform(_ cause: Cause?, _ body: () -> Void) {
        if let cause { (entered, acting) = ((cause.context, Tally()), cause.effect) }
        body()
        (entered, acting, causes) = (nil, nil, nil)
    }

    // MARK: - Outside of it

    /// An action that comes from outside: from a task of this store, or from nothing in particular.
    @usableFromInline
    func message(_ action: any Action) -> StoreMessage {
        if let cause = boundCause { .following(action, cause) } else { .action(action, nil) }
    }

    /// What a dispatch in a task, or on an actor, leads to; `nil` when it goes on and on.
    @usableFromInline
    func follow(_ cause: Cause, _ action: any Action) -> CauseContext? {
        admit(action, from: cause.effect, cause.context.afterHop(by: doer(cause.effect), counting: Tally(), limits))
    }

    /// What the task is about that is running, if it is one of this store.
    @usableFromInline
    var boundCause: Cause? {
        guard mayBeFollowed.load(ordering: .relaxed), let cause = Cause.bound, cause.store == ObjectIdentifier(self)
        else { return nil }
        return cause
    }

    /// What the caller is about, wherever it is.
    var causeHere: Cause? {
        core.isDrainingHere ? cause(of: acting) : boundCause
    }

    /// What is being handled, as the cause of what `effect` does in a task or on an actor.
    func cause(of effect: EffectRun?) -> Cause {
        if !mayBeFollowed.load(ordering: .relaxed) { mayBeFollowed.store(true, ordering: .relaxed) }
        // What has no origin yet is one: not to be held for as long as a task runs.
        let linked = causes?.origin == nil ? nil : causes
        return Cause(context: linked ?? entered?.context ?? .root, effect: effect, store: ObjectIdentifier(self))
    }

    /// Where things are done on the main actor: what they dispatch there follows from what was handled when they were
    /// posted.
    @usableFromInline
    var mainMailbox: Mailbox {
        mailbox.load()
            ?? mailbox.storeIfNil(Mailbox(of: MainActor.shared, carrying: { [weak self] in self?.carry($0) ?? $0 }))
    }

    private func carry(_ body: @escaping () -> Void) -> () -> Void {
        let cause = cause(of: acting)
        return { Cause.$bound.withValue(cause, operation: body) }
    }

    // MARK: - Too much

    /// One action more; `nil` when there were enough of them.
    private func admit(_ action: any Action, from effect: EffectRun?, _ context: CauseContext) -> CauseContext? {
        context.tally.count += 1
        guard limits.areNear(context) else { return context }
        let context = context.naming(action)
        guard limits.areExceeded(by: context) else { return context }
        if limits.isToTell(of: doer(effect), context) { stop(effect, context) }
        return nil
    }

    private func stop(_ effect: EffectRun?, _ causes: CauseContext) {
        let error = RunawayEffect(effect: effect?.name, causes: causes.types.map { "\($0)" })
        // Whoever answers the report with another runaway is not told of that, or this would never end.
        if causes.followsReport { return FunctionalCore.report("\(error)") }
        report(error, Cause(context: .report, effect: nil, store: ObjectIdentifier(self)))
    }

    /// Who acts: an effect, or somebody else, of whom no more is known.
    private func doer(_ effect: EffectRun?) -> ObjectIdentifier {
        if let effect { ObjectIdentifier(effect) } else { ObjectIdentifier(self) }
    }
}
