extension Schedule {
    /// Always again, at once.
    public static var forever: Schedule {
        recurs(.max)
    }

    /// So many times again, at once: `retry(.recurs(3))` makes four attempts at most.
    ///
    /// - Parameter count: How often; not negative.
    public static func recurs(_ count: Int) -> Schedule {
        if count < 0 { refuse("recurs(\(count))", because: "a count is not negative") }
        return Schedule(form: .counting(count))
    }

    /// Always again, after the same wait each time. The wait begins when an attempt has ended.
    public static func spaced(_ delay: Duration) -> Schedule {
        if delay < .zero { refuse("spaced(\(delay))", because: "a wait is not negative") }
        return growing(from: delay.limited) { $0 }
    }

    /// Always again, after `base`, then after `factor` times as long each time.
    ///
    /// ```swift
    /// Schedule<Int>.exponential(base: .seconds(1)).delays(for: 1...4)  // 1, 2, 4 and 8 seconds
    /// ```
    ///
    /// - Parameters:
    ///   - base: The first wait; not negative.
    ///   - factor: How much longer each wait is than the one before; finite and not negative.
    public static func exponential(base: Duration, factor: Double = 2) -> Schedule {
        let call = "exponential(base: \(base), factor: \(factor))"
        if base < .zero { refuse(call, because: "a wait is not negative") }
        if !factor.isFinite || factor < 0 { refuse(call, because: "a factor is finite and not negative") }
        return growing(from: base.limited) { $0.scaled(by: factor) }
    }

    /// Always again, after `base`, `base`, and then after the sum of the last two waits each time.
    public static func fibonacci(_ base: Duration) -> Schedule {
        if base < .zero { refuse("fibonacci(\(base))", because: "a wait is not negative") }
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
        fault("\(Schedule.self) was asked for \(call). To fix, give it another argument: \(reason).")
    }
}
