public import ArchitectureEngine
public import FunctionalCore

/// What a component runs on, kept alive by its tasks too: so the component itself can go away while they wind down.
///
/// Unchecked: the observers are touched by who drains alone, the works under their lock; the rest is immutable.
@usableFromInline
final class Root<S: Sendable, Input: Sendable>: @unchecked Sendable {
    @usableFromInline let core: SerialCore<S, Message>
    @usableFromInline let perform: Perform
    @usableFromInline let watch = Watch()
    @usableFromInline let mainMailbox = Mailbox(of: MainActor.shared)
    // Unchecked exclusivity: only who drains touches the observers, and changes them between notifications alone.
    @exclusivity(unchecked)
    @usableFromInline var observers = Observers<S>()
    private var errorObservers = Observers<Failed>()
    private let executor: (any TaskExecutor)?

    private let lock = Lock()
    private var works: [ObjectIdentifier: Work] = [:]
    private var isClosed = false

    /// Hands everything that there is to do for an input to its turn.
    @usableFromInline
    typealias Perform = @Sendable (Input, Root<S, Input>, inout Turn<S, Input>) -> Void

    /// What waits its turn.
    @usableFromInline
    enum Message {
        case input(Input, Work)
        // Boxed, so that a message is no larger than an input and what it may start.
        indirect case change(State<S, Void>, Work, CheckedContinuation<Bool, Never>)
        indirect case failure(any Error, Input, Work, CheckedContinuation<Void, Never>)
        indirect case perform(() -> Void)
    }

    @usableFromInline
    struct Failed {
        let error: any Error
        let input: Input
    }

    @usableFromInline
    init(
        initialState: S,
        executor: (any TaskExecutor)?,
        perform: @escaping Perform
    ) {
        core = SerialCore(state: initialState, owner: Component<S, Input>.self)
        self.executor = executor
        self.perform = perform
    }

    deinit { lock.free() }
}

// MARK: - Inputs

extension Root {
    @inlinable
    @inline(__always)
    func send(_ input: Input) -> Dispatched {
        guard core.enter() else { return wait(input) }
        let work = handle(input, nil)
        if !core.leave() { drain() }
        return Dispatched(work)
    }

    /// Leaves an input for its turn.
    @inlinable
    @inline(never)
    func wait(_ input: Input) -> Dispatched {
        let work = Work()
        if core.post(.input(input, work)) { drain() }
        return Dispatched(work)
    }

    @inlinable
    @inline(__always)
    func handle(_ input: Input, _ work: Work?) -> Work? {
        var turn = Turn<S, Input>(work: work)
        perform(input, self, &turn)
        guard let later = turn.later else {
            turn.work?.finish()
            return turn.work
        }
        return goOn(later, of: input, turn.work)
    }

    /// Leaves the rest of a turn to a task.
    @usableFromInline
    @inline(never)
    func goOn(_ steps: [Turn<S, Input>.Later], of input: Input, _ work: Work?) -> Work {
        let work = work ?? Work()
        let workflow = Workflow(root: self, input: input, work: work)
        let isClosed = lock.withLock {
            if !self.isClosed { works[ObjectIdentifier(work)] = work }
            return self.isClosed
        }
        if isClosed { work.cancel() }
        work.attach(Task(executorPreference: executor) { await workflow.run(steps) })
        return work
    }

    func forget(_ work: Work) {
        lock.withLock { works[ObjectIdentifier(work)] = nil }
        work.finish()
    }

    /// Cancels all work, and lets go of all observers: the component is gone.
    func close() {
        let works = lock.withLock {
            isClosed = true
            return self.works.values.map { $0 }
        }
        for work in works { work.cancel() }
        send(
            .perform { [self] in
                observers.cancelAll()
                // A failure that is on its way to another actor still arrives.
                errorObservers.removeAll()
            }
        )
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
            if work.isSet { work.finish() } else { _ = handle(input, work) }
        case .change(let change, let work, let waiter):
            if !work.isSet { commit(change) }
            waiter.resume(returning: !work.isSet)
        case .failure(let error, let input, let work, let waiter):
            if !work.isSet { report(error, input) }
            waiter.resume()
        case .perform(let body):
            body()
        }
    }

    /// Applies a change and tells everybody. Only who drains may call this.
    @inlinable
    @inline(__always)
    func commit(_ change: State<S, Void>) {
        core.change { state in change.run(&state) }
        if !observers.isEmpty { observers.notify(of: core.state) }
        watch.changed()
    }

    /// Applies a change of a workflow that has waited, unless that was cancelled meanwhile; says whether it was applied.
    func commit(_ change: State<S, Void>, of work: Work) async -> Bool {
        await withCheckedContinuation { waiter in send(.change(change, work, waiter)) }
    }

    /// Tells of a failure of a workflow that has waited, unless that was cancelled meanwhile.
    func fail(_ error: any Error, _ input: Input, of work: Work) async {
        await withCheckedContinuation { waiter in send(.failure(error, input, work, waiter)) }
    }

    @usableFromInline
    func report(_ error: any Error, _ input: Input) {
        guard errorObservers.hasAny else {
            return FunctionalCore.report(
                "An action for the input \(input) failed, and nobody observes errors: \(error)")
        }
        _ = withUnsafePointer(to: Failed(error: error, input: input)) { errorObservers.notify(of: $0) }
    }
}

// MARK: - Observers

extension Root {
    /// A part of the state as it is now. Where the part is computed, that is done outside of the lock: it is the state's own
    /// code, and may ask for the state again.
    @usableFromInline
    func read<Part>(_ part: KeyPath<S, Part>, isStored: Bool) -> Part {
        isStored ? core.read { state in state[keyPath: part] } : core.read { state in state }[keyPath: part]
    }

    /// Adds an observer, in turn, and shows it the state as it is then.
    @usableFromInline
    func attach(_ observer: Observer<S>) -> Registration {
        send(
            .perform { [self] in
                observers.append(observer)
                observer.accept(core.state)
            }
        )
        return registration(observer.cancellation) { $0.observers.removeCancelled() }
    }

    /// Adds an observer of failures.
    func attachErrors(_ observer: Observer<Failed>) -> Registration {
        send(.perform { [self] in errorObservers.append(observer) })
        return registration(observer.cancellation) { $0.errorObservers.removeCancelled() }
    }

    /// What cancels an observer, and has the list cleaned; from inside a change of the state, where nothing can be sent, the
    /// next notification does that.
    private func registration(
        _ cancellation: Cancellation, _ clean: @escaping @Sendable (Root) -> Void
    ) -> Registration {
        Registration { [weak self] in
            cancellation.cancel()
            guard let self, !core.isChangingHere else { return }
            send(.perform { [weak self] in if let self { clean(self) } })
        }
    }
}

extension Root.Message: CustomStringConvertible {
    /// What was sent, as its sender knows it.
    @usableFromInline
    var description: String {
        switch self {
        case .input(let input, _): "\(input)"
        case .change, .failure: "the result of an action"
        case .perform: "an observer"
        }
    }
}
