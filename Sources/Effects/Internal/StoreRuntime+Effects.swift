import ArchitectureEngine
import FunctionalCore

extension StoreRuntime: StreamHost {
    var isHandlingHere: Bool { core.isDrainingHere && !core.isChangingHere }

    func enter(by effect: EffectRun?, _ body: @escaping () -> Void) {
        perform(by: effect.map { ObjectIdentifier($0) }, body)
    }

    /// Delivers an action to the listeners of its type, in the order in which their effects were registered.
    @usableFromInline
    func deliver(_ action: any Action) {
        for listener in effects.listeners(to: action) where listener.run.isWanted {
            core.attribute(to: listener.effect) { listener.receive(action) }
        }
    }

    /// Registers effects. None of the actions that they emit is delivered before all of them listen.
    func register(
        _ effects: [Effect<Void>],
        as group: AnyHashable? = nil,
        isOrphaned: (@Sendable () -> Bool)? = nil,
        onEnd: (@Sendable (EffectRun) -> Void)? = nil
    ) -> [EffectRun] {
        refuseWithinTransition("given an effect")
        let runs = effects.map { EffectRun($0, host: self, isOrphaned: isOrphaned, onEnd: onEnd) }
        if let group { self.effects.insert(runs, into: group) }
        perform { [self] in
            hasEffects = true
            for (run, effect) in zip(runs, effects) { start(effect, in: run) }
        }
        return runs
    }

    private func start(_ effect: Effect<Void>, in run: EffectRun) {
        if run.isOver { return }
        // Unchecked: the closures are called while the store processes a message, which retains the runtime.
        let runtime = Unmanaged.passUnretained(self)
        let restarts = if case .restart(let limit) = effect.failure { limit } else { 0 }
        let stream = ActionStream.restarting(
            atMost: restarts,
            onFailure: { error, left in
                let nextStep = left.map { EffectFailure.NextStep.restarts(left: $0) } ?? .ends
                let failure = EffectFailure(effect: run.name, error: error, nextStep: nextStep)
                runtime._withUnsafeGuaranteedRef { $0.report(failure) }
            },
            { [describe = effect.describe] in describe(()) })
        let subscriber = Subscriber<any Action>(
            receive: { action in
                if run.dispatches { runtime._withUnsafeGuaranteedRef { $0.post(action, from: run) } }
            },
            complete: { error in run.complete(error) }
        )
        core.attribute(to: run) { stream.start(run, subscriber) }
    }

    /// Enqueues an action that an effect emits.
    private func post(_ action: any Action, from effect: EffectRun) {
        core.attribute(to: effect) { _ = enqueue(action) }
    }

    /// The places where the effects were created that have something under way.
    var busyEffects: [String] {
        effects.running.filter(\.isBusy).map(\.name)
    }

    /// Ends all effects and releases all observers. Called when the store is deallocated.
    @usableFromInline
    func close() {
        // No caller of `settled()` can be waiting, because it would retain the store.
        perform { [self] in
            effects.close()
            core.removeObservers()
            extras = nil
        }
    }
}
