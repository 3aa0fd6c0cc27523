/// A clock that stands still until it is advanced: programs that wait are tested without waiting.
///
/// Give it to the code under test wherever that takes `any Clock<Duration>`, start the work, then advance. Sleepers
/// wake in the order of their deadlines and, among equal deadlines, in the order in which they began to sleep.
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
/// Safe to use from any thread. To sleep, to wake and to cancel cost the logarithm of the number of sleepers.
public final class VirtualClock: Clock, Sendable {
    /// A point in virtual time: how long after the clock's zero it is.
    public struct Instant: InstantProtocol, Sendable, CustomStringConvertible {
        /// The time from the clock's zero to this instant.
        public let offset: Swift.Duration

        /// The instant that lies `offset` after the clock's zero.
        public init(offset: Swift.Duration) {
            self.offset = offset
        }

        /// Where a clock stands when it is made.
        public static let zero = Instant(offset: .zero)

        /// The instant that is `duration` later.
        public func advanced(by duration: Swift.Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// How much later `other` is.
        public func duration(to other: Instant) -> Swift.Duration {
            other.offset - offset
        }

        /// Whether `left` is earlier.
        public static func < (left: Instant, right: Instant) -> Bool {
            left.offset < right.offset
        }

        /// The time since the clock's beginning.
        public var description: String { offset.description }
    }

    /// What this clock's time is measured in.
    public typealias Duration = Swift.Duration

    private struct State {
        var now: Instant
        var sleepers = SleeperQueue()
    }

    private let state: Lock<State>

    /// A clock that stands at `now`.
    public init(now: Instant = .zero) {
        state = Lock(State(now: now))
    }

    /// Where the clock stands.
    public var now: Instant {
        state.withLock { $0.now }
    }

    /// Zero: virtual time has no grain.
    public var minimumResolution: Swift.Duration { .zero }

    /// How many tasks sleep on this clock. A cancelled one no longer counts.
    public var sleeperCount: Int {
        state.withLock { $0.sleepers.count }
    }

    /// When the next sleeper is due, if anybody sleeps.
    public var nextDeadline: Instant? {
        state.withLock { $0.sleepers.nextDeadline() }
    }

    /// Suspends the task until the clock has been advanced to `deadline`; returns at once when it stands there already.
    ///
    /// - Throws: `CancellationError`, at once, when the task is or becomes cancelled.
    public func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
        try Task.checkCancellation()
        let sequence: UInt64? = state.withLock { state in
            deadline <= state.now ? nil : state.sleepers.announce()
        }
        guard let sequence else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                suspend(sequence, until: deadline, continuation)
            }
        } onCancel: {
            state.withLock { $0.sleepers.cancel(sequence) }?.resume(throwing: CancellationError())
        }
    }

    /// Advances the clock to `instant` and wakes who is due, stopping at each deadline on the way. Never goes back: to
    /// an earlier instant it does nothing.
    ///
    /// Woken tasks go on wherever they run, on other threads as a rule, and this does not wait for them; what they do
    /// next is not seen. With `advance(to:draining:)` it is.
    public func advance(to instant: Instant) {
        while wakeNext(dueAt: instant) != nil {}
        state.withLock { state in state.now = max(state.now, instant) }
    }

    /// Advances the clock by `duration`, as `advance(to:)` does.
    public func advance(by duration: Swift.Duration) {
        advance(to: now.advanced(by: duration))
    }

    /// Runs what is ready on `executor`, then advances to `instant` one sleeper at a time, and after each runs what has
    /// become ready before time goes on. Sleeps that begin on the way and end by `instant` end in this call too.
    ///
    /// When it returns, nothing is ready. On an executor with a seed, sleepers with one deadline are woken together,
    /// so that the seed decides who goes first.
    ///
    /// All of it happens on the calling thread, which must not be a job of the same executor.
    public func advance(to instant: Instant, draining executor: ManualExecutor) {
        executor.drain()
        while wakeNext(dueAt: instant, draining: executor) {}
        state.withLock { state in state.now = max(state.now, instant) }
    }

    /// Advances by `duration`, as `advance(to:draining:)` does.
    public func advance(by duration: Swift.Duration, draining executor: ManualExecutor) {
        advance(to: now.advanced(by: duration), draining: executor)
    }

    /// One stop on the way: wakes the next sleeper due at `instant` and drains. False when there is none.
    func wakeNext(dueAt instant: Instant?, draining executor: ManualExecutor) -> Bool {
        guard let target = instant ?? nextDeadline, let deadline = wakeNext(dueAt: target) else { return false }
        if executor.isSeeded {
            while nextDeadline == deadline, wakeNext(dueAt: deadline) != nil {}
        }
        executor.drain()
        return true
    }

    /// Advances to the next deadline and wakes the first sleeper that has it.
    func wakeNext() {
        if let nextDeadline { _ = wakeNext(dueAt: nextDeadline) }
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
        enum Answer { case asleep, due, cancelled }
        let answer: Answer = state.withLock { state in
            // Another thread may have advanced the clock, or cancelled the task, since the place was reserved.
            if deadline <= state.now {
                state.sleepers.withdraw(sequence)
                return .due
            }
            return state.sleepers.suspend(sequence, until: deadline, continuation) ? .asleep : .cancelled
        }
        switch answer {
        case .asleep: break
        case .due: continuation.resume()
        case .cancelled: continuation.resume(throwing: CancellationError())
        }
    }
}
