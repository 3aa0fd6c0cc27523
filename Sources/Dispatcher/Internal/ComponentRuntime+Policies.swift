import ArchitectureEngine
import FunctionalCore

extension ComponentRuntime {
    /// Submits the workflow of a dispatcher with a policy, and returns its work item. The policy decides whether and
    /// when the workflow starts. Returns `nil` if the workflow belongs to a child that is absent.
    ///
    /// - Parameter claims: The claims of the delayed workflow around this one, or `nil`.
    func submit<Environment>(
        _ scoped: PolicyScoped<Environment, S>,
        of child: ChildPlace<S>?,
        _ input: Input,
        in environment: @escaping @Sendable () -> Environment,
        _ claims: Claims?
    ) -> Work? {
        var works: WorkBag?
        if let child {
            works = self.works(of: child)
            if works == nil { return nil }
        }
        let submission = core.tracer?.submission(of: input, to: scoped.policy)
        let (work, queues) = (Work(submission), queues(of: scoped.origin, scoped.policy))
        // The wait for a clock counts.
        if scoped.policy.isTimed { work.activate(in: core.settling) }
        let number = works?.add(work)
        let ownClaims = scoped.isMixed && claims == nil ? Locked<Claims?>(nil) : nil
        queues.submit(work, for: scoped.key, in: core.currentContext) { [self, works] work, queue, occasion in
            works?.start(number, in: queue)
            let begin = { [self] in
                let claims = (claims ?? ownClaims?.withLock { $0 })?.atStart()
                core.inContext(work.context) {
                    perform(scoped.emissions, of: input, in: environment, as: work, of: queue, claims)
                }
            }
            switch occasion {
            // The draining thread is processing the input, or is in the turn of the timer. So the workflow begins now.
            case .now: begin()
            case .meanwhile: perform(begin)
            case .brokenClock(let error): report(error, ofClockFor: input)
            }
        }
        // The work waits. No work starts before the turn of this input has ended.
        if let ownClaims, work.context != nil {
            let new = self.claims(of: scoped, for: work)
            ownClaims.withLock { $0 = new }
        }
        return work
    }

    private func perform<Environment>(
        _ emissions: [Emission<Environment, S>],
        of input: Input,
        in environment: @escaping @Sendable () -> Environment,
        as work: Work,
        of queue: PolicyQueue,
        _ claims: Claims?
    ) {
        var run = ActionRun<S, Input>(work: work)
        run.claims = claims
        for emission in emissions { perform(emission, of: input, in: environment, as: &run) }
        if let rest = run.rest { _ = finishLater(rest, of: input, work, queue) } else { work.end(in: queue) }
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
