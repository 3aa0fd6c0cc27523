import ArchitectureEngine
import FunctionalCore

extension ComponentRuntime {
    /// Starts the rest of the actions of an input, and returns their work item.
    ///
    /// - Parameters:
    ///   - work: The work item of the actions, or `nil` if they have none yet.
    ///   - queue: The queue of the policy that has started the actions, or `nil` if no policy has.
    ///   - revocation: What is done when the actions are cancelled.
    @usableFromInline
    @inline(never)
    func finishLater(
        _ rest: ActionRun<S, Input>.Rest, of input: Input, _ work: Work?, _ queue: PolicyQueue? = nil,
        _ revocation: Revocation<S>? = nil
    ) -> Work {
        var parts = rest.parts
        if parts.isEmpty, revocation == nil { return start(rest, of: input, work ?? Work(), queue) }
        var running: Work?
        // The steps, which a task performs, are one more part of the work.
        if !rest.steps.isEmpty {
            let part = Work()
            parts.append(start(rest, of: input, part, nil, revocation))
            running = part
        }
        if work == nil, parts.count == 1 { return parts[0] }
        let whole = work ?? Work()
        // The parts are counted, so the whole is not.
        whole.pause()
        let cause = revocation == nil ? nil : TraceCause.current
        whole.unite(parts, in: queue) { [self, running] cancelParts in
            // The end of the child may have cancelled the steps before.
            let wasRunning = running?.isCancelled == false
            cancelParts()
            if let revocation, wasRunning { revoke(revocation, causedBy: cause) }
        }
        return whole
    }

    private func start(
        _ rest: ActionRun<S, Input>.Rest, of input: Input, _ work: Work, _ queue: PolicyQueue? = nil,
        _ revocation: Revocation<S>? = nil
    ) -> Work {
        work.activate(in: core.settling)
        var (steps, late) = (rest.steps, [Claim<S>]())
        if rest.hasChildSteps { late = steps.compactMap { $0.child }.filter { $0.works == nil } }
        let workflow = Workflow(
            runtime: self, input: input, work: work, whole: work, late: late, revocation: revocation)
        // If all steps belong to one child, so does the whole work.
        if rest.hasChildSteps, let works = steps.first?.child?.works, steps.allSatisfy({ $0.child?.works === works }) {
            let number = works.add(work)
            if let queue { works.start(number, in: queue) }
            steps = steps.map { step in
                step.child?.work.end()
                return ActionRun<S, Input>.Step(perform: step.perform, child: nil)
            }
        }
        tasks.begin(work, in: core.currentContext, on: executor) { [steps] in
            await workflow.run(steps)
            work.end(in: queue)
        }
        return work
    }

    /// Commits a change that a task makes, in a call that `perform(_:)` makes, and waits for this call. Does not commit
    /// the change if `work` was cancelled. Returns whether `work` may continue.
    ///
    /// - Parameters:
    ///   - isLast: Whether the traced work ends with the change.
    ///   - late: The steps that may begin if the change makes their child present.
    ///   - revocation: What is done when the work is cancelled, if the work ends with the change.
    func commitFromTask(
        _ change: State<S, Void>, from child: ChildPlace<S>?, of work: Work, _ traced: TracedWork?,
        isLast: Bool = true, before late: [Claim<S>], concluding revocation: Revocation<S>?
    ) async -> Bool {
        await withCheckedContinuation { waiter in
            perform { [self] in
                if work.isCancelled {
                    traced?.cancel()
                } else {
                    // Another input may have made a child present.
                    revocation?.conclude()
                    let absent = late.filter { !contains($0) }
                    commit(change, from: child, of: traced, isLast: isLast)
                    for claim in absent { claim.make(on: self) }
                }
                // An observer of the change may have cancelled the work.
                waiter.resume(returning: !work.isCancelled)
            }
        }
    }

    /// Reports a failure in a task, in a call that `perform(_:)` makes, and waits for this call. Does not report the
    /// failure if `work` was cancelled. Returns whether it was reported.
    func fail(
        _ error: any Error, _ input: Input, of work: Work, _ traced: TracedWork?, concluding revocation: Revocation<S>?
    ) async -> Bool {
        await withCheckedContinuation { waiter in
            perform { [self] in
                let isReported = !work.isCancelled
                if isReported {
                    revocation?.conclude()
                    report(error, input, of: traced)
                } else {
                    traced?.cancel()
                }
                waiter.resume(returning: isReported)
            }
        }
    }
}
