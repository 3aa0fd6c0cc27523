public import ArchitectureEngine
public import FunctionalCore

/// The runtime of a component. Its tasks retain it too, so the component can be deallocated while they end.
///
/// Unchecked: only the draining thread accesses the observers and `isSubmitting`. The lock protects the works, the lanes
/// and `isClosed`. The rest is immutable. Any other access could be a data race.
@usableFromInline
final class Root<S: Sendable, Input: Sendable>: @unchecked Sendable {
    @usableFromInline let core: SerialCore<S, Message>
    @usableFromInline let perform: Perform
    @usableFromInline let observation = ObservationBridge()
    @usableFromInline let mainActorQueue = ActorQueue(of: MainActor.shared)
    // Unchecked exclusivity: only the draining thread accesses the observers, and never changes them while it notifies.
    @exclusivity(unchecked)
    @usableFromInline var observers = Observers<S>()
    private var errorObservers = Observers<Failed>()
    private let executor: (any TaskExecutor)?
    private let settling = Settling()

    private let lock = Locked()
    private var works: [ObjectIdentifier: WorkItem] = [:]
    private var policies: [Place: PolicyQueues<[AnyKey]>] = [:]
    private var isClosed = false
    // Whether the draining thread is submitting work that may begin during the current turn.
    private var isSubmitting = false

    /// Adds all actions for an input to its turn.
    @usableFromInline
    typealias Perform = @Sendable (Input, Root<S, Input>, inout Turn<S, Input>) -> Void

    /// A message in the queue.
    @usableFromInline
    enum Message {
        case input(Input, WorkItem)
        // Boxed, so that a message is no larger than an input and what it may start.
        indirect case change(State<S, Void>, WorkItem, CheckedContinuation<Bool, Never>)
        indirect case failure(any Error, Input, WorkItem, CheckedContinuation<Void, Never>)
        // From a subscription, with that one's work.
        indirect case subscribed(Input, WorkItem)
        indirect case perform(() -> Void)
        // With the input that was dropped.
        indirect case stoppedChain(ChainStop, Input)
    }

    @usableFromInline
    struct Failed {
        let error: any Error
        let source: Component<S, Input>.ErrorSource
    }

    @usableFromInline
    init(
        initialState: S,
        executor: (any TaskExecutor)?,
        maximumChain: Int,
        perform: @escaping Perform
    ) {
        core = SerialCore(state: initialState, owner: Component<S, Input>.self, maximumChain: maximumChain)
        self.executor = executor
        self.perform = perform
        settling.enqueue = { [weak self] check in
            self?.send(.perform { [weak self] in if let self { check(core.isQueueEmpty) } })
        }
    }
}

// MARK: - Inputs

extension Root {
    @inlinable
    @inline(__always)
    func send(_ input: Input) -> SendTask {
        guard core.enter() else { return wait(input) }
        let work = handle(input, nil)
        if !core.leave() { drain() }
        return SendTask(work)
    }

    /// Leaves an input for its turn.
    @inlinable
    @inline(never)
    func wait(_ input: Input) -> SendTask {
        let work = WorkItem()
        switch core.post(.input(input, work), isCounted: true) {
        case .enqueued: break
        case .drain: drain()
        case .stopped: work.drop()
        }
        return SendTask(work)
    }

    @inlinable
    @inline(__always)
    func handle(_ input: Input, _ work: WorkItem?) -> WorkItem? {
        var turn = Turn<S, Input>(work: work)
        perform(input, self, &turn)
        guard let rest = turn.rest else {
            turn.work?.finish()
            return turn.work
        }
        return goOn(rest, of: input, turn.work)
    }

    @usableFromInline
    @inline(never)
    func goOn(_ rest: Turn<S, Input>.Rest, of input: Input, _ work: WorkItem?) -> WorkItem {
        goOn(rest, of: input, work, nil)
    }

    /// Leaves the rest of a turn to tasks and policies. With a lane, the work is one of that.
    private func goOn(_ rest: Turn<S, Input>.Rest, of input: Input, _ work: WorkItem?, _ lane: PolicyQueue?) -> WorkItem
    {
        var parts = rest.parts
        if parts.isEmpty { return start(rest.steps, of: input, work ?? WorkItem(), lane) }
        if !rest.steps.isEmpty { parts.append(start(rest.steps, of: input, WorkItem(), nil)) }
        if work == nil, parts.count == 1 { return parts[0] }
        let whole = work ?? WorkItem()
        whole.unite(parts) { [self] whole in end(whole, of: lane) }
        return whole
    }

    private func start(_ steps: [Turn<S, Input>.Later], of input: Input, _ work: WorkItem, _ lane: PolicyQueue?)
        -> WorkItem
    {
        let progress = settling.begin()
        let workflow = Workflow(root: self, input: input, work: work, progress: progress)
        run(work) { [self] in
            await workflow.run(steps)
            end(work, of: lane)
            progress.end()
        }
        return work
    }

    private func end(_ work: WorkItem, of lane: PolicyQueue?) {
        if let lane { lane.finish(work) } else { work.finish() }
    }

    /// Does `body` in a task, which is cancelled with the work, and with the component.
    private func run(_ work: WorkItem, _ body: @escaping @Sendable () async -> Void) {
        let isClosed = lock.withLock {
            if !self.isClosed { works[ObjectIdentifier(work)] = work }
            return self.isClosed
        }
        if isClosed { work.cancel() }
        work.attach(
            Task(executorPreference: executor) { [self] in
                await body()
                lock.withLock { works[ObjectIdentifier(work)] = nil }
            })
    }

    /// Cancels all work and releases all observers. Called when the component is deallocated.
    func close() {
        let (works, policies) = lock.withLock {
            isClosed = true
            return (self.works.values.map { $0 }, self.policies.values.map { $0 })
        }
        for lanes in policies { lanes.close() }
        for work in works { work.cancel() }
        // No caller of `settled()` can be waiting, because it would retain the component.
        send(
            .perform { [self] in
                observers.cancelAll()
                // A failure that is on its way to another actor still arrives.
                errorObservers.removeAll()
            }
        )
    }
}

// MARK: - Policies

extension Root {
    /// Submits a workflow to its policy, which starts it in this turn or in a later one. Only the draining thread may
    /// call this.
    ///
    /// The draining thread also commits changes, and a lane cancels older work before it starts newer work. So if work is
    /// not cancelled when its change is committed, no newer work has replaced it.
    func submit<Environment>(
        _ policed: Policed<Environment, S>,
        of input: Input,
        in environment: @escaping @Sendable () -> Environment
    ) -> WorkItem {
        isSubmitting = true
        defer { isSubmitting = false }
        // Until the clock of the policy starts it, or the policy drops it and the closure with it.
        let wait = policed.policy.isTimed ? settling.begin() : nil
        return lanes(of: policed.origin, policed.policy).submit(for: policed.key) { [self] work, lane in
            let begin = { [self] in
                isSubmitting = false
                self.begin(policed.emissions, of: input, in: environment, as: work, of: lane)
                wait?.end()
            }
            if core.isDrainingHere, isSubmitting { begin() } else { send(.perform(begin)) }
        }
    }

    private func begin<Environment>(
        _ emissions: [Emission<Environment, S>],
        of input: Input,
        in environment: @escaping @Sendable () -> Environment,
        as work: WorkItem,
        of lane: PolicyQueue
    ) {
        var turn = Turn<S, Input>(work: work)
        for emission in emissions { turn.take(emission, of: input, in: environment, on: self) }
        if let rest = turn.rest { _ = goOn(rest, of: input, work, lane) } else { lane.finish(work) }
    }

    private func lanes(of origin: Place, _ policy: Policy) -> PolicyQueues<[AnyKey]> {
        lock.withLock {
            if let lanes = policies[origin] { return lanes }
            let lanes = PolicyQueues<[AnyKey]>(policy, executor: executor) { error in
                FunctionalCore.report(
                    "The clock of a policy of \(Component<S, Input>.self) failed, and what waited for it was dropped: \(error)"
                )
            }
            if isClosed { lanes.close() }
            policies[origin] = lanes
            return lanes
        }
    }
}

// MARK: - Subscriptions

extension Root {
    /// Starts a subscription, whose inputs arrive until its work has ended, or was cancelled.
    func start<Environment>(
        _ subscription: Subscription<Environment, Input>, in environment: @escaping @Sendable () -> Environment
    ) -> WorkItem {
        let work = WorkItem()
        run(work) { [self] in
            var failure: (any Error)?
            do {
                try await subscription.run(environment()) { [self] input in
                    if core.post(.subscribed(input, work), isCounted: true) == .drain { drain() }
                }
            } catch {
                failure = error
            }
            // In turn: what it has sent before arrives.
            send(
                .perform { [self, failure] in
                    if let failure, !work.isCancelled { report(failure, subscription.id) }
                    work.finish()
                })
        }
        return work
    }
}

// MARK: - Messages

extension Root {
    func send(_ message: Message) {
        _ = core.send(message, handle: handle, handOver: handOver)
    }

    @inlinable
    @inline(never)
    func drain() {
        core.drain(handle: handle, handOver: handOver)
    }

    @usableFromInline
    func handOver() {
        Task(executorPreference: executor) { [self] in drain() }
    }

    @inlinable
    func handle(_ message: Message) {
        switch message {
        case .input(let input, let work):
            if work.isCancelled { work.finish() } else { _ = handle(input, work) }
        case .change(let change, let work, let waiter):
            if !work.isCancelled { commit(change) }
            waiter.resume(returning: !work.isCancelled)
        case .failure(let error, let input, let work, let waiter):
            if !work.isCancelled { report(error, input) }
            waiter.resume()
        case .subscribed(let input, let subscription):
            if !subscription.isCancelled, !subscription.isFinished { _ = handle(input, nil) }
        case .perform(let body):
            body()
        case .stoppedChain(let stop, let input):
            report(stop, input)
        }
    }

    /// Applies a change and notifies the observers. Only the draining thread may call this.
    @inlinable
    @inline(__always)
    func commit(_ change: State<S, Void>) {
        core.change { state in change.run(&state) }
        if !observers.isEmpty { core.notify(&observers) }
        observation.changed()
    }

    /// Applies a change of a workflow that has suspended, unless the workflow was cancelled meanwhile. Returns whether
    /// the change was applied.
    func commit(_ change: State<S, Void>, of work: WorkItem) async -> Bool {
        await withCheckedContinuation { waiter in send(.change(change, work, waiter)) }
    }

    /// Reports the failure of a workflow that has suspended, unless the workflow was cancelled meanwhile.
    func fail(_ error: any Error, _ input: Input, of work: WorkItem) async {
        await withCheckedContinuation { waiter in send(.failure(error, input, work, waiter)) }
    }

    @usableFromInline
    func report(_ error: any Error, _ input: Input) {
        guard errorObservers.hasAny else {
            return FunctionalCore.report(
                "An action for the input \(input) failed, and no observer of errors is registered: \(error)")
        }
        core.notify(&errorObservers, of: Failed(error: error, source: .input(input)))
    }

    @usableFromInline
    func report(_ stop: ChainStop, _ input: Input) {
        let isObserver = stop.sender != ObjectIdentifier(core)
        let error = RunawayInput(
            causes: stop.causes,
            description: stop.description(
                of: "\(isObserver ? "An observer" : "An action") of \(Component<S, Input>.self)"))
        // An observer that answers the report with another endless chain would be notified without end, too.
        if stop.isCausedByReport { FunctionalCore.report("\(error)") } else { report(error, input) }
    }

    private func report(_ error: any Error, _ id: SubscriptionID) {
        guard errorObservers.hasAny else {
            return FunctionalCore.report(
                """
                The subscription \(id) of \(Component<S, Input>.self) failed, and no observer of errors is registered: \
                \(error)
                """)
        }
        core.notify(&errorObservers, of: Failed(error: error, source: .subscription(id)))
    }
}

// MARK: - Observers

extension Root {
    /// Adds an observer, in turn, and notifies it of the state.
    @usableFromInline
    func attach(_ observer: Observer<S>) -> Registration {
        refuseFromTransition()
        send(.perform { [self] in core.add(observer, to: &observers) })
        return registration(observer.cancellation) { root, cancellation in root.observers.remove(cancellation) }
    }

    /// Adds an observer of failures.
    func attachErrors(_ observer: Observer<Failed>) -> Registration {
        refuseFromTransition()
        send(.perform { [self] in errorObservers.append(observer) })
        return registration(observer.cancellation) { root, cancellation in root.errorObservers.remove(cancellation) }
    }

    /// Traps if the caller is inside a transition: an observer is called at once, and there is no state to show it.
    private func refuseFromTransition() {
        if core.isChangingHere { core.refuseFromTransition("observed") }
    }

    /// A registration that cancels an observer, and removes it in turn.
    private func registration<Value>(
        _ cancellation: Cancellation, _ remove: @escaping @Sendable (Root, Cancellation) -> Observer<Value>?
    ) -> Registration {
        Registration { [weak self] in
            cancellation.cancel()
            self?.send(.perform { [weak self] in _ = self.map { remove($0, cancellation) } })
        }
    }
}

// MARK: - Settling

extension Root {
    /// Waits until the queue is empty and no workflow is under way, and with `observers` until those on actors have been
    /// notified, too.
    func settled(includingObservers observers: Bool) async throws {
        try await settling.wait(flushing: observers ? mainActorQueue : nil)
    }
}
