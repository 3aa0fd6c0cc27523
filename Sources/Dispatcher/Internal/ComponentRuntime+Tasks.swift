import ArchitectureEngine
import FunctionalCore

extension ComponentRuntime {
    /// Starts the rest of the actions of an input, and returns their work item.
    ///
    /// - Parameters:
    ///   - work: The work item of the actions, or `nil` if they have none yet.
    ///   - queue: The queue of the policy that has started the actions, or `nil` if no policy has.
    @usableFromInline
    @inline(never)
    func finishLater(
        _ rest: ActionRun<S, Input>.Rest, of input: Input, _ work: Work?, _ queue: PolicyQueue? = nil
    ) -> Work {
        var parts = rest.parts
        if parts.isEmpty { return start(rest.steps, of: input, work ?? Work(), queue) }
        // The steps, which a task performs, are one more part of the work.
        if !rest.steps.isEmpty {
            let part = Work()
            part.context = work?.context
            parts.append(start(rest.steps, of: input, part))
        }
        if work == nil, parts.count == 1 { return parts[0] }
        let whole = work ?? Work()
        // The parts are counted, so the whole is not.
        whole.pause()
        whole.unite(parts, in: queue)
        return whole
    }

    private func start(
        _ steps: [ActionRun<S, Input>.Step], of input: Input, _ work: Work, _ queue: PolicyQueue? = nil
    ) -> Work {
        work.activate(in: core.settling)
        let workflow = Workflow(runtime: self, input: input, work: work)
        tasks.begin(work, in: core.currentContext, on: executor) {
            await workflow.run(steps)
            work.end(in: queue)
        }
        return work
    }

    /// Commits a change that a task makes, in a call that `perform(_:)` makes, and waits for this call. Does not commit
    /// the change if `work` was cancelled. Returns whether `work` may continue.
    ///
    /// - Parameter isLast: Whether the traced work ends with the change.
    func commitFromTask(
        _ change: State<S, Void>, of work: Work, _ traced: TracedWork?, isLast: Bool = true
    ) async -> Bool {
        await withCheckedContinuation { waiter in
            perform { [self] in
                if work.isCancelled { traced?.cancel() } else { commit(change, of: traced, isLast: isLast) }
                // An observer of the change may have cancelled the work.
                waiter.resume(returning: !work.isCancelled)
            }
        }
    }

    /// Reports a failure in a task, in a call that `perform(_:)` makes, and waits for this call. Does not report the
    /// failure if `work` was cancelled.
    func fail(_ error: any Error, _ input: Input, of work: Work, _ traced: TracedWork?) async {
        await withCheckedContinuation { waiter in
            perform { [self] in
                if work.isCancelled { traced?.cancel() } else { report(error, input, of: traced) }
                waiter.resume()
            }
        }
    }
}
