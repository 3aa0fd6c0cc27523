import ArchitectureEngine
import FunctionalCore
import Synchronization

extension StoreRoot: StreamHost {
    var isHandlingHere: Bool { core.isDrainingHere }

    func enter(_ cause: Cause?, _ body: @escaping () -> Void) {
        send(.perform(cause, body))
    }

    func listenersChanged() {
        areRoutesStale.store(true, ordering: .releasing)
    }

    /// Hands an action to those who listen to its type, in the order in which they were registered.
    @usableFromInline
    func deliver(_ action: any Action) {
        if areRoutesStale.load(ordering: .relaxed), areRoutesStale.exchange(false, ordering: .acquiring) {
            routes.removeAll(keepingCapacity: true)
        }
        let key = ObjectIdentifier(type(of: action))
        for target in routes[key] ?? learn(action, key) where target.run.isWanted {
            acting = target.run.effect
            target.receive(action)
        }
        acting = nil
    }

    private func learn(_ action: any Action, _ key: ObjectIdentifier) -> [Target] {
        var targets: [Target] = []
        for effect in effects {
            effect.current?.forEachListener { run, listener in
                if listener.test?(action) ?? true { targets.append(Target(run: run, receive: listener.receive)) }
            }
        }
        routes[key] = targets
        return targets
    }

    /// Registers effects: all of them listen before any begins to emit.
    func register(_ effects: [EffectRun]) {
        send(
            .perform(causeHere) { [self] in
                hasEffects = true
                self.effects += effects
                for effect in effects { begin(effect) }
            }
        )
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
        let before = acting
        acting = effect
        defer { acting = before }
        stream.start(
            run,
            Subscriber(
                // Whoever calls these is handling something in this store.
                receive: { [unowned self, weak effect, weak run] action in
                    guard let effect, effect.dispatches, let run, !run.isOver else { return }
                    post(action, from: effect)
                },
                complete: { [unowned self, weak effect, weak run] error in
                    if let effect, let run, !run.isOver { end(run, of: effect, error) }
                }
            )
        )
    }

    private func end(_ run: StreamRun, of effect: EffectRun, _ error: (any Error)?) {
        guard let error else {
            effect.end(as: .finished)
            return forget(effect)
        }
        report(EffectFailure(effect: effect.name, error: error), cause(of: nil))
        run.end()
        if case .restart(let limit) = effect.failure, effect.restarts < limit {
            effect.restarts += 1
            // One that fails at once begins anew in a loop: that needs no stack.
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

    /// Lets go of an effect that has ended, and of all that it holds.
    func forget(_ effect: EffectRun) {
        let left = effects.filter { $0 !== effect }
        // Freed after the change, not while it is made: what an effect holds may come back here as it goes away.
        let (all, known) = (effects, routes)
        (effects, routes) = (left, [:])
        if let group = effect.group { groups.remove(effect, from: group) }
        withExtendedLifetime((all, known)) {}
    }

    /// Where the effects were written that have something under way.
    var busyEffects: [String] {
        effects.filter { $0.current?.isBusy == true }.map(\.name)
    }

    /// Ends all effects, and lets go of all observers: the store is gone.
    @usableFromInline
    func close() {
        send(
            .perform(nil) { [self] in
                for effect in effects { effect.end(as: .cancelled) }
                effects = []
                routes = [:]
                observers.cancelAll()
                failureObservers.removeAll()
                extras = nil
            }
        )
    }
}
