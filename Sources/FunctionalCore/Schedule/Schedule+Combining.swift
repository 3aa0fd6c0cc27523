extension Schedule {
    /// Again while both schedules say so, after the longer of their waits.
    public static func && (left: Schedule, right: Schedule) -> Schedule {
        Schedule(isTimed: left.isTimed || right.isTimed) { input, elapsed in
            guard
                case .again(let leftDelay, let leftRest) = left.step(input, elapsed),
                case .again(let rightDelay, let rightRest) = right.step(input, elapsed)
            else { return .stop }
            return .again(after: max(leftDelay, rightDelay), then: leftRest && rightRest)
        }
    }

    /// Again while either schedule says so, after the shorter of their waits. One that has stopped is not asked again.
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

    /// This schedule until it stops, and then `next`, which is asked at once about the input at which this one stopped.
    ///
    /// ```swift
    /// Schedule<Int>.recurs(2).andThen(.spaced(.seconds(1)))  // twice at once, then every second
    /// ```
    public func andThen(_ next: Schedule) -> Schedule {
        Schedule(isTimed: isTimed || next.isTimed) { input, elapsed in
            switch step(input, elapsed) {
            case .again(let delay, let rest): .again(after: delay, then: rest.andThen(next))
            case .stop: next.counting(from: elapsed).step(input, elapsed)
            }
        }
    }

    /// This schedule with its time counted from when `start` had passed.
    private func counting(from start: Duration) -> Schedule {
        guard isTimed else { return self }
        return Schedule(isTimed: true) { input, elapsed in
            step(input, elapsed - start).continuing { $0.counting(from: start) }
        }
    }
}
