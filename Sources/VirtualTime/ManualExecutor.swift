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
/// choices. A test over many seeds therefore tries many interleavings, and can repeat each of them.
///
/// Jobs may be enqueued from any thread. Jobs that are never drained keep their tasks alive forever.
public final class ManualExecutor: TaskExecutor, Sendable {
    private struct State {
        var jobs: [UnownedJob] = []
        /// The jobs before this index have been taken.
        var head = 0
        var isDraining = false
        /// The state of a SplitMix64 generator.
        var random: UInt64?

        /// Takes the next job, or the one at `index` among those that are ready.
        mutating func takeNext(at index: Int? = nil) -> UnownedJob? {
            guard head < jobs.count else {
                jobs.removeAll(keepingCapacity: true)
                head = 0
                return nil
            }
            if let index {
                // The other jobs keep the order in which they became ready.
                let position = head + min(max(index, 0), jobs.count - head - 1)
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

    private let state: Locked<State>

    /// Whether a seed decides which of the ready jobs runs next, instead of the order in which they became ready.
    let isSeeded: Bool

    /// Creates an executor without jobs.
    ///
    /// Without a seed, jobs run in the order in which they become ready.
    ///
    /// - Parameter seed: If not `nil`, jobs run in a random order that the seed determines.
    public init(seed: UInt64? = nil) {
        isSeeded = seed != nil
        state = Locked(State(random: seed))
    }

    /// Keeps `job` until the next ``drain()``.
    ///
    /// The Swift runtime calls this method, from any thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
    }

    /// The number of jobs that are ready to run.
    public var readyCount: Int {
        state.withLock { $0.jobs.count - $0.head }
    }

    /// Runs the ready jobs, and those that become ready meanwhile, on the calling thread until none is ready.
    ///
    /// Only one drain can run at a time, because two would not have a defined order. Calling this method from one of
    /// the executor's jobs, or from a second thread during a drain, traps with a message.
    ///
    /// - Returns: The number of jobs that ran.
    @discardableResult
    public func drain() -> Int {
        var limit = Int.max
        _ = drain(atMost: &limit)
        return Int.max - limit
    }

    /// Runs the ready jobs as ``drain()`` does, and stops when `limit` jobs have run.
    ///
    /// - Returns: Whether no job is ready.
    package func drain(atMost limit: Int) -> Bool {
        var limit = limit
        return drain(atMost: &limit)
    }

    /// Runs at most `limit` jobs, and subtracts their number from it. Returns whether no job is ready.
    func drain(atMost limit: inout Int) -> Bool {
        draining {
            while limit > 0, run({ $0.takeNext() }) { limit -= 1 }
            return limit > 0 || readyCount == 0
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
