import FunctionalCore

/// A clock that advances only when a test advances it, so that tests do not wait.
///
/// Pass the clock to the code under test, which takes it as a parameter of type `any Clock<Duration>` or
/// `some Clock<Duration>`. Start the work, and advance the clock. Tasks that sleep on the clock wake in the order of
/// their deadlines. Tasks with the same deadline wake in the order in which they began to sleep.
///
/// ```swift
/// let clock = VirtualClock()
/// let executor = ManualExecutor()
/// let task = Task(executorPreference: executor) {
///     try await clock.sleep(for: .seconds(60))
///     return "a minute later"
/// }
/// clock.advance(by: .seconds(60), draining: executor)
/// #expect(try await task.value == "a minute later")
/// ```
///
/// The clock may be used from any thread. A sleeping task that is neither woken nor cancelled stays suspended, and is
/// never deallocated.
///
/// - Complexity: O(log n) in the number of sleeping tasks, amortized, to begin a sleep, to wake and to cancel.
public final class VirtualClock: Clock, Sendable {
    /// A point in virtual time, given by its offset from the clock's zero.
    public struct Instant: InstantProtocol, Sendable, CustomStringConvertible {
        /// The time from the clock's zero to this instant.
        public let offset: Swift.Duration

        /// Creates the instant at an offset from the clock's zero.
        public init(offset: Swift.Duration) {
            self.offset = offset
        }

        /// The instant with an offset of zero, at which a clock stands by default when it is created.
        public static let zero = Instant(offset: .zero)

        /// Returns the instant that is `duration` later.
        public func advanced(by duration: Swift.Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// Returns the duration from this instant to `other`.
        public func duration(to other: Instant) -> Swift.Duration {
            other.offset - offset
        }

        /// Returns whether `left` is earlier than `right`.
        public static func < (left: Instant, right: Instant) -> Bool {
            left.offset < right.offset
        }

        /// The offset from the clock's zero, as text.
        public var description: String { offset.description }
    }

    /// The type of the durations between two instants.
    public typealias Duration = Swift.Duration

    private struct State {
        var now: Instant
        var sleepers = SleeperQueue()
        var refusals = Refusals()
    }

    private let state: Locked<State>
    /// Notes each beginning and each cancellation of a sleep as an arrival. `nil` for a clock that belongs to no
    /// scheduler.
    private let executor: ManualExecutor?

    /// Creates a clock that stands at `now`.
    public init(now: Instant = .zero) {
        state = Locked(State(now: now))
        executor = nil
    }

    /// Creates a clock that stands at zero, for a scheduler with the given executor.
    init(for executor: ManualExecutor) {
        state = Locked(State(now: .zero))
        self.executor = executor
    }

    /// The instant at which the clock stands.
    public var now: Instant {
        state.withLock { $0.now }
    }

    /// Zero, because virtual time can advance by any duration.
    public var minimumResolution: Swift.Duration { .zero }

    /// The number of tasks that sleep on this clock. Cancelled tasks do not count.
    public var sleeperCount: Int {
        state.withLock { $0.sleepers.count }
    }

    /// The deadline of the task that wakes next, or `nil` if no task sleeps.
    public var nextDeadline: Instant? {
        state.withLock { $0.sleepers.nextDeadline() }
    }

    /// The deadlines of the tasks that sleep on this clock, and the causes of the sleeps, in the order of waking.
    ///
    /// A cause is the `TraceCause.current` of the task when it began to sleep.
    ///
    /// - Complexity: O(n log n) in the number of sleeping tasks.
    package var sleepers: [(deadline: Instant, cause: TraceCause?)] {
        state.withLock { $0.sleepers.all }
    }

    /// Information about the sleeps that failed at once, because their tasks had already been cancelled.
    package struct Refusals: Sendable {
        /// The number of these sleeps.
        package private(set) var count = 0
        /// The number of the cause of the last of these sleeps, or `nil` if that sleep has no cause in a trace.
        package private(set) var lastCause: Int?

        fileprivate mutating func add(_ cause: Int?) {
            count += 1
            lastCause = cause
        }
    }

    /// The sleeps of this clock that have thrown because their tasks had been cancelled before.
    package var refusals: Refusals { state.withLock { $0.refusals } }

    /// Suspends the task until the clock has been advanced to `deadline`.
    ///
    /// If the clock stands at the deadline or after it, or if the task was cancelled before, this method does not wait
    /// for the clock. It still suspends the task once, so that its executor runs other jobs.
    ///
    /// - Parameters:
    ///   - deadline: The instant at which the task wakes.
    ///   - tolerance: Ignored.
    /// - Throws: `CancellationError` if the task is cancelled, before or during the sleep.
    public func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
        let (isCancelled, cause) = (Task.isCancelled, TraceCause.current?.id)
        let sequence: UInt64? = state.withLock { state in
            if isCancelled { state.refusals.add(cause) }
            return isCancelled || deadline <= state.now ? nil : state.sleepers.announce()
        }
        guard let sequence else {
            // The executor runs the child task first. So a limit of jobs can stop a loop of such sleeps.
            async let nothing: Void = ()
            await nothing
            return try Task.checkCancellation()
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                suspend(sequence, until: deadline, continuation)
            }
        } onCancel: {
            state.withLock { $0.sleepers.cancel(sequence) }?.resume(throwing: CancellationError())
            executor?.noteArrival()
        }
    }

    /// Advances the clock to `instant`, and wakes the tasks whose deadlines it reaches.
    ///
    /// The clock stops at each deadline on the way. It never goes back: advancing to an earlier instant does nothing.
    ///
    /// Woken tasks resume on their own executors, usually on other threads, and this method does not wait for them. If
    /// a woken task sleeps again, the clock may already stand at `instant` when that sleep begins. The sleep then ends
    /// only after a further advance. To include such sleeps in one call, use ``advance(to:draining:)``.
    public func advance(to instant: Instant) {
        while wakeNext(dueAt: instant) != nil {}
        state.withLock { state in state.now = max(state.now, instant) }
    }

    /// Advances the clock by `duration`, and wakes the tasks whose deadlines it reaches; see ``advance(to:)``.
    ///
    /// A negative duration counts as zero, and one of more than a hundred years as a hundred years.
    public func advance(by duration: Swift.Duration) {
        advance(to: now.advanced(by: duration.limited))
    }

    /// Advances the clock to `instant`, and runs the jobs of `executor` at each deadline on the way.
    ///
    /// This method drains the executor first. It then wakes the tasks that are due by `instant`, one after another, and
    /// drains the executor after each task. A sleep that begins during this call also ends during this call, if its
    /// deadline is not after `instant`. When this method returns, no job is ready.
    ///
    /// On an executor with a seed or an order, this method makes one step after another: it runs a job that is ready,
    /// or wakes a task whose deadline has been reached. The seed or the order decides which step comes next. If the
    /// order races time, the clock may advance to the next deadline, and wake a task, while jobs are ready.
    ///
    /// All jobs run on the calling thread. This method must not be called from a job of the same executor.
    public func advance(to instant: Instant, draining executor: ManualExecutor) {
        _ = advance(to: instant, draining: executor, atMost: .max)
    }

    /// Advances the clock as ``advance(to:draining:)`` does, and stops when `limit` jobs have run.
    ///
    /// - Parameters:
    ///   - instant: The instant to advance to. If it is `nil`, the clock is advanced until no task sleeps on it.
    ///   - limit: The greatest number of jobs that run.
    /// - Returns: Whether no job is ready, and no task is due. If it is `false`, the clock stands at the last deadline
    ///   that it reached.
    package func advance(to instant: Instant?, draining executor: ManualExecutor, atMost limit: Int) -> Bool {
        executor.draining {
            var limit = limit
            while true {
                switch step(dueAt: instant, draining: executor, atMost: &limit) {
                case .made: break
                case .limited: return false
                case .impossible:
                    if let instant { state.withLock { state in state.now = max(state.now, instant) } }
                    return true
                }
            }
        }
    }

    /// Advances the clock by `duration`, and runs the jobs of `executor` at each deadline on the way; see
    /// ``advance(to:draining:)``.
    public func advance(by duration: Swift.Duration, draining executor: ManualExecutor) {
        advance(to: now.advanced(by: duration.limited), draining: executor)
    }

    /// The result of an attempt to make a step.
    enum Step {
        /// At least one job ran, or a task was woken.
        case made
        /// A step is possible, but the limit is reached.
        case limited
        /// No job is ready, and no task is due.
        case impossible
    }

    /// Runs one or more jobs of `executor`, or wakes the next sleeping task. If `instant` is not `nil`, wakes the task
    /// only if it is due at `instant`.
    ///
    /// Call it only in ``ManualExecutor/draining(_:)``. It subtracts the number of jobs that run from `limit`.
    func step(dueAt instant: Instant?, draining executor: ManualExecutor, atMost limit: inout Int) -> Step {
        func canWake(_ readyCount: Int, _ racesTime: Bool) -> Bool {
            state.withLock { state in
                guard let deadline = state.sleepers.nextDeadline() else { return false }
                if let instant, deadline > instant { return false }
                return readyCount == 0 || racesTime || deadline <= state.now
            }
        }
        guard limit > 0 else { return executor.readyCount > 0 || canWake(0, false) ? .limited : .impossible }
        let count = executor.step(atMost: limit, canWake: canWake) {
            if let nextDeadline { _ = wakeNext(dueAt: nextDeadline) }
        }
        guard let count else { return .impossible }
        limit -= count
        return .made
    }

    private func wakeNext(dueAt instant: Instant) -> Instant? {
        let next = state.withLock { state in
            let next = state.sleepers.next(dueAt: instant)
            if let next { state.now = max(state.now, next.deadline) }
            return next
        }
        next?.continuation.resume()
        return next?.deadline
    }

    private func suspend(_ sequence: UInt64, until deadline: Instant, _ continuation: SleeperQueue.Continuation) {
        let cause = TraceCause.current
        let suspension = state.withLock { state in
            state.sleepers.suspend(sequence, until: deadline, now: state.now, causedBy: cause, continuation)
        }
        switch suspension {
        case .asleep: executor?.noteArrival()
        case .due: continuation.resume()
        case .cancelled: continuation.resume(throwing: CancellationError())
        }
    }
}
