import FunctionalCore

/// A virtual clock and a manual executor that belong together. Jobs run and time passes only in calls that a test
/// makes.
///
/// ```swift
/// let scheduler = VirtualScheduler()
/// let value = try scheduler.run {
///     try await scheduler.clock.sleep(for: .seconds(3_600))
///     return "an hour later"
/// }
/// ```
///
/// A test that uses a scheduler can be a synchronous function. Such tests may run in parallel, because schedulers share
/// no state.
public struct VirtualScheduler: Sendable {
    /// The clock to pass to the code under test.
    public let clock: VirtualClock
    /// The executor that runs the code under test.
    public let executor: ManualExecutor

    /// Creates a scheduler with a new executor and a clock that stands at zero.
    ///
    /// - Parameter seed: If not `nil`, jobs run in a random order that the seed determines, as in ``ManualExecutor``.
    public init(seed: UInt64? = nil) {
        self.init(executor: ManualExecutor(seed: seed))
    }

    /// Creates a scheduler with a new executor and a clock that stands at zero.
    ///
    /// - Parameter order: The order of the steps that are possible at the same time; see ``StepOrder``.
    public init(order: StepOrder) {
        self.init(executor: ManualExecutor(order: order))
    }

    /// Creates a scheduler whose clock stands at zero, and that runs its tasks on `executor`.
    public init(executor: ManualExecutor) {
        clock = VirtualClock(for: executor)
        self.executor = executor
    }

    /// Starts a task on the executor.
    ///
    /// The task does nothing before the next `drain`, `advance` or `run`.
    @discardableResult
    public func start<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) -> Task<Value, any Error> {
        Task(executorPreference: executor, operation: body)
    }

    /// Runs jobs until none is ready, without advancing the clock.
    public func drain() {
        executor.drain()
    }

    /// Advances the clock by `duration`, and runs jobs at each deadline on the way; see
    /// ``VirtualClock/advance(to:draining:)``.
    public func advance(by duration: Duration) {
        clock.advance(by: duration, draining: executor)
    }

    /// Advances the clock to `instant`, and runs jobs at each deadline on the way; see
    /// ``VirtualClock/advance(to:draining:)``.
    public func advance(to instant: VirtualClock.Instant) {
        clock.advance(to: instant, draining: executor)
    }

    /// Runs an asynchronous function to its end on the calling thread, and advances the clock whenever no job is ready.
    ///
    /// Other tasks on the executor run as well. Those that have not ended when the function ends stay suspended. A
    /// later `advance` or `run` continues them.
    ///
    /// This method does not wait for other threads. If `body` awaits `@MainActor` code or a `Task { }`, it therefore
    /// usually throws ``Stalled``: neither runs on the executor.
    ///
    /// - Parameter body: The function to run.
    /// - Returns: The result of `body`.
    /// - Throws: The error that `body` throws. ``Stalled`` if `body` has not ended, but no job is ready and no task
    ///   sleeps on the clock. Before this method throws `Stalled`, it cancels `body` and drains the executor once.
    public func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        try run(atMost: .max, body)
    }

    /// Runs jobs until none is ready or `limit` jobs have run, without advancing the clock.
    ///
    /// - Returns: Whether no job is ready.
    package func drain(atMost limit: Int) -> Bool {
        executor.drain(atMost: limit)
    }

    /// Advances the clock as ``advance(to:)`` does, and stops when `limit` jobs have run; see
    /// ``VirtualClock/advance(to:draining:atMost:)``.
    package func advance(to instant: VirtualClock.Instant?, atMost limit: Int) -> Bool {
        clock.advance(to: instant, draining: executor, atMost: limit)
    }

    /// Runs an asynchronous function as ``run(_:)`` does, and stops when `limit` jobs have run.
    ///
    /// - Throws: As ``run(_:)`` does. ``Endless`` if `limit` jobs have run, and `body` has not ended but could
    ///   continue. `body` has been cancelled then.
    package func run<Value: Sendable>(
        atMost limit: Int, _ body: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        var rest = limit
        return try run(body) {
            switch executor.draining({ clock.step(dueAt: nil, draining: executor, atMost: &rest) }) {
            case .made: true
            case .impossible: false
            case .limited: throw Endless(limit: limit)
            }
        }
    }

    /// Starts an asynchronous function, and calls `advance` until the function has ended. If `advance` returns `false`,
    /// no step is possible, and this method throws ``Stalled``.
    private func run<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value, advance: () throws -> Bool
    ) throws -> Value {
        let result = Locked<Result<Value, any Error>?>(nil)
        let task = start {
            do {
                let value = try await body()
                result.withLock { $0 = .success(value) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
        }
        // Cancelling a task that has ended does nothing.
        defer { task.cancel() }
        repeat {
            if let result = result.withLock({ $0 }) { return try result.get() }
        } while try advance()
        task.cancel()
        executor.drain()
        throw Stalled()
    }

    /// The error that ``run(atMost:_:)`` throws if its function has not ended after the given number of jobs.
    package struct Endless: Error, CustomStringConvertible {
        /// The greatest number of jobs.
        package let limit: Int

        package var description: String { "\(limit) jobs ran, and the program has not ended." }
    }

    /// The error that ``run(_:)`` throws if its function has not ended, but no job is ready and no task sleeps.
    public struct Stalled: Error, CustomStringConvertible {
        /// The cause, and how to fix it.
        public var description: String {
            """
            The program waits for something outside virtual time: no job is ready on its executor, and no task \
            sleeps on its clock. To fix, pass it the scheduler's clock, start its tasks with Task(executorPreference:) \
            instead of Task { }, and replace services outside of the test with stubs.
            """
        }
    }
}
