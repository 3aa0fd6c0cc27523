import ArchitectureEngine
import FunctionalCore

extension StoreRuntime {
    @usableFromInline
    @inline(never)
    func passMiddleware(_ action: any Action) {
        pass(action, through: extras?.entries[...] ?? [])
    }

    /// Calls the first middleware of `entries` with an action, or applies the action if there is no middleware.
    private func pass(_ action: any Action, through entries: ArraySlice<StoreExtra<S>?>) {
        let wasPassing = isPassing
        defer { isPassing = wasPassing }
        for index in entries.indices {
            guard let entry = entries[index], case .middleware(let middleware)? = entry.body else { continue }
            isPassing = true
            let rest = entries[(index + 1)...]
            return core.attribute(to: entry.cancellation) {
                middleware.handle(action, MiddlewareStore(runtime: self)) { [weak self] action in
                    self?.proceed(with: action, through: rest)
                }
            }
        }
        isPassing = false
        apply(action)
    }

    /// Passes an action through the middleware in `rest`, and applies it if there is none. If this thread is calling a
    /// middleware, this happens at once. Otherwise it happens in a separate message, because a reducer or observers may
    /// be running.
    private func proceed(with action: any Action, through rest: ArraySlice<StoreExtra<S>?>) {
        if core.isDrainingHere, isPassing { return pass(action, through: rest) }
        perform { [self] in pass(action, through: rest) }
    }

    /// Applies all reducers in one transition, notifies the observers, and then calls the interceptors.
    @usableFromInline
    @inline(never)
    func applyTelling(_ action: any Action) {
        let entries = extras?.entries ?? []
        let isIntercepted = entries.contains { if case .interceptor? = $0?.body { true } else { false } }
        // The old state is retained only for interceptors, because a reducer then has to copy each array that it
        // changes. It would also need a place on the stack.
        if isIntercepted { applyIntercepted(action, entries) } else { apply(action, with: entries) }
    }

    private func apply(_ action: any Action, with entries: [StoreExtra<S>?]) {
        core.change { state in
            reduce(&state, action)
            for entry in entries {
                if case .reducer(let reduce)? = entry?.body { reduce(&state, action) }
            }
        }
        publish()
        endEffectsOfAbsentParts()
    }

    @inline(never)
    private func applyIntercepted(_ action: any Action, _ entries: [StoreExtra<S>?]) {
        let old = core.state.value
        apply(action, with: entries)
        for case let entry? in entries {
            guard case .interceptor(let intercept)? = entry.body else { continue }
            core.attribute(to: entry.cancellation) { intercept(action, old, core.state.value) }
        }
    }

    /// Adds a middleware, an interceptor or a reducer. The returned registration removes it when it is cancelled. Traps
    /// if a reducer calls this method.
    func add(_ body: StoreExtra<S>.Body) -> Registration {
        refuseWithinTransition("given a middleware, an interceptor or a reducer")
        let entry = StoreExtra(body)
        perform { [self] in insert(entry) }
        return registration(entry.cancellation) { [weak self] _, cancellation in self?.remove(cancellation) }
    }

    private func insert(_ entry: StoreExtra<S>) {
        // The list is taken out of the property, so that the change does not copy it.
        var extras = self.extras.take() ?? CancellableList()
        extras.append(entry)
        self.extras = extras
    }

    private func remove(_ cancellation: Cancellation) -> StoreExtra<S>? {
        defer { if extras?.isEmpty == true { extras = nil } }
        return extras?.remove(cancellation)
    }
}

// MARK: - Effects of parts

extension StoreRuntime {
    /// Registers an effect that ends when `isPresent` returns `false` after a change of the state. If it returns `false`
    /// now, or in the turn of the registration, the effect does not start.
    func register(_ effect: Effect<Void>, while isPresent: @escaping @Sendable () -> Bool) -> EffectRun {
        refuseWithinTransition("given an effect")
        let partEnd = Cancellation()
        let run = EffectRun(effect, host: self, partEnd: partEnd) { [weak self] _ in
            // Actions that the effect has emitted may be enqueued. The entry is removed after them, because they must
            // be dropped if the part becomes absent first.
            self?.perform { [weak self] in _ = self?.remove(partEnd) }
        }
        if !isPresent() {
            run.cancel()
            return run
        }
        perform { [self] in
            insert(StoreExtra(.effect(run, isPresent: isPresent), until: partEnd))
            // Actions before this message may have removed the part.
            end(run, unless: isPresent)
            start(effect, in: run)
        }
        return run
    }

    /// Ends the effects whose parts are absent since the last change. Only the draining thread may call this.
    func endEffectsOfAbsentParts() {
        for entry in extras?.entries ?? [] {
            if case .effect(let run, let isPresent)? = entry?.body { end(run, unless: isPresent) }
        }
    }

    private func end(_ run: EffectRun, unless isPresent: () -> Bool) {
        if isPresent() { return }
        run.partEnd?.cancel()
        core.attribute(to: run) { run.cancel() }
    }
}
