/// When to do something again: after which wait, and until when.
///
/// ```swift
/// let page = download.retry(.exponential(base: .milliseconds(100)).jittered().capped(at: .seconds(10)) && .recurs(5))
/// ```
///
/// A schedule is a value and does nothing by itself. ``EnvIO/retry(_:clock:)`` and ``EnvIO/repeat(_:clock:)`` ask it
/// each time an attempt has ended, with the failure or the value as `Input`, and each run begins it anew.
/// ``delays(for:)`` asks it without running anything.
///
/// A schedule for any input is named in an extension of your own:
///
/// ```swift
/// extension Schedule {
///     static var polite: Schedule { .exponential(base: .seconds(1)).jittered() && .recurs(3) }
/// }
/// ```
///
/// A wait is never longer than a hundred years: there a schedule that grows stops growing.
///
/// Combinators nest: some hundred of them in one schedule are as deep on the stack when it is asked.
///
/// The combinators come from Haskell's `retry` and ZIO's `Schedule`. For schedules that go by input and time alone,
/// `&&` and `||` are a distributive lattice, with ``forever`` for one and `recurs(0)` for zero.
public struct Schedule<Input>: Sendable {
    /// The forms of a schedule. What counts alone needs no memory.
    @usableFromInline
    enum Form: Sendable {
        /// So many times, at once.
        case counting(Int)
        case asking(@Sendable (Input, _ elapsed: Duration) -> ScheduleDecision<Input>)
    }

    @usableFromInline
    let form: Form

    /// Whether it looks at how much time has passed; measuring that is not free.
    @usableFromInline
    let isTimed: Bool

    @inlinable
    init(form: Form, isTimed: Bool = false) {
        self.form = form
        self.isTimed = isTimed
    }

    init(
        isTimed: Bool = false,
        _ ask: @escaping @Sendable (Input, _ elapsed: Duration) -> ScheduleDecision<Input>
    ) {
        self.init(form: .asking(ask), isTimed: isTimed)
    }

    /// What it says about an attempt that ended in `input`, so long after the run began.
    @inlinable
    func step(_ input: Input, _ elapsed: Duration) -> ScheduleDecision<Input> {
        switch form {
        case .counting(let count):
            count > 0 ? .again(after: .zero, then: Schedule(form: .counting(count - 1))) : .stop
        case .asking(let ask):
            ask(input, elapsed)
        }
    }
}

// MARK: - Looking at one

extension Schedule {
    /// The waits this schedule answers `inputs` with, as if no time passed but those: one for each input, up to the one
    /// at which it stops.
    ///
    /// ```swift
    /// Schedule<Int>.fibonacci(.seconds(1)).delays(for: 1...5)  // 1, 1, 2, 3 and 5 seconds
    /// ```
    public func delays(for inputs: some Sequence<Input>) -> [Duration] {
        var delays: [Duration] = []
        var elapsed = Duration.zero
        var schedule = self
        for input in inputs {
            guard case .again(let delay, let rest) = schedule.step(input, elapsed) else { break }
            delays.append(delay)
            elapsed += delay
            schedule = rest
        }
        return delays
    }
}
