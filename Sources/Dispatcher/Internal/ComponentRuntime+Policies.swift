import ArchitectureEngine
import FunctionalCore

extension ComponentRuntime {
    /// Submits a workflow that belongs to a child, or whose actions do; see `submit`. Returns `nil` if the workflow belongs
    /// to a child that is absent.
    ///
    /// If the workflow waits, an action begins only if the child that was in its place has not ended meanwhile, and no
    /// other child has come there.
    func submitOfChild<Environment>(
        _ scoped: PolicyScoped<Environment, S>,
        of child: ChildPlace<S>?,
        _ input: Input,
        in environment: @escaping @Sendable () -> Environment,
        within outer: Work?
    ) -> Work? {
        if let child, !contains(child) { return nil }
        let whole = child.map { Claim(to: $0) }
        var claims = whole.map { [$0] } ?? []
        let scoped = scoped.claiming(&claims)
        let work = submit(scoped, of: child, claims: claims, input, in: environment, within: outer)
        // No work starts before the turn of this input has ended. If it has a context, it waits.
        if work.context != nil {
            for claim in claims { claim.make(on: self) }
            whole?.work.onCancel { [weak work] _ in work?.cancel(.abandoned) }
            work.onFinish { [claims] in for claim in claims { claim.work.end() } }
        }
        return work
    }

    /// Submits the workflow of a dispatcher with a policy, and returns its work item. The policy decides whether and
    /// when the workflow starts.
    ///
    /// - Parameters:
    ///   - claims: The claims to the children of a workflow that waits, or `nil` if it has none.
    ///   - outer: The work item of the actions around the workflow, or `nil`.
    func submit<Environment>(
        _ scoped: PolicyScoped<Environment, S>,
        of child: ChildPlace<S>?,
        claims: [Claim<S>]?,
        _ input: Input,
        in environment: @escaping @Sendable () -> Environment,
        within outer: Work?
    ) -> Work {
        let submission = core.tracer?.submission(of: input, to: scoped.policy)
        let (work, queues) = (Work(submission, within: outer), queues(of: scoped.origin, scoped.policy))
        // The wait for a clock counts.
        if scoped.policy.isTimed { work.activate(in: core.settling) }
        makePendingChanges()
        queues.submit(work, for: scoped.key, in: core.currentContext) { [self] work, queue, occasion in
            let begin = { [self] in
                core.inContext(work.context) {
                    perform(scoped, of: child, claims, input, in: environment, as: work, of: queue)
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
        _ claims: [Claim<S>]?,
        _ input: Input,
        in environment: @escaping @Sendable () -> Environment,
        as work: Work,
        of queue: PolicyQueue
    ) {
        if let claims, work.context != nil { for claim in claims { claim.endWait(on: self) } }
        var run = ActionRun<S, Input>(work: work)
        if let children = scoped.children {
            for (emission, child) in zip(scoped.emissions, children) {
                run.perform(emission, of: child, input, in: environment, on: self)
            }
        } else {
            for emission in scoped.emissions { perform(emission, of: child, input, in: environment, as: &run) }
        }
        end(&run, of: scoped, child, claims, input, work, queue)
    }

    // Not a part of `perform`, whose frames are nested as deeply as policies are.
    private func end<Environment>(
        _ run: inout ActionRun<S, Input>, of scoped: PolicyScoped<Environment, S>, _ child: ChildPlace<S>?,
        _ claims: [Claim<S>]?, _ input: Input, _ work: Work, _ queue: PolicyQueue
    ) {
        var revocation: Revocation<S>?
        if scoped.cancelling != nil, run.marks.contains(.hasBegun) {
            revocation = Revocation(of: scoped, for: child.map { Claim(to: $0, works(of: $0)) })
        }
        // The work was cancelled between its actions.
        if let revocation, run.marks.contains(.hasSkipped), work.cancelReason != .abandoned {
            revoke(revocation, because: .replaced, causedBy: TraceCause.current) {}
        }
        // The handle of the input reports the actions that have ended with their child.
        if let claims { run.addParts(claims.filter(\.isLost).map(\.work)) }
        if let rest = run.rest {
            _ = finishLater(rest, of: input, work, queue, revocation)
        } else {
            revocation?.conclude()
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
