public import ArchitectureEngine
public import FunctionalCore

/// The run of one input's actions. It commits the changes of actions that do not wait, and collects the rest for a task.
@usableFromInline
struct ActionRun<S: Sendable, Input: Sendable> {
    // `nil` until it is needed: the input was enqueued, or its actions wait.
    @usableFromInline var work: WorkItem?
    @usableFromInline var rest: Rest?
    @usableFromInline var hasEnded = false

    /// The work that continues after the run.
    @usableFromInline
    struct Rest {
        /// The first action that waits and all later ones, except those with a policy. A task performs them.
        @usableFromInline var steps: [Step] = []
        /// The work of dispatchers with a policy.
        @usableFromInline var parts: [WorkItem] = []
    }

    /// A step of a workflow in a task. Returns whether the next step may begin.
    @usableFromInline
    typealias Step = @Sendable (Workflow<S, Input>) async -> Bool

    @inlinable
    init(work: WorkItem?) {
        self.work = work
    }

    /// Commits the change of an emission, performs its action, or leaves it to the task.
    @inlinable
    @inline(__always)
    mutating func take<Environment>(
        _ emission: Emission<Environment, S>,
        of input: Input,
        in environment: @escaping @Sendable () -> Environment,
        on runtime: ComponentRuntime<S, Input>
    ) {
        if case .change(let change) = emission, rest == nil {
            if !isOver { runtime.commit(change) }
        } else {
            begin(emission, of: input, in: environment, on: runtime)
        }
    }

    /// Whether no later action may begin.
    @inlinable
    var isOver: Bool { hasEnded || work?.isCancelled == true }

    @inlinable
    mutating func begin<Environment>(
        _ emission: Emission<Environment, S>,
        of input: Input,
        in environment: @escaping @Sendable () -> Environment,
        on runtime: ComponentRuntime<S, Input>
    ) {
        if case .scoped(let scoped) = emission { return submit(scoped, of: input, in: environment, on: runtime) }
        if isOver { return }
        if let rest, !rest.steps.isEmpty { return postpone(emission, environment) }
        switch emission {
        case .change(let change):
            runtime.commit(change)
        case .action(let action):
            begin(action, of: input, in: environment, on: runtime)
        case .stream, .scoped:
            postpone(emission, environment)
        }
    }

    @inlinable
    mutating func begin<Environment>(
        _ action: EnvIO<Environment, any Error, State<S, Void>>,
        of input: Input,
        in environment: @escaping @Sendable () -> Environment,
        on runtime: ComponentRuntime<S, Input>
    ) {
        switch action.begin(environment, stop: work) {
        case .finished(.value(let change)):
            // Another thread, or the action itself, may have cancelled the work. Then the change is dropped.
            if !isOver { runtime.commit(change) }
        case .finished(.failure(let error)):
            if !isOver { runtime.report(error, input) }
            hasEnded = true
        case .finished(.cancelled):
            hasEnded = true
        case .waiting(let suspended):
            postpone { workflow in await workflow.end(as: suspended.finish()) }
        }
    }

    /// Submits the workflow of a dispatcher with a policy. A failure of this run does not end it.
    @usableFromInline
    mutating func submit<Environment>(
        _ scoped: PolicyScoped<Environment, S>,
        of input: Input,
        in environment: @escaping @Sendable () -> Environment,
        on runtime: ComponentRuntime<S, Input>
    ) {
        if work?.isCancelled == true { return }
        let part = runtime.submit(scoped, of: input, in: environment)
        // Work that has ended needs no handle, unless the handle has to report the cancellation.
        if !part.isFinished || part.isCancelled { leave { $0.parts.append(part) } }
    }

    @usableFromInline
    mutating func postpone<Environment>(
        _ emission: Emission<Environment, S>,
        _ environment: @escaping @Sendable () -> Environment
    ) {
        switch emission {
        case .change(let change): postpone { workflow in await workflow.end(as: .value(change)) }
        case .action(let action): postpone { workflow in await workflow.end(as: action.outcome(environment())) }
        case .stream(let stream): postpone { workflow in await workflow.take(stream.outcome(environment())) }
        case .scoped: break
        }
    }

    @usableFromInline
    mutating func postpone(_ step: @escaping Step) {
        leave { $0.steps.append(step) }
    }

    private mutating func leave(_ body: (inout Rest) -> Void) {
        var left = rest.take() ?? Rest()
        body(&left)
        rest = left
    }
}
