package import FunctionalCore

/// Starts works as a policy says. Thread-safe.
///
/// A `PolicyState` decides under the lock. The queue passes it the time, performs its instructions outside of the lock,
/// and runs its timers. No thread waits for another one.
package final class PolicyQueue: Sendable {
    /// Starts a work, or receives the error of the clock for which the work has waited.
    package typealias Start = @Sendable (WorkItem, PolicyQueue, Occasion) -> Void
    typealias State = PolicyState<Start>

    /// Why a start is called.
    package enum Occasion {
        /// The work starts within the call that submits it, or in the turn of its timer.
        case now
        /// The work starts within a call that concerns another work.
        case meanwhile
        /// The work never starts, because the clock has thrown this error.
        case brokenClock(any Error)
    }

    /// Calls its argument in a turn of the queue's owner, in which the owner processes nothing else.
    package typealias Turn = @Sendable (@escaping () -> Void) -> Void

    private struct Fields {
        var state: State
        /// The threads that are calling a start. Each of them starts what can start afterwards, in a loop.
        var startingThreads: [UInt] = []
    }

    private let policy: Policy.Kind
    private let executor: (any TaskExecutor)?
    private let inTurn: Turn
    private let fields: Locked<Fields>

    /// Creates a queue without works. Deallocating it closes it.
    ///
    /// - Parameters:
    ///   - policy: Decides when works start.
    ///   - executor: The executor of the tasks that wait for the clock.
    ///   - inTurn: Called by such a task when it has waited. If the owner submits works in its turns, too, none is
    ///     submitted between the decision that a work starts and the start. By default, the task calls the start.
    package init(_ policy: Policy, executor: (any TaskExecutor)? = nil, inTurn: @escaping Turn = { $0() }) {
        self.policy = policy.kind
        self.executor = executor
        self.inTurn = inTurn
        fields = Locked(Fields(state: State(policy.kind)))
    }

    deinit {
        close()
    }

    // MARK: - Works

    /// Submits a work, and calls `start` with it when the policy starts the work: on this thread before this function
    /// returns, or later, or never.
    ///
    /// A work that never starts is cancelled and finished. If the reason is an error of the clock, `start` is called
    /// with the error first. A started work ends with `finish(_:)`, also if it was cancelled. `start` uses the queue that
    /// it is passed: a captured queue would be kept alive by its waiting works. To submit to a queue of a `PolicyQueues`,
    /// call its `submit(for:traced:_:)`.
    @discardableResult
    package func submit(traced submission: TracedSubmission? = nil, _ start: @escaping Start) -> WorkItem {
        let work = WorkItem(submission)
        let now = policy.elapsed
        perform(accept(work, start, at: now), submitting: work)
        return work
    }

    /// Calls `body` unless `work` was cancelled or replaced. Returns whether it was called.
    ///
    /// Call this between the start and the finish of the work. While `body` runs, no work starts that replaces `work`,
    /// or that waits for it. The calling thread starts that work afterwards: after `body`, or after the start that it
    /// is calling. `body` may use the queue. Loops and effects deliver events and values by this function. Components
    /// do not need it, because their works start and commit on the draining thread.
    @discardableResult
    package func deliver(_ work: WorkItem, _ body: () -> Void) -> Bool {
        let begins = policy.isExclusive ? fields.withLock { $0.state.beginDelivery(work) } : !work.isCancelled
        guard begins else { return false }
        body()
        if policy.isExclusive { handle { state in state.endDelivery() } }
        return true
    }

    /// Finishes a work that has started: it has ended, has failed, or has finished unwinding.
    package func finish(_ work: WorkItem) {
        handle { state in state.finish(work) }
    }

    /// Whether no work runs or waits.
    package var isIdle: Bool { fields.withLock { $0.state.isIdle } }

    /// Cancels the running works, and drops those that wait or are submitted later.
    ///
    /// Another thread that is about to start a work may still do so. That work is cancelled.
    package func close() {
        handle { state in state.close() }
    }

    // MARK: - For collections of queues

    /// Submits a work. The caller passes the result to `perform(_:submitting:)`, outside of its own lock.
    func accept(_ work: WorkItem, _ start: @escaping Start, at now: Duration) -> State.Instructions {
        decide { state, mayStart in
            let instructions = state.submit(work, start, at: now, mayStart: mayStart)
            if let number = instructions.waiting {
                // Under the lock, because the start of the work may replace this closure. It is not called here,
                // because no other thread has the work yet.
                work.onCancel { [weak self] _ in self?.handle { state in state.cancel(number) } }
            }
            return instructions
        }
    }

    /// Whether a new queue would behave as this one does from `now` on.
    func isLikeNew(at now: Duration) -> Bool { fields.withLock { $0.state.isLikeNew(at: now) } }

    /// Performs instructions, and starts works until no other one can start. Under the policy `concurrent`, no work waits
    /// for the start of another one.
    ///
    /// - Parameters:
    ///   - submitted: The work that the caller is submitting.
    ///   - isTurn: Whether the caller is in the turn of a timer.
    func perform(
        _ instructions: State.Instructions, submitting submitted: WorkItem? = nil, inTurn isTurn: Bool = false
    ) {
        if instructions.waiting != nil, let submission = submitted?.submission {
            submission.record(policy.clock == nil ? .waits : .delayed, delay: instructions.delay, in: self)
        }
        for work in instructions.replaced {
            if !work.isCancelled { work.submission?.record(.replaced) }
            work.cancel()
        }
        for work in instructions.cancelled { work.cancel() }
        for entry in instructions.dropped {
            entry.work.submission?.record(.dropped)
            entry.work.drop()
        }
        instructions.finished?.finish()
        if let (timer, deadline) = instructions.timer { run(timer, until: deadline) }
        var next = instructions.start
        while let entry = next {
            // It may have been cancelled since the decision.
            if entry.work.isCancelled {
                entry.work.submission?.record(.dropped)
                finish(entry.work)
            } else {
                let occasion = isTurn || entry.work === submitted ? Occasion.now : .meanwhile
                entry.work.submission.start { entry.start(entry.work, self, occasion) }
            }
            next = policy.isConcurrent ? nil : fields.withLock(Self.nextStart)
        }
    }
}

// MARK: - Events

extension PolicyQueue {
    private func handle(_ event: (inout State) -> State.Instructions) {
        perform(decide { state, _ in event(&state) })
    }

    /// Passes an event to the state, and whether this thread may start a work now. It may not while it calls a start:
    /// that would be a recursion. Under `throttle`, it may not while any thread calls a start: works that neither wait
    /// for each other nor replace each other would otherwise start in another order than was decided.
    private func decide(_ event: (inout State, _ mayStart: Bool) -> State.Instructions) -> State.Instructions {
        fields.withLock { fields in
            let mayStart =
                policy.isExclusive
                ? !fields.startingThreads.contains(CurrentThread.identity)
                : policy.isConcurrent || fields.startingThreads.isEmpty
            var instructions = event(&fields.state, mayStart)
            if mayStart, instructions.start == nil { instructions.start = fields.state.next() }
            if !policy.isConcurrent, instructions.start != nil {
                fields.startingThreads.append(CurrentThread.identity)
            }
            return instructions
        }
    }

    /// Returns the work that this thread starts after another one. If there is none, the thread has left the loop.
    private static func nextStart(_ fields: inout Fields) -> State.Entry? {
        if let entry = fields.state.next() { return entry }
        fields.startingThreads.removeAll { $0 == CurrentThread.identity }
        return nil
    }

    /// Waits for the deadline in a task that does not retain the queue. What follows is decided in turn, which may be
    /// later.
    private func run(_ timer: WorkItem, until deadline: Duration) {
        guard let clock = policy.clock else { return }
        let queue = ObjectIdentifier(self)
        timer.attach(
            Task(executorPreference: executor) { [weak self] in
                do {
                    try await clock.sleep(until: deadline, queue: queue)
                    self?.inTurn { [weak self] in self?.fire(timer, at: clock.elapsed()) }
                } catch {
                    self?.inTurn { [weak self] in self?.fail(timer, error) }
                }
            })
    }

    private func fire(_ timer: WorkItem, at now: Duration) {
        perform(decide { state, _ in state.fire(timer, at: now) }, inTurn: true)
    }

    private func fail(_ timer: WorkItem, _ error: any Error) {
        guard let instructions = fields.withLock({ $0.state.fail(timer) }) else { return }
        // The error comes first, so that a caller that waits for the end of the work waits for the report, too.
        for entry in instructions.dropped where !entry.work.isCancelled {
            entry.start(entry.work, self, .brokenClock(error))
        }
        perform(instructions)
    }
}
