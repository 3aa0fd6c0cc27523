import ArchitectureEngine
import FunctionalCore

extension ComponentRuntime {
    /// Submits the workflow of a dispatcher with a policy, and returns its work item. The policy decides whether and
    /// when the workflow starts.
    func submit<Environment>(
        _ scoped: PolicyScoped<Environment, S>,
        of input: Input,
        in environment: @escaping @Sendable () -> Environment
    ) -> WorkItem {
        // This finite work ends when the clock of the policy starts the workflow. It also ends when the policy drops
        // the workflow, because the policy then releases the closure below.
        let delay = scoped.policy.isTimed ? core.settling.begin() : nil
        let submission = core.tracer?.submission(of: input, to: scoped.policy)
        return queues(of: scoped.origin, scoped.policy).submit(for: scoped.key, traced: submission) {
            [self] work, queue, occasion in
            let begin = { [self] in
                self.perform(scoped.emissions, of: input, in: environment, as: work, of: queue)
                delay?.end()
            }
            switch occasion {
            // The draining thread is processing the input, or is in the turn of the timer. So the workflow begins now.
            case .now: begin()
            case .meanwhile: perform(begin)
            case .brokenClock(let error): report(error, ofClockFor: input)
            }
        }
    }

    private func perform<Environment>(
        _ emissions: [Emission<Environment, S>],
        of input: Input,
        in environment: @escaping @Sendable () -> Environment,
        as work: WorkItem,
        of queue: PolicyQueue
    ) {
        var run = ActionRun<S, Input>(work: work)
        for emission in emissions { perform(emission, of: input, in: environment, as: &run) }
        if let rest = run.rest { _ = finishLater(rest, of: input, work, queue) } else { queue.finish(work) }
    }

    private func queues(of origin: ScopeID, _ policy: Policy) -> PolicyQueues {
        policies.withLock { policies in
            if let queues = policies?[origin] { return queues }
            let queues = PolicyQueues(policy, executor: executor) { [weak self] in self?.perform($0) }
            if policies == nil { queues.close() } else { policies?[origin] = queues }
            return queues
        }
    }
}
