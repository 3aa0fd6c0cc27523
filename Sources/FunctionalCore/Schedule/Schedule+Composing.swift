// MARK: - Combining two schedules

extension Schedule {
    /// Returns a schedule that continues while both schedules do, after the longer of their delays.
    public static func && (left: Schedule, right: Schedule) -> Schedule {
        Schedule(isTimed: left.isTimed || right.isTimed) { input, elapsed in
            guard
                case .again(let leftDelay, let leftRest) = left.step(input, elapsed),
                case .again(let rightDelay, let rightRest) = right.step(input, elapsed)
            else { return .stop }
            return .again(after: max(leftDelay, rightDelay), then: leftRest && rightRest)
        }
    }

    /// Returns a schedule that continues while at least one of the schedules does, after the shorter of their delays.
    ///
    /// A schedule that has stopped is not consulted again.
    public static func || (left: Schedule, right: Schedule) -> Schedule {
        Schedule(isTimed: left.isTimed || right.isTimed) { input, elapsed in
            switch (left.step(input, elapsed), right.step(input, elapsed)) {
            case (.again(let leftDelay, let leftRest), .again(let rightDelay, let rightRest)):
                .again(after: min(leftDelay, rightDelay), then: leftRest || rightRest)
            case (.stop, let decision), (let decision, .stop):
                decision
            }
        }
    }

    /// Returns a schedule that follows this schedule until it stops, and then `next`.
    ///
    /// When this schedule stops at an input, `next` decides about the same input.
    ///
    /// ```swift
    /// Schedule<Int>.recurs(2).andThen(.spaced(.seconds(1)))  // twice without delay, then every second
    /// ```
    public func andThen(_ next: Schedule) -> Schedule {
        Schedule(isTimed: isTimed || next.isTimed) { input, elapsed in
            switch step(input, elapsed) {
            case .again(let delay, let rest): .again(after: delay, then: rest.andThen(next))
            case .stop: next.counting(from: elapsed).step(input, elapsed)
            }
        }
    }

    /// Returns this schedule with its elapsed time measured from `start`.
    private func counting(from start: Duration) -> Schedule {
        guard isTimed else { return self }
        return Schedule(isTimed: true) { input, elapsed in
            step(input, elapsed - start).map { $0.counting(from: start) }
        }
    }
}

// MARK: - Changing a schedule

extension Schedule {
    /// Returns this schedule, stopped at the first input that does not satisfy `predicate`.
    ///
    /// ```swift
    /// save.retry(.recurs(3).whileInput { $0 is Timeout })
    /// ```
    public func whileInput(_ predicate: @escaping @Sendable (Input) -> Bool) -> Schedule {
        Schedule(isTimed: isTimed) { input, elapsed in
            predicate(input) ? step(input, elapsed).map { $0.whileInput(predicate) } : .stop
        }
    }

    /// Returns this schedule, stopped when `limit` has elapsed.
    ///
    /// The time is measured from the start of the first attempt, by the clock that also measures the delays. In
    /// `a.andThen(b.upTo(limit))`, it is measured from the moment at which `a` stopped. A delay that starts before the
    /// limit is not shortened.
    ///
    /// - Parameter limit: How long to continue. With zero or less, the schedule stops immediately.
    public func upTo(_ limit: Duration) -> Schedule {
        Schedule(isTimed: true) { input, elapsed in
            elapsed < limit ? step(input, elapsed).map { $0.upTo(limit) } : .stop
        }
    }

    /// Returns this schedule with no delay longer than `limit`.
    ///
    /// - Parameter limit: The longest delay.
    public func capped(at limit: Duration) -> Schedule {
        let limit = limit.limited
        return Schedule(isTimed: isTimed) { input, elapsed in
            step(input, elapsed).map(delay: { min($0, limit) }, rest: { $0.capped(at: limit) })
        }
    }

    /// Returns this schedule with each delay multiplied by a random factor.
    ///
    /// Jitter prevents clients that failed at the same time from retrying at the same time. Apply it after
    /// ``capped(at:)``, because a cap after the jitter makes all delays equal that have reached the limit:
    ///
    /// ```swift
    /// .exponential(base: .milliseconds(100)).capped(at: .seconds(10)).jittered()
    /// ```
    ///
    /// Each run starts with a copy of `generator`, so with a seeded generator every run has the same delays. The call
    /// traps if `range` contains negative or infinite factors.
    ///
    /// - Parameters:
    ///   - range: The factors, with a uniform distribution. `0...1` is known as full jitter.
    ///   - generator: The source of the random factors.
    public func jittered(
        by range: ClosedRange<Double> = 0.8...1.2,
        using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) -> Schedule {
        if !range.upperBound.isFinite || range.lowerBound < 0 {
            Schedule.refuse("jittered(by: \(range))", because: "a factor must be finite and not negative")
        }
        return Schedule(isTimed: isTimed) { input, elapsed in
            guard case .again(let delay, let rest) = step(input, elapsed) else { return .stop }
            var generator = generator
            let factor = Double.random(in: range, using: &generator)
            return .again(after: delay.scaled(by: factor), then: rest.jittered(by: range, using: generator))
        }
    }
}
