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
        _ rest: ActionRun<S, Input>.Rest, of input: Input, _ work: WorkItem?, _ queue: PolicyQueue? = nil
    ) -> WorkItem {
        var parts = rest.parts
        if parts.isEmpty { return start(rest.steps, of: input, work ?? WorkItem(), queue) }
        // The steps, which a task performs, are one more part of the work.
        if !rest.steps.isEmpty { parts.append(start(rest.steps, of: input, WorkItem(), nil)) }
        if work == nil, parts.count == 1 { return parts[0] }
        let whole = work ?? WorkItem()
        whole.unite(parts) { [self] whole in finish(whole, of: queue) }
        return whole
    }

    private func start(
        _ steps: [ActionRun<S, Input>.Step], of input: Input, _ work: WorkItem, _ queue: PolicyQueue?
    ) -> WorkItem {
        let finiteWork = core.settling.begin()
        let workflow = Workflow(runtime: self, input: input, work: work, finiteWork: finiteWork)
        tasks.begin(work, on: executor) { [self] in
            await workflow.run(steps)
            // In this order, because the end of the work item may start the next one in a policy queue, and callers of
            // `settled()` also wait for that one.
            finish(work, of: queue)
            finiteWork.end()
        }
        return work
    }

    private func finish(_ work: WorkItem, of queue: PolicyQueue?) {
        if let queue { queue.finish(work) } else { work.finish() }
    }

    /// Commits a change that a task makes, in a call that `perform(_:)` makes, and waits for this call. Does not commit
    /// the change if `work` was cancelled. Returns whether `work` may continue.
    ///
    /// - Parameter isLast: Whether the traced work ends with the change.
    func commitFromTask(
        _ change: State<S, Void>, of work: WorkItem, _ traced: TracedWork?, isLast: Bool = true
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
    func fail(_ error: any Error, _ input: Input, of work: WorkItem, _ traced: TracedWork?) async {
        await withCheckedContinuation { waiter in
            perform { [self] in
                if work.isCancelled { traced?.cancel() } else { report(error, input, of: traced) }
                waiter.resume()
            }
        }
    }
}
