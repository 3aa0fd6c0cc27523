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
    /// A delay starts when an attempt has ended. The call traps if `delay` is negative.
    public static func spaced(_ delay: Duration) -> Schedule {
        if delay < .zero { refuse("spaced(\(delay))", because: "a delay must not be negative") }
        return growing(from: delay.limited) { $0 }
    }

    /// Returns a schedule that always continues, with delays that are multiplied by `factor` each time.
    ///
    /// ```swift
    /// Schedule<Int>.exponential(base: .seconds(1)).delays(for: 1...4)  // 1, 2, 4 and 8 seconds
    /// ```
    ///
    /// The call traps if `base` is negative, or if `factor` is negative or not finite.
    ///
    /// - Parameters:
    ///   - base: The first delay.
    ///   - factor: The ratio of each delay to the previous one.
    public static func exponential(base: Duration, factor: Double = 2) -> Schedule {
        let call = "exponential(base: \(base), factor: \(factor))"
        if base < .zero { refuse(call, because: "a delay must not be negative") }
        if !factor.isFinite || factor < 0 { refuse(call, because: "a factor must be finite and not negative") }
        return growing(from: base.limited) { $0.scaled(by: factor) }
    }

    /// Returns a schedule that always continues, with the delays of the Fibonacci sequence.
    ///
    /// The first two delays are `base`. Each further delay is the sum of the two before it. The call traps if `base` is
    /// negative.
    public static func fibonacci(_ base: Duration) -> Schedule {
        if base < .zero { refuse("fibonacci(\(base))", because: "a delay must not be negative") }
        return fibonacci(base.limited, base.limited)
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
