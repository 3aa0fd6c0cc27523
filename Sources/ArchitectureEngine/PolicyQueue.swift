package import FunctionalCore

/// A queue of work items that a policy starts, cancels or drops. Thread-safe.
///
/// A `PolicyState` makes the decisions, under the lock. The queue passes the time to it, performs its instructions
/// outside of the lock, and runs its timers. No thread waits for another thread.
@usableFromInline
package final class PolicyQueue: Sendable {
    /// A function that starts a work item. If the clock for which the work item waits throws, the function is called
    /// with `.brokenClock` instead, and reports the error: the work item never starts.
    package typealias Start = @Sendable (Work, PolicyQueue, Occasion) -> Void
    typealias State = PolicyState<Start>

    /// The reason for a call of a start function.
    package enum Occasion {
        /// The work item starts within the call that submits it, or in the turn of its timer.
        case now
        /// The work item starts within a call that concerns another work item.
        case meanwhile
        /// The work item never starts, because the clock has thrown this error.
        case brokenClock(any Error)
    }

    /// A function that calls its argument in a turn of the queue's owner. During a turn, the owner processes nothing
    /// else.
    package typealias Turn = @Sendable (@escaping () -> Void) -> Void

    private struct Fields {
        var state: State
        /// The threads that start work items in the loop of `perform(_:)`. Not recorded under `concurrent`, where any
        /// thread may start work items.
        var startingThreads: [UInt] = []
    }

    private let policy: Policy.Kind
    private let executor: (any TaskExecutor)?
    private let inTurn: Turn
    private let fields: Locked<Fields>

    /// Creates a queue without work items. Deallocating the queue closes it.
    ///
    /// - Parameters:
    ///   - policy: The policy that decides when work items start.
    ///   - executor: The executor of the tasks that wait for the clock.
    ///   - inTurn: The function that the task calls after its wait, to start a work item in the owner's turn. If the
    ///     owner also submits work items only in its turns, no work item can be submitted between the decision to start
    ///     a work item and its start. By default, the task starts the work item directly.
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

    /// Submits a new work, and returns it. Calls `start` when the policy starts the work: on this thread before this
    /// function returns, or later, or never. A later call has the carried values of the work's context.
    /// `context` returns this context, that of the message that is being processed. It is called if the work waits.
    ///
    /// A work that never starts is cancelled and ended. If the
    /// reason is an error of the clock, `start` is called with the error first. The caller must end each work that was
    /// started; see `Work.end(_:in:)`. For a queue of a `PolicyQueues`, call `submit(_:for:_:)` of the `PolicyQueues`
    /// instead.
    @discardableResult
    package func submit(
        _ work: Work = Work(), in context: @autoclosure () -> SendContext = SendContext(), _ start: @escaping Start
    ) -> Work {
        let now = policy.elapsed
        perform(accept(work, in: context, start, at: now), submitting: work)
        return work
    }

    /// Calls `body`, which delivers a result of `work`, unless `work` was cancelled or replaced. The argument of `body`
    /// is the flag for a result that waits; see `PolicyState.beginDelivery(_:)`.
    ///
    /// Call this function between the start and the finish of `work`. While `body` runs, the queue starts no work item
    /// that replaces `work` or waits for it. The calling thread starts such a work item after `body` returns. If this
    /// thread is calling a start function, it starts the work item after that function returns. `body` may use the
    /// queue. Loops and effects deliver events and values with this function. Components do not need it, because their
    /// work items start and commit on the draining thread.
    package func deliver(_ work: Work, _ body: (Cancellation) -> Void) {
        guard let generation = fields.withLock({ $0.state.beginDelivery(work) }) else { return }
        body(generation)
        if policy.isExclusive { handle { state in state.endDelivery() } }
    }

    /// Finishes a work item that has started. `Work.end(_:in:)` calls this.
    func finish(_ work: Work) {
        handle { state in state.finish(work) }
    }

    /// Makes the place of a cancelled work item free, before its end.
    func release(_ work: Work) {
        handle { state in state.release(work) }
    }

    /// Whether no work item is running or waiting.
    package var isIdle: Bool { fields.withLock { $0.state.isIdle } }

    /// Starts the work item that waits for the clock, if there is one: at once, or when the running work item of an
    /// exclusive policy has ended. Must be called in a turn of the owner; see `init(_:executor:inTurn:)`.
    package func flush() {
        let now = policy.elapsed
        perform(decide { state, _ in state.flush(at: now) }, inTurn: true)
    }

    /// Cancels the running work items. Drops the waiting work items, and all work items that are submitted later.
    ///
    /// If another thread is about to start a work item, the work item may still start. In this case it is cancelled
    /// already.
    package func close() {
        handle { state in state.close() }
    }

    // MARK: - For collections of queues

    /// Submits a work item. The caller passes the result to `perform(_:submitting:inTurn:)`, outside of its own lock.
    func accept(
        _ work: Work, in context: () -> SendContext, _ start: @escaping Start, at now: Duration
    ) -> State.Instructions {
        decide { state, mayStart in
            let instructions = state.submit(work, start, at: now, mayStart: mayStart)
            if let number = instructions.waiting {
                // Both are set under the lock, before another thread can start the work item, which may replace the
                // closure. It is not called here, because no other thread can cancel the work item yet.
                work.context = context()
                work.onCancel { [weak self] _ in self?.handle { state in state.cancel(number) } }
            }
            return instructions
        }
    }

    /// Returns whether this queue behaves like a new queue from `now` on.
    func isLikeNew(at now: Duration) -> Bool { fields.withLock { $0.state.isLikeNew(at: now) } }

    /// Performs instructions. If they start a work item, then starts further work items until none can start. Under the
    /// policy `concurrent`, starts no further work items, because none wait.
    ///
    /// - Parameters:
    ///   - submitted: The work item that the caller is submitting, or `nil`.
    ///   - isTurn: Whether the caller is in the turn of a timer.
    func perform(
        _ instructions: State.Instructions, submitting submitted: Work? = nil, inTurn isTurn: Bool = false
    ) {
        if instructions.waiting != nil, let submission = submitted?.submission {
            submission.record(instructions.delay == .zero ? .waits : .delayed, delay: instructions.delay, in: self)
        }
        for work in instructions.replaced {
            if !work.isCancelled { work.submission?.record(.replaced) }
            work.cancel(.replaced)
        }
        for work in instructions.cancelled { work.cancel() }
        for entry in instructions.dropped {
            entry.work.submission?.record(.dropped)
            entry.work.drop()
        }
        instructions.finished?.finish()
        if let (timer, deadline) = instructions.timer { run(timer, until: deadline, for: submitted) }
        var next = instructions.start
        while let entry = next {
            // The work item may have been cancelled since the decision to start it.
            if entry.work.isCancelled {
                entry.work.submission?.record(.dropped)
                entry.work.end(in: self)
            } else {
                let isSubmitted = entry.work === submitted
                let occasion = isTurn || isSubmitted ? Occasion.now : .meanwhile
                // The values of a work that is being submitted are bound already.
                let values = isSubmitted ? nil : entry.work.context?.values
                values.bind { entry.work.submission.start { entry.start(entry.work, self, occasion) } }
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

    /// Calls `event` with the state and with whether this thread may start a work item now. Returns the instructions,
    /// including the work item that this thread must start next.
    ///
    /// A thread that is calling a start function may not start a work item, because that would be a recursion. Under a
    /// policy with a limit, other threads may: a start that blocks must not keep works from free places. Under
    /// `throttle`, no thread may start a work item while any thread is calling a start function. Otherwise work items
    /// could start in another order than the policy decided, because they do not wait for each other. Under
    /// `concurrent`, every thread may start a work item.
    private func decide(_ event: (inout State, _ mayStart: Bool) -> State.Instructions) -> State.Instructions {
        fields.withLock { fields in
            let mayStart =
                policy.limit != nil
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

    /// Returns the next work item that this thread must start. If there is none, records that this thread is no longer
    /// calling start functions, and returns `nil`.
    private static func nextStart(_ fields: inout Fields) -> State.Entry? {
        if let entry = fields.state.next() { return entry }
        fields.startingThreads.removeAll { $0 == CurrentThread.identity }
        return nil
    }

    /// Starts a task that waits for the deadline, without retaining the queue. After the wait, the queue handles the
    /// timer in a turn of the owner, which may begin later. The task has the context of `work`, if there is one.
    private func run(_ timer: Work, until deadline: Duration, for work: Work?) {
        guard let clock = policy.clock else { return }
        let queue = ObjectIdentifier(self)
        timer.startTask(in: work?.context ?? SendContext(), on: executor) { [weak self] in
            do {
                try await clock.sleep(until: deadline, queue: queue)
                self?.inTurn { [weak self] in self?.fire(timer, at: clock.elapsed()) }
            } catch {
                self?.inTurn { [weak self] in self?.fail(timer, error) }
            }
        }
    }

    private func fire(_ timer: Work, at now: Duration) {
        perform(decide { state, _ in state.fire(timer, at: now) }, inTurn: true)
    }

    private func fail(_ timer: Work, _ error: any Error) {
        guard let instructions = fields.withLock({ $0.state.fail(timer) }) else { return }
        // The error is reported before the work items are finished, so that a caller that waits for their end waits for
        // the report, too.
        for entry in instructions.dropped where !entry.work.isCancelled {
            entry.start(entry.work, self, .brokenClock(error))
        }
        perform(instructions)
    }
}
