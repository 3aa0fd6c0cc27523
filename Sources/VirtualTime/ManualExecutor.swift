/// A task executor that runs nothing by itself: jobs wait until `drain()` runs them on the caller's thread.
///
/// Start the work under test with `Task(executorPreference:)`. Its child tasks, task groups, nonisolated `async`
/// functions and the actors it calls follow it, so that between two drains nothing moves, and every run has the same
/// order.
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
/// What leaves the executor: tasks made by a plain `Task { }` or `Task.detached`, which do not inherit the preference,
/// `@MainActor` code, and actors with an executor of their own. What a callback from elsewhere resumes comes back and
/// waits for the next `drain`.
///
/// With a seed, the next job is picked at random among those that are ready, the same way in every run with that seed:
/// a test over many seeds tries many interleavings and can repeat each.
///
/// Jobs may be enqueued from any thread. Jobs that are never drained keep their tasks alive for ever.
public final class ManualExecutor: TaskExecutor, Sendable {
    private struct State {
        var jobs: [UnownedJob] = []
        /// The jobs before this index have been taken.
        var head = 0
        var isDraining = false
        /// The state of a SplitMix64 generator.
        var random: UInt64?
        /// Which of so many ready jobs is next.
        var choose: (@Sendable (Int) -> Int)?

        /// Takes the next job, or the one at `index` among those that are ready.
        mutating func takeNext(at index: Int? = nil) -> UnownedJob? {
            guard head < jobs.count else {
                jobs.removeAll(keepingCapacity: true)
                head = 0
                return nil
            }
            if let chosen = index ?? choose?(jobs.count - head) {
                // The others stay in the order in which they became ready.
                let position = head + min(max(chosen, 0), jobs.count - head - 1)
                jobs.insert(jobs.remove(at: position), at: head)
            } else if random != nil {
                jobs.swapAt(head, head + nextRandom(below: jobs.count - head))
            }
            head += 1
            let job = jobs[head - 1]
            if head > 1_000 && head > jobs.count / 2 {
                jobs.removeFirst(head)
                head = 0
            }
            return job
        }

        private mutating func nextRandom(below bound: Int) -> Int {
            let position = (random ?? 0) &+ 0x9E37_79B9_7F4A_7C15
            random = position
            var mixed = position
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            mixed ^= mixed >> 31
            return Int(truncatingIfNeeded: mixed.multipliedFullWidth(by: UInt64(bound)).high)
        }
    }

    private let state: Lock<State>

    /// Whether which of the ready jobs is next is decided by something else than when they became ready.
    let isSeeded: Bool

    /// An executor that runs jobs in the order they become ready or, with a seed, in an order that follows from it.
    public init(seed: UInt64? = nil) {
        isSeeded = seed != nil
        state = Lock(State(random: seed))
    }

    /// An executor on which `choose` says which of the ready jobs is next, by an index among so many; 0 is the one that
    /// became ready first. For tests that write down an order and repeat it.
    ///
    /// `choose` is called while the executor is locked: it must not come back to it.
    public init(choosing choose: @escaping @Sendable (_ readyCount: Int) -> Int) {
        isSeeded = true
        state = Lock(State(choose: choose))
    }

    /// Keeps `job` until ``drain()``. Called by the runtime, from any thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
    }

    /// How many jobs are ready.
    public var readyCount: Int {
        state.withLock { $0.jobs.count - $0.head }
    }

    /// Runs what is ready, and what becomes ready meanwhile, on the calling thread, until nothing is.
    ///
    /// One drain at a time: called from inside one of its jobs, or from a second thread meanwhile, it stops the process
    /// with a message, since the order would no longer be one.
    ///
    /// - Returns: how many jobs ran.
    @discardableResult
    public func drain() -> Int {
        draining {
            var count = 0
            while run({ $0.takeNext() }) { count += 1 }
            return count
        }
    }

    /// Runs the job at `index` among those that are ready, in the order in which they became ready.
    func runJob(at index: Int) {
        draining { _ = run { $0.takeNext(at: index) } }
    }

    private func run(_ take: (inout State) -> UnownedJob?) -> Bool {
        guard let job = state.withLock({ take(&$0) }) else { return false }
        job.runSynchronously(on: asUnownedTaskExecutor())
        return true
    }

    private func draining<Result>(_ body: () -> Result) -> Result {
        let isNested = state.withLock { state in
            defer { state.isDraining = true }
            return state.isDraining
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
        defer { state.withLock { $0.isDraining = false } }
        return body()
    }
}
