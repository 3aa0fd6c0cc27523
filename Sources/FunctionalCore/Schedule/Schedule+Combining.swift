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
            step(input, elapsed - start).continuing { $0.counting(from: start) }
        }
    }
}
