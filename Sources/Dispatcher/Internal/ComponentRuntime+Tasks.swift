import ArchitectureEngine
import FunctionalCore

extension ComponentRuntime {
    /// Starts the rest of the actions of an input, and returns their work item.
    ///
    /// - Parameters:
    ///   - work: The work item of the actions, or `nil` if they have none yet.
    ///   - queue: The queue of the policy that has started the actions, or `nil` if no policy has.
    ///   - revocation: The changes for the case that the actions are cancelled, or `nil`.
    @usableFromInline
    @inline(never)
    func finishLater(
        _ rest: ActionRun<S, Input>.Rest, of input: Input, _ work: Work?, _ queue: PolicyQueue? = nil,
        _ revocation: Revocation<S>? = nil
    ) -> Work {
        var parts = rest.parts
        if parts.isEmpty, revocation == nil { return start(rest, of: input, work ?? Work(), queue) }
        // The steps, which a task performs, are one more part of the work.
        if !rest.steps.isEmpty {
            parts.append(start(rest, of: input, Work(nil, within: work), nil, revocation, isWhole: parts.isEmpty))
        }
        if work == nil, parts.count == 1 { return parts[0] }
        let whole = work ?? Work()
        // The parts are counted, so the whole is not.
        whole.pause()
        guard let revocation else {
            whole.unite(parts, in: queue)
            return whole
        }
        let cause = TraceCause.current
        whole.unite(parts, in: queue) { [self, parts] reason, cancelParts in
            let isRunning = parts.contains { !$0.isCancelledItself && !$0.isFinished }
            if reason == .abandoned || !isRunning { return cancelParts() }
            revoke(revocation, because: reason, causedBy: cause, cancelParts)
        }
        whole.onFinish { revocation.endClaim() }
        return whole
    }

    private func start(
        _ rest: ActionRun<S, Input>.Rest, of input: Input, _ work: Work, _ queue: PolicyQueue? = nil,
        _ revocation: Revocation<S>? = nil, isWhole: Bool = true
    ) -> Work {
        work.activate(in: core.settling)
        var steps = rest.steps
        let claims = rest.hasChildSteps ? steps.compactMap { $0.child } : []
        let late = claims.filter { $0.works == nil }
        let workflow = Workflow(
            runtime: self, input: input, work: work, whole: work, late: late, revocation: revocation,
            isWhole: isWhole)
        if claims.count < steps.count {
            // Some steps belong to no child.
        } else if let works = claims.first?.works, claims.allSatisfy({ $0.works === works }) {
            // All steps belong to one child, and so does the work.
            let number = works.add(work)
            if let queue { works.start(number, in: queue) }
            steps = steps.map { step in
                step.child?.work.end()
                return ActionRun<S, Input>.Step(perform: step.perform, child: nil)
            }
        } else {
            work.end(with: claims.map(\.work), in: queue)
        }
        tasks.begin(work, in: core.currentContext, on: executor) { [steps] in
            await workflow.run(steps)
            work.end(in: queue)
        }
        return work
    }

    /// Commits a change that a task makes, in a call that `perform(_:)` makes, and waits for this call. Does not commit
    /// the change if the work of the workflow was cancelled. Returns whether the workflow may continue.
    ///
    /// - Parameter isLast: Whether the traced work ends with the change.
    func commitFromTask(
        _ change: State<S, Void>, from child: ChildPlace<S>?, in workflow: Workflow<S, Input>, _ traced: TracedWork?,
        isLast: Bool = true
    ) async -> Bool {
        await withCheckedContinuation { waiter in
            perform { [self] in
                if workflow.isCancelled {
                    traced?.cancel()
                } else {
                    if isLast, workflow.isLast { workflow.conclude() }
                    // Another input may have made a child present.
                    let absent = workflow.late.filter { !contains($0) }
                    commit(change, from: child, of: traced, isLast: isLast)
                    for claim in absent { claim.make(on: self) }
                }
                // An observer of the change may have cancelled the work.
                waiter.resume(returning: !workflow.isCancelled)
            }
        }
    }

    /// Reports a failure in a task, in a call that `perform(_:)` makes, and waits for this call. Does not report the
    /// failure if the work of the workflow was cancelled. Returns whether it was reported.
    func fail(_ error: any Error, in workflow: Workflow<S, Input>, _ traced: TracedWork?) async -> Bool {
        await withCheckedContinuation { waiter in
            perform { [self] in
                let isReported = !workflow.isCancelled
                if isReported {
                    workflow.conclude()
                    report(error, workflow.input, of: traced)
                } else {
                    traced?.cancel()
                }
                waiter.resume(returning: isReported)
            }
        }
    }
}
