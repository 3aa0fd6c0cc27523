import FunctionalCore

/// A task executor that keeps its jobs until `drain()` runs them on the thread of the caller.
///
/// Start the work under test with `Task(executorPreference:)`. The executor runs this task, its child tasks and its
/// task groups. It also runs the nonisolated `async` functions and the actors that these tasks call. So nothing happens
/// between two drains, and every run has the same order.
///
/// ```swift
/// let executor = ManualExecutor()
/// let log = Log()
/// Task(executorPreference: executor) { log.append("ran") }
/// #expect(log.lines == [])
/// executor.drain()
/// #expect(log.lines == ["ran"])
/// ```
///
/// Some code does not run on the executor:
///
/// - Tasks created with `Task { }` or `Task.detached`. They do not inherit the executor preference.
/// - `@MainActor` code.
/// - Actors with an executor of their own.
///
/// If a callback from another thread resumes a task of the executor, the job is enqueued and runs in the next
/// `drain()`.
///
/// With a seed, the executor chooses the next job at random among the ready jobs. Runs with the same seed make the same
/// choices. A test over many seeds therefore tries many interleavings, and can repeat each of them. With a
/// ``StepOrder``, the choices are those of the order.
///
/// Jobs may be enqueued from any thread. Jobs that are never drained keep their tasks alive.
public final class ManualExecutor: TaskExecutor, Sendable {
    private enum Job {
        case job(UnownedJob)
        /// A function that creates a task, whose first job runs as a part of this job.
        case start(@Sendable () -> Void)
    }

    private struct State {
        /// The jobs. Those before `head` have been taken, and are `nil`.
        var jobs: [Job?] = []
        var head = 0
        /// The identity of the thread that drains the executor, or 0 if no thread drains it.
        var drainer: UInt = 0
        /// Whether the draining thread is creating a task.
        var isStarting = false
        /// The first job of the task that the draining thread has created.
        var started: UnownedJob?
        /// Whether the drain has run a job.
        var hasRunJob = false
        var arrivalCount = 0
        var wasInterrupted = false
        /// The waits that the next arrival ends, or the end of a drain that has run a job.
        var waiters: [OneShot<Void>] = []
        var choices: StepChoices

        var readyCount: Int { jobs.count - head }

        /// Removes and returns the ready job that the next choice selects, or returns `nil` if no job is ready.
        mutating func takeNext() -> Job? {
            readyCount > 0 ? take(at: choices.next(of: readyCount)) : nil
        }

        /// Removes and returns the ready job at `index`. The other jobs keep the order in which they became ready,
        /// unless choices are random. A random choice takes constant time.
        mutating func take(at index: Int) -> Job? {
            hasRunJob = true
            if choices.isRandom {
                jobs.swapAt(head, head + index)
            } else if index > 0 {
                jobs.replaceSubrange(head...head + index, with: [jobs[head + index]] + jobs[head..<head + index])
            }
            // The array no longer retains the job, which may retain the executor.
            let job = jobs[head].take()
            head += 1
            if head == jobs.count || head > 1_000 && head > jobs.count / 2 {
                jobs.removeFirst(head)
                head = 0
            }
            return job
        }
    }

    private let state: Locked<State>

    /// Creates an executor without jobs.
    ///
    /// Without a seed, jobs run in the order in which they become ready.
    ///
    /// - Parameter seed: If not `nil`, jobs run in a random order that the seed determines.
    public init(seed: UInt64? = nil) {
        state = Locked(State(choices: StepChoices(seed: seed)))
    }

    /// Creates an executor without jobs. If several jobs are ready, the choices of `order` determine which one runs
    /// next.
    ///
    /// - Complexity: O(n) for each job that runs before the last choice of the order, in the number of ready jobs.
    public init(order: StepOrder) {
        state = Locked(State(choices: StepChoices(order)))
    }

    /// Makes all further choices according to `order`, beginning with its first choice.
    package func follow(_ order: StepOrder) {
        state.withLock { $0.choices = StepChoices(order) }
    }

    /// Keeps `job` until the next ``drain()``.
    ///
    /// The Swift runtime calls this method, from any thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isStarted = state.withLock { state in
            guard state.isStarting, state.drainer == CurrentThread.identity else { return false }
            (state.isStarting, state.started) = (false, job)
            return true
        }
        if !isStarted { noteArrival { $0.jobs.append(.job(job)) } }
    }

    /// The number of jobs that are ready to run.
    public var readyCount: Int {
        state.withLock { $0.readyCount }
    }

    /// Runs the ready jobs, and those that become ready meanwhile, on the calling thread until none is ready.
    ///
    /// Only one drain can run at a time, because two would not have a defined order. Calling this method from one of
    /// the executor's jobs, or from a second thread during a drain, traps with a message.
    ///
    /// - Returns: The number of jobs that ran.
    @discardableResult
    public func drain() -> Int {
        draining { runJobs(atMost: .max) }
    }

    /// Runs the ready jobs as ``drain()`` does, and stops when `limit` jobs have run.
    ///
    /// - Returns: Whether no job is ready.
    package func drain(atMost limit: Int) -> Bool {
        draining { runJobs(atMost: limit) < limit || readyCount == 0 }
    }

    /// Whether a thread is draining the executor, so that another drain would trap.
    package var isDraining: Bool { state.withLock { $0.drainer != 0 } }

    /// Calls `body`, which may run jobs. Traps if the calling job, or another thread, is draining the executor.
    func draining<Result>(_ body: () throws -> Result) rethrows -> Result {
        let thread = CurrentThread.identity
        let isNested = state.withLock { state in
            if state.drainer != 0 { return true }
            state.drainer = thread
            return false
        }
        guard !isNested else {
            fatalError(
                """
                ManualExecutor.drain() was called while another drain of the same executor was running, from inside one \
                of its jobs or from a second thread. To fix, drain from the test's own function, outside the tasks \
                that run on the executor.
                """
            )
        }
        defer { endDrain() }
        return try body()
    }

    /// Ends a drain. If it has run jobs, all waits end: events on the draining thread are not arrivals, but a test in
    /// another task may wait for one of them. The number of arrivals does not change, because what a statement drains
    /// has happened before the statement looks.
    private func endDrain() {
        let waiters: [OneShot<Void>] = state.withLock { state in
            state.drainer = 0
            guard state.hasRunJob else { return [] }
            state.hasRunJob = false
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.complete(()) }
    }
}

// MARK: - Steps

/// Call these methods only in ``ManualExecutor/draining(_:)``.
extension ManualExecutor {
    /// Runs at most `limit` jobs, until none is ready. Returns their number.
    func runJobs(atMost limit: Int) -> Int {
        var count = 0
        while count < limit, let job = state.withLock({ $0.takeNext() }) {
            run(job)
            count += 1
        }
        return count
    }

    private func run(_ job: Job) {
        let first: UnownedJob?
        switch job {
        case .job(let job): first = job
        case .start(let start):
            state.withLock { $0.isStarting = true }
            start()
            first = state.withLock { state in
                state.isStarting = false
                return state.started.take()
            }
        }
        // Unchecked: the caller retains the executor, and each job is taken once.
        if let first { unsafe first.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Makes one step: runs a job, or calls `wake` to wake a task. Returns the number of jobs that ran, or `nil` if no
    /// step is possible.
    ///
    /// If no choice is left, more than one job may run, up to `limit`.
    ///
    /// - Parameters:
    ///   - canWake: Returns whether `wake` is possible. `racesTime` is that of the executor's ``StepOrder``.
    func step(
        atMost limit: Int, canWake: (_ readyCount: Int, _ racesTime: Bool) -> Bool, wake: () -> Void
    ) -> Int? {
        let (readyCount, racesTime, isFirst) = state.withLock { state in
            (state.readyCount, state.choices.racesTime, state.choices.isOver)
        }
        if isFirst, readyCount > 0 { return runJobs(atMost: limit) }
        let count = readyCount + (canWake(readyCount, racesTime) ? 1 : 0)
        guard count > 0 else { return nil }
        let job: Job? = state.withLock { state in
            let index = state.choices.next(of: count)
            return index < readyCount ? state.take(at: index) : nil
        }
        guard let job else {
            wake()
            return 0
        }
        run(job)
        return 1
    }
}

// MARK: - Arrivals

/// An arrival is a job that becomes ready, or another event for which a test may wait, such as a message. Events on the
/// draining thread are not arrivals. Their waits end with the drain.
extension ManualExecutor: HandDrainedExecutor {
    package func enqueueStart(_ start: @escaping @Sendable () -> Void) {
        noteArrival { $0.jobs.append(.start(start)) }
    }

    /// The number of arrivals so far.
    package var arrivalCount: Int { state.withLock { $0.arrivalCount } }

    /// Notes an arrival, unless the calling thread drains the executor. Call this method when the event can be
    /// observed.
    package func noteArrival() {
        noteArrival { _ in }
    }

    private func noteArrival(_ change: (inout State) -> Void) {
        let thread = CurrentThread.identity
        let waiters: [OneShot<Void>] = state.withLock { state in
            change(&state)
            if thread == state.drainer { return [] }
            state.arrivalCount += 1
            if state.drainer != 0 { state.wasInterrupted = true }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.complete(()) }
    }

    /// Suspends until there have been more than `count` arrivals, until a drain has run a job, or until the task is
    /// cancelled.
    ///
    /// The method runs in the isolation of the caller. While it is suspended, other code in this isolation can run.
    package nonisolated(nonsending) func arrival(after count: Int) async {
        let waiter = OneShot<Void>()
        state.withLock { state in
            if state.arrivalCount > count { waiter.complete(()) } else { state.waiters.append(waiter) }
        }
        await withTaskCancellationHandler {
            await waiter.wait()
        } onCancel: {
            waiter.complete(())
        }
    }

    /// Returns whether there was an arrival during a drain since the last call.
    package func takeInterruption() -> Bool {
        state.withLock { state in
            defer { state.wasInterrupted = false }
            return state.wasInterrupted
        }
    }
}
