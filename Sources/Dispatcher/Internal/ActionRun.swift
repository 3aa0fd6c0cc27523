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
    @usableFromInline var marks: RunMarks = []

    /// The steps and the work items that continue after the run.
    @usableFromInline
    struct Rest {
        /// The steps that a task performs: the first action that waits, or the first stream, and all later emissions
        /// without a policy.
        @usableFromInline var steps: [Step] = []
        /// Whether a step belongs to a child.
        var hasChildSteps = false
        /// The work items of the workflows that were submitted to policies.
        @usableFromInline var parts: [Work] = []
    }

    /// One step of a workflow, which a task performs.
    @usableFromInline
    struct Step: Sendable {
        /// Performs the step. Returns whether the next step may begin.
        let perform: @Sendable (Workflow<S, Input>) async -> Bool
        /// The child that the step belongs to, or `nil` if it belongs to none.
        let child: Claim<S>?
    }

    @inlinable
    init(work: Work?) {
        self.work = work
    }

    /// Whether no further action may begin, because an action has failed or was cancelled, or because the work was
    /// cancelled.
    @inlinable
    var isOver: Bool { marks.contains(.hasEnded) || work?.isCancelled == true }

    /// Handles an emission of the run's input on the draining thread. What must wait becomes a step of the task.
    @inlinable
    mutating func perform<Environment>(
        _ emission: Emission<Environment, S>,
        of child: ChildPlace<S>?,
        _ input: Input,
        in environment: @escaping @Sendable () -> Environment,
        on runtime: ComponentRuntime<S, Input>
    ) {
        if let child, child.hasEnded { return }
        if case .scoped(let scoped) = emission {
            return submit(scoped, of: child, input, in: environment, on: runtime)
        }
        if isOver { return skip() }
        if let rest, !rest.steps.isEmpty { return postpone(emission, of: child, environment, on: runtime) }
        switch emission {
        case .change(let change):
            if let child, runtime.core.tracer != nil { _ = reaches(child, by: input, on: runtime) }
            marks.insert(.hasBegun)
            runtime.commit(change, from: child)
        case .action(let action):
            // The change of a pure action has no effect on an absent child. So it is looked for only to record this.
            let mustFind = !action.isPure || runtime.core.tracer != nil
            if let child, mustFind, !reaches(child, by: input, on: runtime), !action.isPure { return }
            begin(action, of: child, input, in: environment, on: runtime)
        case .stream, .scoped:
            if let child, !reaches(child, by: input, on: runtime) { return }
            postpone(emission, of: child, environment, on: runtime)
        }
    }

    /// Records that an action is ignored, unless that follows from a failure.
    @usableFromInline
    mutating func skip() {
        if !marks.contains(.hasEnded) { marks.insert(.hasSkipped) }
    }

    /// Whether the state contains a child. Records in the trace, once for each input, that it does not.
    @usableFromInline
    mutating func reaches(_ child: ChildPlace<S>, by input: Input, on runtime: ComponentRuntime<S, Input>) -> Bool {
        if runtime.contains(child) { return true }
        if !marks.contains(.hasMissed) { runtime.core.tracer?.recordDrop(of: input, because: .absent) }
        marks.insert(.hasMissed)
        return false
    }

    @inlinable
    mutating func begin<Environment>(
        _ action: EnvIO<Environment, any Error, State<S, Void>>,
        of child: ChildPlace<S>?,
        _ input: Input,
        in environment: @escaping @Sendable () -> Environment,
        on runtime: ComponentRuntime<S, Input>
    ) {
        let traced = runtime.core.tracer.flatMap { action.isPure ? nil : $0.begin(input, .action) }
        finish(traced.run { action.begin(environment, stop: work) }, traced, of: child, input, on: runtime)
    }

    /// Commits the change of an action that has begun, or reports its failure, unless the run is over. If the action
    /// waits, leaves the rest of it to the task.
    @inlinable
    @inline(__always)
    mutating func finish(
        _ action: Begun<State<S, Void>, any Error>,
        _ traced: TracedWork?,
        of child: ChildPlace<S>?,
        _ input: Input,
        on runtime: ComponentRuntime<S, Input>
    ) {
        switch action {
        // Another thread, or the action itself, may have cancelled the work. Then the change is dropped.
        case .finished where isOver:
            traced?.cancel()
            skip()
            marks.insert(.hasEnded)
        case .finished(.value(let change)):
            marks.insert(.hasBegun)
            runtime.commit(change, from: child, of: traced)
        case .finished(.failure(let error)):
            runtime.report(error, input, of: traced)
            marks.insert(.hasEnded)
        case .finished(.cancelled):
            traced?.cancel()
            if work?.isCancelled == true { skip() }
            marks.insert(.hasEnded)
        case .waiting(let suspended):
            traced?.suspend()
            postpone(of: child, on: runtime) { workflow in await workflow.finish(suspended, traced, from: child) }
        }
    }

    /// Submits the workflow of a dispatcher with a policy, unless the work was cancelled. The workflow continues even
    /// if an action of this run fails.
    @usableFromInline
    mutating func submit<Environment>(
        _ scoped: PolicyScoped<Environment, S>,
        of child: ChildPlace<S>?,
        _ input: Input,
        in environment: @escaping @Sendable () -> Environment,
        on runtime: ComponentRuntime<S, Input>
    ) {
        if work?.isCancelled == true { return skip() }
        let part =
            if child == nil, scoped.children == nil {
                runtime.submit(scoped, of: nil, claims: nil, input, in: environment, within: work)
            } else {
                runtime.submitOfChild(scoped, of: child, input, in: environment, within: work)
            }
        guard let part else {
            if let child { _ = reaches(child, by: input, on: runtime) }
            return
        }
        // A work item that has finished is not needed any more, unless it was cancelled, which the handle of the input
        // must report.
        if !part.isFinished || part.isCancelled { addRest { $0.parts.append(part) } }
    }

    @usableFromInline
    mutating func postpone<Environment>(
        _ emission: Emission<Environment, S>,
        of child: ChildPlace<S>?,
        _ environment: @escaping @Sendable () -> Environment,
        on runtime: ComponentRuntime<S, Input>
    ) {
        switch emission {
        case .change(let change):
            postpone(of: child, on: runtime) { workflow in await workflow.finish(as: .value(change), from: child) }
        case .action(let action):
            postpone(of: child, on: runtime) { workflow in
                await workflow.perform(action, in: environment, from: child)
            }
        case .stream(let stream):
            postpone(of: child, on: runtime) { workflow in
                await workflow.perform(stream, in: environment, from: child)
            }
        case .scoped: break
        }
    }

    /// Leaves a step to the task.
    @usableFromInline
    mutating func postpone(
        of child: ChildPlace<S>?, on runtime: ComponentRuntime<S, Input>,
        _ step: @escaping @Sendable (Workflow<S, Input>) async -> Bool
    ) {
        marks.insert(.hasBegun)
        guard let child else { return addRest { $0.steps.append(Step(perform: step, child: nil)) } }
        let claim = Claim(to: child, runtime.works(of: child))
        addRest { rest in
            rest.steps.append(Step(perform: step, child: claim))
            rest.hasChildSteps = true
        }
    }

    /// Adds works that are parts of the work.
    mutating func addParts(_ parts: [Work]) {
        if !parts.isEmpty { addRest { $0.parts += parts } }
    }

    private mutating func addRest(_ change: (inout Rest) -> Void) {
        // `rest` is moved out of the property, so that its arrays are not copied.
        var rest = rest.take() ?? Rest()
        change(&rest)
        self.rest = rest
    }
}

/// The events of a run. A set, because most runs have none, and one byte is set up faster than several properties.
@usableFromInline
struct RunMarks: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt8

    @inlinable
    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// An action has failed or was cancelled.
    @inlinable static var hasEnded: RunMarks { RunMarks(rawValue: 1) }
    /// The trace contains that a child of the input was absent.
    @inlinable static var hasMissed: RunMarks { RunMarks(rawValue: 2) }
    /// An action has made a change or waits, apart from those of workflows with a policy.
    @inlinable static var hasBegun: RunMarks { RunMarks(rawValue: 4) }
    /// An action was ignored, because the work was cancelled.
    @inlinable static var hasSkipped: RunMarks { RunMarks(rawValue: 8) }
}
