public import ArchitectureEngine
public import FunctionalCore
public import Synchronization

/// The runtime of a component. It performs the actions of each input, and commits their changes.
///
/// The thread that processes an input performs its actions up to the first action that waits. A task performs the rest.
/// Each change of the task is a message: it is committed at once if the runtime is idle, and in turn otherwise.
///
/// Tasks and waiting work items retain the runtime, but not the component. When the component is deallocated, it closes
/// the runtime, which cancels the tasks and the waiting work items.
@usableFromInline
final class ComponentRuntime<S: Sendable, Input: Sendable>: ObservableRuntime {
    @usableFromInline let core: RuntimeCore<S, Payload, Failure>
    @usableFromInline let observation = ObservationBridge()
    /// Performs the actions of an input. The initializer of the component builds it with
    /// `StateDispatcher.performing(in:)`, and `handle(_:_:)` calls it.
    @usableFromInline let performActions: Perform
    let tasks = WorkBag()
    /// The children that have work under way. Created for the first work of a child.
    let lazyLifetimes = AtomicLazyReference<Lifetimes>()
    /// Created for the first work that `onCancel` applies to and that is cancelled.
    let lazyPendingChanges = AtomicLazyReference<PendingChanges>()
    /// Whether changes of `onCancel` may be due.
    let hasPendingChanges = Atomic(false)
    /// Whether a child may have work under way. Only the draining thread uses it.
    @usableFromInline let hasChildWork = Atomic(false)
    // The policy queues for each call of `policy`, with their number in the order of creation, or `nil` after the
    // runtime is closed.
    let policies = Locked<[ScopeID: (number: Int, queues: PolicyQueues)]?>([:])

    /// A function that performs the actions of an input. It captures the dispatcher and the environment, whose type the
    /// runtime does not know.
    @usableFromInline
    typealias Perform = @Sendable (Input, ComponentRuntime<S, Input>, inout ActionRun<S, Input>) -> Void

    @usableFromInline
    enum Payload {
        case input(Input, Work)
        /// An input of a subscription, with the work item of the subscription.
        case subscribed(Input, Work)
        /// An input of a part that may be absent, with a closure that returns whether the part is present. It is boxed,
        /// so that the other payloads do not grow.
        indirect case conditional(Input, Work, isPresent: () -> Bool)

        @inlinable
        var input: Input {
            switch self {
            case .input(let input, _), .subscribed(let input, _), .conditional(let input, _, _): input
            }
        }
    }

    @usableFromInline
    struct Failure {
        let error: any Error
        let source: Component<S, Input>.ErrorSource
    }

    @usableFromInline
    init(
        initialState: S,
        executor: (any TaskExecutor)?,
        maximumChain: Int,
        carrying: CarriedValues?,
        trace: Trace?,
        performActions: (RuntimeCore<S, Payload, Failure>) -> Perform
    ) {
        core = RuntimeCore(
            state: initialState, owner: Component<S, Input>.self, scheduler: .inline(executor),
            maximumChain: maximumChain, carrying: carrying, trace: trace)
        self.performActions = performActions(core)
        observeForTrace()
    }

    var executor: (any TaskExecutor)? { core.scheduler.executor }
}

// MARK: - Inputs

extension ComponentRuntime {
    @inlinable
    @inline(__always)
    func send(_ input: Input) -> SendTask {
        var work: Work?
        if processNow({ work = record(input) { handle(input, nil) } }) { return SendTask(work) }
        return sendThroughQueue(input)
    }

    /// Sends an input of a part. If the part is absent in the turn of the input, the input is dropped.
    ///
    /// - Parameter isPresent: Returns whether the part is present, or `nil` if it always is. Called in the turn of the
    ///   input, because messages before it may add or remove the part.
    @inlinable
    func send(_ input: Input, if isPresent: (() -> Bool)?) -> SendTask {
        guard let isPresent else { return send(input) }
        var work: Work?
        let isSent = processNow {
            work = isPresent() ? record(input) { handle(input, nil) } : dropped(input)
        }
        if isSent { return SendTask(work) }
        let waiting = Work()
        if !sendThroughQueue(.conditional(input, waiting, isPresent: isPresent)) { waiting.drop() }
        return SendTask(waiting)
    }

    /// Drops an input of an absent part, and returns its work item.
    @usableFromInline
    @inline(never)
    func dropped(_ input: Input) -> Work {
        let work = Work()
        drop(.conditional(input, work, isPresent: { false }))
        return work
    }

    @inlinable
    @inline(never)
    func sendThroughQueue(_ input: Input) -> SendTask {
        let work = Work()
        if !sendThroughQueue(.input(input, work)) { work.drop() }
        return SendTask(work)
    }

    @inlinable
    func handle(_ payload: Payload) {
        switch payload {
        case .input(let input, let work), .conditional(let input, let work, _): _ = handle(input, work)
        case .subscribed(let input, _): _ = handle(input, nil)
        }
    }

    /// Returns whether an input is not processed, because it was cancelled before its turn, because the subscription that
    /// sent it has ended, or because its part is absent.
    @inlinable
    func drops(_ payload: Payload) -> Bool {
        switch payload {
        case .input(_, let work): work.isCancelled
        case .subscribed(_, let subscription): subscription.isCancelled || subscription.isFinished
        case .conditional(_, let work, let isPresent): work.isCancelled || !isPresent()
        }
    }

    @usableFromInline
    func drop(_ payload: Payload) {
        switch payload {
        case .input(_, let work):
            recordDrop(of: payload, because: .cancelled)
            work.end()
        case .subscribed:
            recordDrop(of: payload, because: .ended)
        case .conditional(_, let work, _):
            recordDrop(of: payload, because: work.isCancelled ? .cancelled : .absent)
            work.drop()
        }
    }

    @usableFromInline
    static func name(of payload: Payload, in tracer: Tracer?) -> String { tracer.text(of: payload.input) }

    @inlinable
    static func message(in payload: Payload) -> any Sendable { payload.input }

    @usableFromInline
    func source(of sender: ObjectIdentifier?) -> TraceEvent.Source { sender == nil ? .action : .observer }

    /// Performs the actions of an input.
    ///
    /// - Parameter work: The work item of the input if the input was enqueued, and otherwise `nil`.
    /// - Returns: `work` if it is not `nil`. If `work` is `nil`, returns a work item for the actions that have not
    ///   ended, or `nil` if all actions have ended.
    @inlinable
    @inline(__always)
    func handle(_ input: Input, _ work: Work?) -> Work? {
        var run = ActionRun<S, Input>(work: work)
        performActions(input, self, &run)
        guard let rest = run.rest else {
            work?.end()
            return work
        }
        return finishLater(rest, of: input, work)
    }

    /// Commits the change of an emission, begins its action, submits it to its policy, or leaves it to the task.
    ///
    /// Ignores the emission if the run is over (`isOver`). An emission with a policy is ignored only if the work was
    /// cancelled.
    @inlinable
    @inline(__always)
    func perform<Environment>(
        _ emission: Emission<Environment, S>,
        of child: ChildPlace<S>?,
        _ input: Input,
        in environment: @escaping @Sendable () -> Environment,
        as run: inout ActionRun<S, Input>
    ) {
        // Most emissions are changes, so the code that is inlined into `send` commits a change itself. `ActionRun` commits
        // or postpones a change that follows a workflow with a policy, a stream, or an action that waits.
        if case .change(let change) = emission, run.rest == nil, child == nil || core.tracer == nil {
            if run.isOver { return run.skip() }
            run.marks.insert(.hasBegun)
            commit(change, from: child)
        } else {
            run.perform(emission, of: child, input, in: environment, on: self)
        }
    }

    /// Commits a change, and then ends the work of children that the change has removed or replaced.
    @inlinable
    @inline(__always)
    func commit(_ change: State<S, Void>, from child: ChildPlace<S>?) {
        commit { state in change.run(&state) }
        if hasChildWork.load(ordering: .relaxed) { endWork(after: child) }
    }

    /// Commits the change of an action. If there is a trace, `traced` is the cause of the change, and ends with it if
    /// `isLast` is `true`.
    @inlinable
    @inline(__always)
    func commit(
        _ change: State<S, Void>, from child: ChildPlace<S>?, of traced: TracedWork?, isLast: Bool = true
    ) {
        traced.asCause { commit(change, from: child) }
        if isLast { traced?.end() }
    }

    /// Cancels all work, and removes the observers in a call that `perform(_:)` makes. The component calls this when it
    /// is deallocated.
    @usableFromInline
    func close() {
        let queues = policies.withLock { $0.take() }
        for (_, queues) in (queues ?? [:]).values { queues.close() }
        tasks.close()
        // No caller of `settled()` is waiting now, because it would retain the component.
        perform { [core] in
            core.removeObservers()
            core.tracer?.record(.closed)
        }
    }
}

extension RuntimeCore {
    /// The function that reads the state, for the environment of a component.
    @usableFromInline
    var reader: @Sendable () -> StateValue { reader(within: "`update`") }
}

extension StateDispatcher where S: Sendable, Input: Sendable {
    /// Returns a function that performs the actions of an input in an environment.
    @inlinable
    func performing(
        in environment: @escaping @Sendable () -> Environment
    ) -> ComponentRuntime<S, Input>.Perform {
        let emit = emit
        // `ComponentRuntime.handle(_:_:)` calls this closure.
        return { input, runtime, run in
            emit(input) { emission, child in runtime.perform(emission, of: child, input, in: environment, as: &run) }
        }
    }
}
