/// A rule that decides whether and when to do something again.
///
/// ```swift
/// let page = download.retry(.exponential(base: .milliseconds(100)).capped(at: .seconds(10)).jittered() && .recurs(5))
/// ```
///
/// A schedule is a value and does nothing by itself. ``EnvIO/retry(_:clock:)`` and ``EnvIO/repeat(_:clock:)`` consult
/// it after each attempt, with the failure or the value as `Input`. Each run starts the schedule from its beginning. To
/// see the decisions of a schedule without running anything, use ``delays(for:)``.
///
/// To name a schedule for any input, extend `Schedule`:
///
/// ```swift
/// extension Schedule {
///     static var polite: Schedule { .exponential(base: .seconds(1)).jittered() && .recurs(3) }
/// }
/// ```
///
/// A negative delay counts as zero. No delay is longer than a hundred years: growing delays stop growing at this limit.
///
/// Each decision recurses through the combinators of the schedule. So the stack depth of a decision is proportional to
/// the number of nested combinators; see <doc:Limits>.
///
/// The combinators come from Haskell's `retry` package and from ZIO's `Schedule`. `&&` and `||` form a distributive
/// lattice if the schedules are deterministic, which excludes random delays, for example. ``forever`` is the neutral
/// element of `&&`, and `recurs(0)` that of `||`.
public struct Schedule<Input>: Sendable {
    /// The forms of a schedule. A schedule that only counts allocates nothing.
    @usableFromInline
    enum Form: Sendable {
        /// Continues this number of times, without a delay.
        case counting(Int)
        case asking(@Sendable (Input, _ elapsed: Duration) -> ScheduleDecision<Input>)
    }

    @usableFromInline
    let form: Form

    /// Whether the schedule depends on the elapsed time, which is expensive to measure.
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

    /// Returns the decision about an attempt that ended with `input` when `elapsed` had passed since the first attempt
    /// started.
    @inlinable
    package func step(_ input: Input, _ elapsed: Duration) -> ScheduleDecision<Input> {
        switch form {
        case .counting(let count):
            count > 0 ? .again(after: .zero, then: Schedule(form: .counting(count - 1))) : .stop
        case .asking(let ask):
            ask(input, elapsed)
        }
    }
}

/// The decision of a schedule about one attempt.
@usableFromInline
package enum ScheduleDecision<Input> {
    case stop
    /// Continue after a delay, and consult `then` about the next attempt.
    case again(after: Duration, then: Schedule<Input>)

    /// Returns this decision with its delay and its `then` transformed. Returns `stop` if this decision is `stop`.
    func map<NewInput>(
        delay transformDelay: (Duration) -> Duration = { $0 },
        rest transformRest: (Schedule<Input>) -> Schedule<NewInput>
    ) -> ScheduleDecision<NewInput> {
        guard case .again(let delay, let rest) = self else { return .stop }
        return .again(after: transformDelay(delay), then: transformRest(rest))
    }
}

// MARK: - Creating a schedule

extension Schedule {
    /// A schedule that always continues, without a delay.
    public static var forever: Schedule {
        recurs(.max)
    }

    /// Returns a schedule that continues `count` times, without a delay.
    ///
    /// For example, `retry(.recurs(3))` makes at most four attempts. The call traps if `count` is negative.
    ///
    /// - Parameter count: How often to continue.
    public static func recurs(_ count: Int) -> Schedule {
        if count < 0 { refuse("recurs(\(count))", because: "a count must not be negative") }
        return Schedule(form: .counting(count))
    }

    /// Returns a schedule that always continues, after the same delay each time.
    ///
    /// A delay starts when an attempt has ended, so the times of the attempts drift. ``fixedRate(_:)`` does not.
    public static func spaced(_ delay: Duration) -> Schedule {
        growing(from: delay.limited) { $0 }
    }

    /// Returns a schedule that always continues, at the multiples of `period` since the first attempt started.
    ///
    /// The time that attempts take does not add up. If an attempt ends after the next multiple, the next attempt starts
    /// at once. Multiples that have passed by then are skipped, so late attempts do not pile up: the attempt after that
    /// is due at the next multiple.
    ///
    /// ```swift
    /// // With attempts that take 1, 25 and 2 seconds: starts after 0, 10, 35 and 40 seconds.
    /// measure.repeat(.fixedRate(.seconds(10)), clock: clock)
    /// ```
    ///
    /// In `a.andThen(.fixedRate(period))`, the time is measured from the moment at which `a` stopped. The call traps if
    /// `period` is not positive. The idea comes from `fixed` of ZIO, and the treatment of late attempts from
    /// `MissedTickBehavior::Skip` of Tokio.
    public static func fixedRate(_ period: Duration) -> Schedule {
        if period <= .zero { refuse("fixedRate(\(period))", because: "a period must be positive") }
        return fixedRate(period.limited, next: period.limited)
    }

    private static func fixedRate(_ period: Duration, next: Duration) -> Schedule {
        Schedule(isTimed: true) { _, elapsed in
            let overdue = max(.zero, elapsed - next)
            let skipped = Duration(attoseconds: overdue.attoseconds / period.attoseconds * period.attoseconds)
            return .again(
                after: max(.zero, next - elapsed), then: fixedRate(period, next: next + skipped + period))
        }
    }

    /// Returns a schedule that always continues, with delays that are multiplied by `factor` each time.
    ///
    /// ```swift
    /// Schedule<Int>.exponential(base: .seconds(1)).delays(for: 1...4)  // 1, 2, 4 and 8 seconds
    /// ```
    ///
    /// The call traps if `factor` is negative or not finite.
    ///
    /// - Parameters:
    ///   - base: The first delay.
    ///   - factor: The ratio of each delay to the previous delay.
    public static func exponential(base: Duration, factor: Double = 2) -> Schedule {
        if !factor.isFinite || factor < 0 {
            refuse(
                "exponential(base: \(base), factor: \(factor))", because: "a factor must be finite and not negative")
        }
        return growing(from: base.limited) { $0.scaled(by: factor) }
    }

    /// Returns a schedule that always continues, with the delays of the Fibonacci sequence.
    ///
    /// The first two delays are `base`. Each further delay is the sum of the two before it.
    public static func fibonacci(_ base: Duration) -> Schedule {
        fibonacci(base.limited, base.limited)
    }

    private static func fibonacci(_ delay: Duration, _ next: Duration) -> Schedule {
        Schedule { _, _ in .again(after: delay, then: fibonacci(next, (delay + next).limited)) }
    }

    private static func growing(
        from delay: Duration, by next: @escaping @Sendable (Duration) -> Duration
    ) -> Schedule {
        Schedule { _, _ in .again(after: delay, then: growing(from: next(delay), by: next)) }
    }

    static func refuse(_ call: String, because reason: String) -> Never {
        programmerError("\(Schedule.self).\(call) is not valid: \(reason). To fix, pass another argument.")
    }
}

// MARK: - Inspecting a schedule

extension Schedule {
    /// Returns the delays with which this schedule answers `inputs`, up to the input at which it stops.
    ///
    /// The result assumes that attempts take no time: only the delays count as elapsed time.
    ///
    /// ```swift
    /// Schedule<Int>.fibonacci(.seconds(1)).delays(for: 1...5)  // 1, 1, 2, 3 and 5 seconds
    /// ```
    ///
    /// - Complexity: O(n) in the number of inputs.
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
