/// A clock and an executor that belong together: a world in which nothing moves unless the test says so.
///
/// ```swift
/// let scheduler = VirtualScheduler()
/// let value = try scheduler.run {
///     try await scheduler.clock.sleep(for: .seconds(3_600))
///     return "an hour later"
/// }
/// ```
///
/// A test that uses it can be a plain function, without `async`; tests may run in parallel, as nothing is global.
public struct VirtualScheduler: Sendable {
    /// The clock to hand to the code under test.
    public let clock: VirtualClock
    /// The executor that the code under test runs on.
    public let executor: ManualExecutor

    /// A scheduler at time zero with nothing to do. The seed is that of `ManualExecutor`.
    public init(seed: UInt64? = nil) {
        clock = VirtualClock()
        executor = ManualExecutor(seed: seed)
    }

    /// A scheduler at time zero that runs its tasks on `executor`.
    public init(executor: ManualExecutor) {
        clock = VirtualClock()
        self.executor = executor
    }

    /// Starts a task on the executor. It does nothing before the next `drain`, `advance` or `run`.
    @discardableResult
    public func start<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) -> Task<Value, any Error> {
        Task(executorPreference: executor, operation: body)
    }

    /// Runs what is ready until nothing is; time stands still.
    public func drain() {
        executor.drain()
    }

    /// Lets `duration` pass, stopping at each sleeper; see `VirtualClock.advance(to:draining:)`.
    public func advance(by duration: Duration) {
        clock.advance(by: duration, draining: executor)
    }

    /// Lets time pass until `instant`, stopping at each sleeper; see `VirtualClock.advance(to:draining:)`.
    public func advance(to instant: VirtualClock.Instant) {
        clock.advance(to: instant, draining: executor)
    }

    /// Runs an asynchronous program to its end on the calling thread, letting as much time pass as it sleeps.
    ///
    /// Other tasks on the executor move along; those that outlast the program stay where they are.
    ///
    /// - Throws: what the program throws, or `Stalled` when it waits for something that is neither a job nor a sleeper
    ///   here; it is then cancelled, once.
    public func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        try run(body) { executor.drain() > 0 || clock.wakeNext(dueAt: nil, draining: executor) }
    }

    /// Runs an asynchronous program to its end on the calling thread, and lets `choose` decide about each step.
    ///
    /// A step is a job that is ready or, if a task sleeps, the advance of the clock to the next deadline, also while jobs
    /// are ready. Where several steps are possible, `choose` is called with their count and returns the index of one:
    /// first come the jobs, in the order in which they became ready, then the advance. When the program has ended,
    /// the jobs that are ready are run.
    ///
    /// - Throws: As ``run(_:)`` does.
    package func run<Value: Sendable>(
        choosing choose: (_ stepCount: Int) -> Int, _ body: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        defer { executor.drain() }
        return try run(body) {
            let readyCount = executor.readyCount
            let stepCount = readyCount + (clock.sleeperCount > 0 ? 1 : 0)
            guard stepCount > 0 else { return false }
            let step = stepCount == 1 ? 0 : choose(stepCount)
            if step < readyCount { executor.runJob(at: step) } else { clock.wakeNext() }
            return true
        }
    }

    /// Runs a program until it has ended or `advance` returns false: nothing could be done.
    private func run<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value, advance: () -> Bool
    ) throws -> Value {
        let result = Lock<Result<Value, any Error>?>(nil)
        let task = start {
            do {
                let value = try await body()
                result.withLock { $0 = .success(value) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
        }
        repeat {
            if let result = result.withLock({ $0 }) { return try result.get() }
        } while advance()
        task.cancel()
        executor.drain()
        throw Stalled()
    }

    /// A program given to `run` waited for something outside virtual time, so that no advance would have ended it.
    public struct Stalled: Error, CustomStringConvertible {
        /// What happened, and how to mend it.
        public var description: String {
            """
            The program waits for something outside virtual time: nothing is ready on its executor and nobody sleeps on \
            its clock. To fix, hand it the scheduler's clock, start its tasks with Task(executorPreference:) instead of \
            Task { }, and replace what answers from elsewhere by a stub.
            """
        }
    }
}
