/// How far one run of `retry` or `repeat` has come.
@usableFromInline
struct Repetition<Input> {
    /// The end after which the schedule is asked. Its content is the input.
    @usableFromInline let end: Signal
    @usableFromInline let clock: BoxedClock
    @usableFromInline let elapsed: (@Sendable () -> Duration)?
    @usableFromInline var schedule: Schedule<Input>
    /// How many attempts have followed one another at once.
    @usableFromInline var streak: UInt16 = 0

    /// At its beginning, which is now.
    @inlinable
    init(at end: Signal, _ schedule: Schedule<Input>, clock: BoxedClock) {
        self.end = end
        self.schedule = schedule
        self.clock = clock
        elapsed = schedule.isTimed ? clock.stopwatch() : nil
    }

    /// How long to wait before the next attempt, now that one has ended in `input`; `nil` where there is none.
    @inlinable
    mutating func delay(after input: Input) -> Duration? {
        guard case .again(let delay, let rest) = schedule.step(input, elapsed?() ?? .zero) else { return nil }
        schedule = rest
        return delay
    }

    /// The same for an attempt that has left what it ended in in the register. That stays there where no other follows.
    @inlinable
    mutating func delay(after signal: Signal, _ register: Register) -> Duration? {
        guard signal == end else { return nil }
        let input = register.take(as: Input.self)
        if let delay = delay(after: input) { return delay }
        register.put(input)
        return nil
    }
}

extension Repetition {
    /// Whether there is something to wait for before the next attempt. Where attempts follow one another at once, others
    /// go ahead now and then.
    @inlinable
    @inline(__always)
    mutating func mustWait(for delay: Duration) -> Bool {
        if delay != .zero { return true }
        streak &+= 1
        return streak & 0x0FFF == 0
    }

    /// Waits, and says whether it came to the end of that: not where the task was cancelled.
    @usableFromInline
    nonisolated(nonsending) func hasWaited(for delay: Duration, _ heritage: Heritage) async -> Bool {
        if delay != .zero { return await clock.hasSlept(for: delay) }
        await heritage.pause()
        return !Task.isCancelled
    }
}

/// A clock behind a reference: what holds one is as large whatever the clock, and costs nothing until it is asked.
@usableFromInline
final class BoxedClock: Sendable {
    private let clock: any Clock<Duration>

    @usableFromInline
    init(_ clock: any Clock<Duration>) {
        self.clock = clock
    }

    /// How much time has passed since this call.
    @usableFromInline
    func stopwatch() -> @Sendable () -> Duration {
        Stopwatch(clock).elapsed
    }

    /// Waits, and says whether it came to the end of that: not where the task was cancelled.
    @usableFromInline
    nonisolated(nonsending) func hasSlept(for duration: Duration) async -> Bool {
        do {
            try await clock.sleep(for: duration)
            return true
        } catch {
            return false
        }
    }
}
