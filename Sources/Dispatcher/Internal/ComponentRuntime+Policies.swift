import ArchitectureEngine
import FunctionalCore

extension ComponentRuntime {
    /// Submits the workflow of a dispatcher with a policy, and returns its work item. The policy decides whether and
    /// when the workflow starts. Returns `nil` if the workflow belongs to a child that is absent.
    ///
    /// If the workflow waits, an emission of a child begins only for the child that is there now.
    func submit<Environment>(
        _ scoped: PolicyScoped<Environment, S>,
        of child: ChildPlace<S>?,
        _ input: Input,
        in environment: @escaping @Sendable () -> Environment
    ) -> Work? {
        if scoped.children == nil { return submit(owned: scoped, of: child, input, in: environment) }
        var claims: [Claim<S>] = []
        guard let work = submit(owned: scoped.claiming(&claims), of: child, input, in: environment) else { return nil }
        // No work starts before the turn of this input has ended. If it has a context, it waits.
        if work.context != nil {
            for claim in claims {
                claim.make(on: self)
                claim.cancelIfNotMade()
            }
            work.onFinish { [claims] in for claim in claims { claim.work.end() } }
        }
        return work
    }

    private func submit<Environment>(
        owned scoped: PolicyScoped<Environment, S>,
        of child: ChildPlace<S>?,
        _ input: Input,
        in environment: @escaping @Sendable () -> Environment
    ) -> Work? {
        var owner: WorkBag?
        if let child {
            owner = works(of: child)
            if owner == nil { return nil }
        }
        let submission = core.tracer?.submission(of: input, to: scoped.policy)
        let (work, queues) = (Work(submission), queues(of: scoped.origin, scoped.policy))
        // The wait for a clock counts.
        if scoped.policy.isTimed { work.activate(in: core.settling) }
        let number = owner?.add(work)
        queues.submit(work, for: scoped.key, in: core.currentContext) { [self, owner] work, queue, occasion in
            owner?.start(number, in: queue)
            let begin = { [self] in
                core.inContext(work.context) {
                    perform(scoped, of: child, owner, input, in: environment, as: work, of: queue)
                }
            }
            switch occasion {
            // The draining thread is processing the input, or is in the turn of the timer. So the workflow begins now.
            case .now: begin()
            case .meanwhile: perform(begin)
            case .brokenClock(let error): report(error, ofClockFor: input)
            }
        }
        return work
    }

    private func perform<Environment>(
        _ scoped: PolicyScoped<Environment, S>,
        of child: ChildPlace<S>?,
        _ owner: WorkBag?,
        _ input: Input,
        in environment: @escaping @Sendable () -> Environment,
        as work: Work,
        of queue: PolicyQueue
    ) {
        var run = ActionRun<S, Input>(work: work)
        run.isOwned = child != nil && scoped.children == nil
        if let children = scoped.children {
            for (emission, child) in zip(scoped.emissions, children) {
                run.perform(emission, of: child, input, in: environment, on: self)
            }
        } else {
            for emission in scoped.emissions { perform(emission, of: child, input, in: environment, as: &run) }
        }
        if let rest = run.rest {
            _ = finishLater(rest, of: input, work, queue, Revocation(of: scoped, owner))
        } else {
            work.end(in: queue)
        }
    }

    /// Starts the work that waits for the clock of a policy, of an id or of all; see `Component.flush()`.
    func flush(_ id: AnyKey?) {
        perform { [policies] in
            let all = policies.withLock { policies in policies?.values.sorted { $0.number < $1.number } } ?? []
            for (_, queues) in all { queues.flush(id) }
        }
    }

    private func queues(of origin: ScopeID, _ policy: Policy) -> PolicyQueues {
        policies.withLock { policies in
            if let known = policies?[origin] { return known.queues }
            let queues = PolicyQueues(policy, executor: executor) { [weak self] in self?.perform($0) }
            if let number = policies?.count { policies?[origin] = (number, queues) } else { queues.close() }
            return queues
        }
    }
}
