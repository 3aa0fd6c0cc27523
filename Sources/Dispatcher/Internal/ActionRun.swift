public import ArchitectureEngine
public import FunctionalCore

/// The run of the actions of one input, or of one workflow that a policy starts. It commits the changes of actions that
/// do not wait, and collects the remaining steps for a task.
@usableFromInline
struct ActionRun<S: Sendable, Input: Sendable> {
    // The work item of an enqueued input, or of a workflow with a policy. `nil` if the input is processed within
    // `send`.
    @usableFromInline let work: Work?
    @usableFromInline var rest: Rest?
    @usableFromInline var hasEnded = false

    /// The steps and the work items that continue after the run.
    @usableFromInline
    struct Rest {
        /// The steps that a task performs: the first action that waits, or the first stream, and all later emissions
        /// without a policy.
        @usableFromInline var steps: [Step] = []
        /// The work items of the workflows that were submitted to policies.
        @usableFromInline var parts: [Work] = []
    }

    /// A function that performs one step of a workflow in a task. It returns whether the next step may begin.
    @usableFromInline
    typealias Step = @Sendable (Workflow<S, Input>) async -> Bool

    @inlinable
    init(work: Work?) {
        self.work = work
    }

    /// Whether no further action may begin, because an action has failed or was cancelled, or because the work was
    /// cancelled.
    @inlinable
    var isOver: Bool { hasEnded || work?.isCancelled == true }

    /// Handles an emission of the run's input on the draining thread. What must wait becomes a step of the task.
    @inlinable
    mutating func perform<Environment>(
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
        let traced = runtime.core.tracer.flatMap { action.isPure ? nil : $0.begin(input, .action) }
        finish(traced.run { action.begin(environment, stop: work) }, traced, of: input, on: runtime)
    }

    /// Commits the change of an action that has begun, or reports its failure, unless the run is over. If the action
    /// waits, leaves the rest of it to the task.
    @inlinable
    @inline(__always)
    mutating func finish(
        _ action: Begun<State<S, Void>, any Error>,
        _ traced: TracedWork?,
        of input: Input,
        on runtime: ComponentRuntime<S, Input>
    ) {
        switch action {
        // Another thread, or the action itself, may have cancelled the work. Then the change is dropped.
        case .finished where isOver:
            traced?.cancel()
            hasEnded = true
        case .finished(.value(let change)):
            runtime.commit(change, of: traced)
        case .finished(.failure(let error)):
            runtime.report(error, input, of: traced)
            hasEnded = true
        case .finished(.cancelled):
            traced?.cancel()
            hasEnded = true
        case .waiting(let suspended):
            traced?.suspend()
            postpone { workflow in await workflow.finish(suspended, traced) }
        }
    }

    /// Submits the workflow of a dispatcher with a policy, unless the work was cancelled. The workflow continues even
    /// if an action of this run fails.
    @usableFromInline
    mutating func submit<Environment>(
        _ scoped: PolicyScoped<Environment, S>,
        of input: Input,
        in environment: @escaping @Sendable () -> Environment,
        on runtime: ComponentRuntime<S, Input>
    ) {
        if work?.isCancelled == true { return }
        let part = runtime.submit(scoped, of: input, in: environment)
        // A work item that has finished is not needed any more, unless it was cancelled, which the handle of the input
        // must report.
        if !part.isFinished || part.isCancelled { addRest { $0.parts.append(part) } }
    }

    @usableFromInline
    mutating func postpone<Environment>(
        _ emission: Emission<Environment, S>,
        _ environment: @escaping @Sendable () -> Environment
    ) {
        switch emission {
        case .change(let change): postpone { workflow in await workflow.finish(as: .value(change)) }
        case .action(let action): postpone { workflow in await workflow.perform(action, in: environment) }
        case .stream(let stream): postpone { workflow in await workflow.perform(stream, in: environment) }
        case .scoped: break
        }
    }

    @usableFromInline
    mutating func postpone(_ step: @escaping Step) {
        addRest { $0.steps.append(step) }
    }

    private mutating func addRest(_ change: (inout Rest) -> Void) {
        // `rest` is moved out of the property, so that its arrays are not copied.
        var rest = rest.take() ?? Rest()
        change(&rest)
        self.rest = rest
    }
}
