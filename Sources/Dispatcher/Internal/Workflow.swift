import ArchitectureEngine
public import FunctionalCore

/// The part of an input's actions that a task performs, one action after the other. It begins with the first action
/// that waits, or with the first stream.
@usableFromInline
struct Workflow<S: Sendable, Input: Sendable>: Sendable {
    let runtime: ComponentRuntime<S, Input>
    let input: Input
    /// The work of the steps, or of one step that belongs to a child.
    let work: Work
    /// The work of all steps.
    let whole: Work
    /// The steps of children that were absent when the input was processed.
    let late: [Claim<S>]
    /// The changes for the case that the work of all steps is cancelled, or `nil`.
    let revocation: Revocation<S>?
    /// Whether the work of all steps has no other parts, so that it is over with the last change of the steps.
    let isWhole: Bool
    /// Whether the current step is the last one.
    var isLast = false

    func run(_ steps: [ActionRun<S, Input>.Step]) async {
        // If the first step is an action, it has already begun. It is finished even if it is cancelled, so that its
        // finalizers run.
        var mayContinue = true
        for (number, step) in steps.enumerated() {
            var workflow = self
            workflow.isLast = number == steps.count - 1
            if let child = step.child {
                mayContinue = await workflow.run(step, of: child, unless: !mayContinue)
            } else if mayContinue {
                mayContinue = await step.perform(workflow)
            }
        }
        if !isCancelled {
            conclude()
        } else if let revocation, !work.isCancelledItself, work.cancelReason != .abandoned {
            // An action sees the cancellation of the whole work before it reaches this part.
            runtime.revoke(revocation, because: .request, causedBy: TraceCause.current) {}
        }
        // The end of a child cancels only the steps of the child, but the handle of the input reports the cancellation.
        if steps.contains(where: { $0.child?.isLost == true }) { work.cancel(.abandoned) }
    }

    /// Performs a step of a child in a task of its own, so that the end of the child cancels only this step. Returns
    /// whether the next step may begin.
    private func run(
        _ step: ActionRun<S, Input>.Step, of child: Claim<S>, unless isOver: Bool
    ) async -> Bool {
        let part = child.work
        defer { part.end() }
        if isOver { return false }
        child.cancelIfNotMade()
        let workflow = Workflow(
            runtime: runtime, input: input, work: part, whole: whole, late: late, revocation: revocation,
            isWhole: isWhole, isLast: isLast)
        let mayContinue = await withTaskCancellationHandler {
            let task = Task(executorPreference: runtime.executor) { await step.perform(workflow) }
            part.onCancel { _ in task.cancel() }
            return await task.value
        } onCancel: {
            part.cancel()
        }
        return mayContinue && !work.isCancelled
    }

    /// Called when the steps commit no further change.
    func conclude() {
        if isWhole { revocation?.conclude() }
    }

    /// Whether the work was cancelled, or that of all steps.
    var isCancelled: Bool {
        work.isCancelled || whole.isCancelled || revocation?.isRevoked == true
    }

    /// Whether the next step may begin after a step whose work was cancelled: only if this is the work of a child's step.
    private var continuesWhenCancelled: Bool { work !== whole && work.isCancelled }

    /// Performs an action, unless the work was cancelled. Returns whether the next action may begin.
    func perform<Environment>(
        _ action: EnvIO<Environment, any Error, State<S, Void>>, in environment: @Sendable () -> Environment,
        from child: ChildPlace<S>?
    ) async -> Bool {
        if work.isCancelled { return continuesWhenCancelled }
        let traced = action.isPure ? nil : begin()
        return await traced.runAsync {
            // This does the same as `outcome(_:)`, but also records the suspension in the trace.
            switch action.begin(environment, stop: work, isInTask: true) {
            case .finished(let outcome): return await finish(as: outcome, traced, from: child)
            case .waiting(let suspended):
                traced?.suspend()
                return await finish(as: suspended.finish(), traced, from: child)
            }
        }
    }

    /// Finishes an action that began before the task. Returns whether the next action may begin.
    @usableFromInline
    func finish(
        _ action: SuspendedRun<State<S, Void>, any Error>, _ traced: TracedWork?, from child: ChildPlace<S>?
    ) async -> Bool {
        await traced.runAsync { await finish(as: action.finish(), traced, from: child) }
    }

    /// Commits the change of an action, or reports its failure. Returns whether the next action may begin.
    @usableFromInline
    func finish(
        as outcome: Outcome<State<S, Void>, any Error>, _ traced: TracedWork? = nil, from child: ChildPlace<S>?
    ) async -> Bool {
        switch outcome {
        case .value(let change):
            if await runtime.commitFromTask(change, from: child, in: self, traced) { return true }
        case .failure(let error):
            if await runtime.fail(error, in: self, traced) { return false }
        case .cancelled:
            traced?.cancel()
        }
        return continuesWhenCancelled
    }

    /// Commits the changes of a stream, one after the other, and reports its failure. Returns whether the next action
    /// may begin.
    func perform<Environment>(
        _ stream: EnvIO<Environment, any Error, ChangeStream<S>>, in environment: @Sendable () -> Environment,
        from child: ChildPlace<S>?
    ) async -> Bool {
        if work.isCancelled { return continuesWhenCancelled }
        let traced = begin()
        return await traced.runAsync {
            traced?.suspend()
            let hasSucceeded = await commitAll(of: stream.outcome(environment()), traced, from: child)
            // Neither call has an effect if a failure has ended the traced work.
            if hasSucceeded != true || work.isCancelled { traced?.cancel() } else { traced?.end() }
            return hasSucceeded ?? continuesWhenCancelled
        }
    }

    /// Returns whether the stream has ended without a failure, or `nil` if it was cancelled.
    private func commitAll(
        of stream: Outcome<ChangeStream<S>, any Error>, _ traced: TracedWork?, from child: ChildPlace<S>?
    ) async -> Bool? {
        switch stream {
        case .value(let changes):
            // A stream may never end.
            whole.pause()
            defer { whole.activate(in: runtime.core.settling) }
            do {
                while let change = try await changes.next() {
                    guard
                        await runtime.commitFromTask(change, from: child, in: self, traced, isLast: false)
                    else { return nil }
                }
                return true
            } catch {
                return await runtime.fail(error, in: self, traced) ? false : nil
            }
        case .failure(let error):
            return await runtime.fail(error, in: self, traced) ? false : nil
        case .cancelled: return nil
        }
    }

    /// Records in the trace that an action or a stream begins in the task. Returns `nil` if there is no trace.
    private func begin() -> TracedWork? { runtime.core.tracer?.begin(input, .action) }
}
