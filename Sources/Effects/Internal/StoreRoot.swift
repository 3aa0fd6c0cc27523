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
    @usableFromInline let watch = Watch()
    @usableFromInline let mainMailbox = Mailbox(of: MainActor.shared)
    @usableFromInline let executor: (any TaskExecutor)?
    @usableFromInline let limits: StoreLimits

    // Unchecked exclusivity: only who drains touches these.
    @exclusivity(unchecked)
    @usableFromInline var observers = Observers<S>()
    private var failureObservers = Observers<any Error>()
    /// What has to happen around the reducer: middleware, interceptors, reducers that came later. Mostly nothing.
    @exclusivity(unchecked)
    @usableFromInline var extras: StoreExtras<S>?
    @exclusivity(unchecked)
    @usableFromInline var hasEffects = false
    private var effects: [EffectRun] = []
    private var routes: [ObjectIdentifier: [Target]] = [:]
    private let areRoutesStale = Atomic<Bool>(false)
    // Touched under the lock alone.
    private var groups: [AnyHashable: [EffectRegistration]] = [:]
    private let groupsLock = Lock()

    // What is being handled.
    @exclusivity(unchecked)
    @usableFromInline var depth = 0
    /// How many actions came of others since the last that somebody dispatched, and how many of the report of a runaway.
    @exclusivity(unchecked)
    @usableFromInline var answers = (toAction: 0, toReport: 0)
    @exclusivity(unchecked)
    @usableFromInline var causes: CauseContext?
    /// Whether an action is on its way through the middleware, and so before the reducer.
    private var isPassing = false

    /// Who is given an action.
    private struct Target {
        let run: StreamRun
        let receive: (any Action) -> Void
    }

    @usableFromInline
    init(state: S, reduce: @escaping ReducerFn<S>, executor: (any TaskExecutor)?, limits: StoreLimits) {
        core = SerialCore(state: state, owner: Store<S>.self)
        self.reduce = reduce
        self.executor = executor
        self.limits = limits
    }

    deinit { groupsLock.free() }
}

// MARK: - Actions

extension StoreRoot {
    @inlinable
    @inline(__always)
    func dispatch(_ action: any Action) {
        guard core.enter() else { return wait(action) }
        answers = (0, 0)
        handle(action)
        if !core.leave() { drain() }
    }

    /// Leaves an action for its turn.
    @inlinable
    @inline(never)
    func wait(_ action: any Action) {
        if core.isDrainingHere {
            // It comes of what is being handled.
            post(action, from: nil)
        } else {
            send(.action(action, depth: 0, causes: nil))
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
        case .action(let action, let depth, let causes):
            (self.depth, self.causes) = (depth, causes)
            if depth == 0 { answers = (0, 0) }
            handle(action)
            (self.depth, self.causes) = (0, nil)
        case .perform(let causes, let body):
            self.causes = causes
            body()
            self.causes = nil
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

// MARK: - What is around the reducer

/// What was added to a store while it runs.
@usableFromInline
struct StoreExtras<S: Sendable> {
    var middleware: [(Cancellation, Middleware<S>)] = []
    var interceptors: [(Cancellation, @Sendable (any Action, S, S) -> Void)] = []
    var reducers: [(Cancellation, ReducerFn<S>)] = []

    var isEmpty: Bool { middleware.isEmpty && interceptors.isEmpty && reducers.isEmpty }

    mutating func removeCancelled() {
        middleware.removeAll { $0.0.isCancelled }
        interceptors.removeAll { $0.0.isCancelled }
        reducers.removeAll { $0.0.isCancelled }
    }
}

extension StoreRoot {
    @usableFromInline
    @inline(never)
    func passMiddleware(_ action: any Action) {
        pass(action, through: extras?.middleware[...] ?? [])
    }

    private func pass(_ action: any Action, through list: ArraySlice<(Cancellation, Middleware<S>)>) {
        let wasPassing = isPassing
        defer { isPassing = wasPassing }
        guard let index = list.firstIndex(where: { !$0.0.isCancelled }) else {
            isPassing = false
            return commit(action)
        }
        isPassing = true
        let rest = list[(index + 1)...]
        let causes = causes
        list[index].1.handle(action, MiddlewareStore(root: self)) { [weak self] action in
            self?.goOn(with: action, through: rest, causes)
        }
    }

    /// Hands an action on: at once while middleware is asked, otherwise in turn, as a reducer and observers may be at work.
    private func goOn(
        with action: any Action, through rest: ArraySlice<(Cancellation, Middleware<S>)>, _ causes: CauseContext?
    ) {
        if core.isDrainingHere, isPassing { return pass(action, through: rest) }
        let causes = causes ?? CauseContext(now: limits.stopwatch.elapsed())
        send(.perform(causes) { [self] in pass(action, through: rest) })
    }

    @usableFromInline
    @inline(never)
    func commitTelling(_ action: any Action) {
        let extras = extras ?? StoreExtras()
        let interceptors = extras.interceptors.filter { !$0.0.isCancelled }
        let old = interceptors.isEmpty ? nil : core.state.pointee
        core.change { state in
            reduce(&state, action)
            for (cancellation, reduce) in extras.reducers where !cancellation.isCancelled { reduce(&state, action) }
        }
        if !observers.isEmpty { observers.notify(of: core.state) }
        watch.changed()
        guard let old else { return }
        let new = core.state.pointee
        for (cancellation, intercept) in interceptors where !cancellation.isCancelled { intercept(action, old, new) }
    }

    /// Adds something to what is around the reducer, until it is cancelled.
    func add(_ body: @escaping (inout StoreExtras<S>, Cancellation) -> Void) -> Registration {
        let cancellation = Cancellation()
        send(
            .perform(nil) { [self] in
                var extras = self.extras ?? StoreExtras()
                body(&extras, cancellation)
                self.extras = extras
            }
        )
        return registration(cancellation) { root in
            root.extras?.removeCancelled()
            if root.extras?.isEmpty == true { root.extras = nil }
        }
    }
}

// MARK: - Effects

extension StoreRoot: StreamHost {
    var context: CauseContext? {
        causes ?? CauseContext(now: limits.stopwatch.elapsed())
    }

    var isHandlingHere: Bool { core.isDrainingHere }

    func enter(_ context: CauseContext?, _ body: @escaping () -> Void) {
        send(.perform(context, body))
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
            target.receive(action)
        }
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
            .perform(nil) { [self] in
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
        guard effect.begin(run) else { return forget(effect) }
        effect.effect.describe(()).start(
            run,
            Subscriber(
                // Whoever calls these is handling something in this store.
                receive: { [unowned self, weak effect, weak run] action in
                    guard let effect, effect.effect.dispatches, let run, !run.isOver else { return }
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
        report(EffectFailure(effect: effect.effect.name, error: error), context)
        run.end()
        if case .restart(let limit) = effect.effect.failure, effect.restarts < limit {
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
        if let group = effect.group { leave(group, effect) }
        withExtendedLifetime((all, known)) {}
    }

    /// Where the effects were written that have something under way.
    var busyEffects: [String] {
        effects.filter { $0.current?.isBusy == true }.map(\.effect.name)
    }

    /// Leaves an action that comes of what is being handled, unless that goes on and on.
    @usableFromInline
    func post(_ action: any Action, from effect: EffectRun?) {
        let depth = depth + 1
        var causes = causes
        // What has no depth and yet causes comes from a task.
        if depth == 1 { causes = causes?.afterTask(limits) }
        let hops = causes?.hops ?? 0
        let count: Int
        if causes?.followsReport == true {
            answers.toReport += 1
            count = answers.toReport
        } else {
            answers.toAction += 1
            count = answers.toAction
        }
        // A line may be long, or there may be ever more of them: two effects that answer each other double with each step.
        let length = max(depth, count)
        if limits.areNear(length, hops) {
            causes = (causes ?? CauseContext(now: limits.stopwatch.elapsed())).after(action)
        }
        if limits.areExceeded(by: length, hops) {
            // Of many lines that are stopped at once, one is told of.
            if depth > limits.maximumChain || count <= limits.maximumChain + 1 { stop(effect, causes) }
            return
        }
        _ = core.post(.action(action, depth: depth, causes: causes))
    }

    private func stop(_ effect: EffectRun?, _ causes: CauseContext?) {
        let error = RunawayEffect(effect: effect?.effect.name, causes: causes?.types.map { "\($0)" } ?? [])
        // Whoever answers the report with another runaway is not told of that, or this would never end.
        if causes?.followsReport == true { return FunctionalCore.report("\(error)") }
        report(error, CauseContext(now: limits.stopwatch.elapsed(), followsReport: true))
    }

    /// A group holds those of its effects alone that run.
    private func leave(_ group: AnyHashable, _ effect: EffectRun) {
        let left = groupsLock.withLock {
            let all = groups[group] ?? []
            let left = all.filter { $0.run !== effect }
            groups[group] = left.isEmpty ? nil : left
            return all
        }
        // Let go of outside of the lock.
        withExtendedLifetime(left) {}
    }

    /// Any thread, at once.
    func add(_ registrations: [EffectRegistration], to group: AnyHashable) {
        groupsLock.withLock { groups[group, default: []] += registrations }
    }

    /// Any thread, at once.
    func cancelGroup(_ group: AnyHashable) {
        let registrations = groupsLock.withLock { groups.removeValue(forKey: group) }
        for registration in registrations ?? [] { registration.cancel() }
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

// MARK: - Observers

extension StoreRoot {
    /// Adds an observer, in turn, and shows it the state as it is then.
    @usableFromInline
    func attach(_ observer: Observer<S>) -> Registration {
        send(
            .perform(nil) { [self] in
                observers.append(observer)
                observer.accept(core.state)
            }
        )
        return registration(observer.cancellation) { $0.observers.removeCancelled() }
    }

    func attachFailures(_ observer: Observer<any Error>) -> Registration {
        send(.perform(nil) { [self] in failureObservers.append(observer) })
        return registration(observer.cancellation) { $0.failureObservers.removeCancelled() }
    }

    private func registration(
        _ cancellation: Cancellation, _ clean: @escaping @Sendable (StoreRoot) -> Void
    ) -> Registration {
        Registration { [weak self] in
            cancellation.cancel()
            guard let self, !core.isChangingHere else { return }
            send(.perform(nil) { [weak self] in if let self { clean(self) } })
        }
    }

    /// Tells of a failure, in turn: who is told may dispatch, and that is not part of what has failed.
    private func report(_ error: any Error, _ causes: CauseContext?) {
        send(
            .perform(causes) { [self] in
                guard failureObservers.hasAny else { return FunctionalCore.report("\(error)") }
                _ = withUnsafePointer(to: error) { failureObservers.notify(of: $0) }
            }
        )
    }
}
