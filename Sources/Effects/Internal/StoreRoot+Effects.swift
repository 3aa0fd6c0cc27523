import ArchitectureEngine
import FunctionalCore
import Synchronization

extension StoreRoot: StreamHost {
    var isHandlingHere: Bool { core.isDrainingHere }

    func enter(by effect: EffectRun?, _ body: @escaping () -> Void) {
        perform(by: effect.map { ObjectIdentifier($0) }, body)
    }

    func beginWork() -> FiniteWork {
        core.settling.begin()
    }

    func listenerBegan(_ listener: Listener, isLastOfEffect: Bool) {
        effects.listenerBegan(listener, isLastOfEffect: isLastOfEffect)
    }

    func listenersEnded(_ listeners: [Listener]) {
        effects.listenersEnded(listeners)
    }

    /// Hands an action to those who listen to its type, in the order in which they were registered.
    @usableFromInline
    func deliver(_ action: any Action) {
        for listener in effects.listeners(to: action) where listener.run.isWanted {
            core.sender = ObjectIdentifier(listener.run.effect)
            listener.hear(action)
        }
        core.sender = nil
    }

    /// Registers effects: all of them listen before any begins to emit.
    func register(_ effects: [EffectRun]) {
        refuseWithinTransition("given an effect")
        perform { [self] in
            hasEffects = true
            self.effects.append(effects)
            for effect in effects { begin(effect) }
        }
    }

    private func begin(_ effect: EffectRun) {
        effect.isBeginning = true
        repeat {
            effect.hasFailedToBegin = false
            attempt(effect)
        } while effect.hasFailedToBegin
        effect.isBeginning = false
    }

    private func attempt(_ effect: EffectRun) {
        let run = StreamRun(host: self, effect: effect)
        guard let stream = effect.begin(run) else { return forget(effect) }
        let before = core.sender
        core.sender = ObjectIdentifier(effect)
        defer { core.sender = before }
        // These are called while the store processes something. They retain the run until it has ended and releases them.
        let host = Unmanaged.passUnretained(self)
        stream.start(
            run,
            Subscriber(
                receive: { action in
                    guard run.effect.dispatches, !run.isOver else { return }
                    host._withUnsafeGuaranteedRef { $0.post(action, from: run.effect) }
                },
                complete: { error in
                    if !run.isOver { host._withUnsafeGuaranteedRef { $0.end(run, error) } }
                }
            )
        )
    }

    /// Enqueues an answer of an effect.
    private func post(_ action: any Action, from effect: EffectRun) {
        let before = core.sender
        core.sender = ObjectIdentifier(effect)
        _ = enqueue(action)
        core.sender = before
    }

    private func end(_ run: StreamRun, _ error: (any Error)?) {
        let effect = run.effect
        guard let error else {
            effect.end(as: .finished)
            return forget(effect)
        }
        let left = effect.restartsLeft
        let nextStep = left > 0 ? EffectFailure.NextStep.restarts(left: left - 1) : .ends
        report(EffectFailure(effect: effect.name, error: error, nextStep: nextStep))
        run.end()
        if left > 0 {
            effect.restartsLeft = left - 1
            // An effect that fails while it starts is restarted in a loop, which uses no stack.
            if effect.isBeginning { effect.hasFailedToBegin = true } else { begin(effect) }
        } else {
            effect.end(as: .failed(error))
            forget(effect)
        }
    }

    func dismiss(_ effect: EffectRun) {
        effect.end(as: .cancelled)
        forget(effect)
    }

    /// Removes an effect that has ended, and releases what it retains.
    func forget(_ effect: EffectRun) {
        if effects.forget(effect), let place = effect.place { groups.remove(place) }
    }

    /// Where the effects were written that have something under way.
    var busyEffects: [String] {
        effects.running.filter { $0.current?.isBusy == true }.map(\.name)
    }

    /// Ends all effects and releases all observers. Called when the store is deallocated.
    @usableFromInline
    func close() {
        // No caller of `settled()` can be waiting, because it would retain the store.
        perform { [self] in
            for effect in effects.removeAll() { effect.end(as: .cancelled) }
            effects.sweep()
            core.removeObservers()
            extras = nil
        }
    }
}
