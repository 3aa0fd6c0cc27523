extension Schedule {
    /// This schedule, as long as its inputs satisfy `predicate`. It stops at the first that does not.
    ///
    /// ```swift
    /// save.retry(.recurs(3).whileInput { $0 is Timeout })
    /// ```
    public func whileInput(_ predicate: @escaping @Sendable (Input) -> Bool) -> Schedule {
        Schedule(isTimed: isTimed) { input, elapsed in
            predicate(input) ? step(input, elapsed).continuing { $0.whileInput(predicate) } : .stop
        }
    }

    /// This schedule, up to the first input that satisfies `predicate`.
    public func untilInput(_ predicate: @escaping @Sendable (Input) -> Bool) -> Schedule {
        whileInput { !predicate($0) }
    }

    /// This schedule, until so much time has passed since the run began, on the clock that the run waits on. A wait
    /// that begins before is waited to its end.
    ///
    /// In what follows another schedule by ``andThen(_:)``, time counts from where the other stopped.
    ///
    /// - Parameter limit: For how long; zero and less is never again.
    public func upTo(_ limit: Duration) -> Schedule {
        Schedule(isTimed: true) { input, elapsed in
            elapsed < limit ? step(input, elapsed).continuing { $0.upTo(limit) } : .stop
        }
    }

    /// This schedule, with no wait longer than `limit`.
    ///
    /// - Parameter limit: The longest wait; not negative.
    public func capped(at limit: Duration) -> Schedule {
        if limit < .zero { Schedule.refuse("capped(at: \(limit))", because: "a wait is not negative") }
        return mapDelays { min($0, limit) }
    }

    private func mapDelays(_ transform: @escaping @Sendable (Duration) -> Duration) -> Schedule {
        Schedule(isTimed: isTimed) { input, elapsed in
            guard case .again(let delay, let rest) = step(input, elapsed) else { return .stop }
            return .again(after: transform(delay), then: rest.mapDelays(transform))
        }
    }

    /// This schedule with each wait multiplied by a random number, so that many who failed together do not come again
    /// together.
    ///
    /// Each run begins with the generator as it is here: with a seeded one, every run waits the same.
    ///
    /// - Parameters:
    ///   - range: The multipliers, all equally likely; finite and not negative. `0...1` is what is called full jitter.
    ///   - generator: What the random numbers come from.
    public func jittered(
        by range: ClosedRange<Double> = 0.8...1.2,
        using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) -> Schedule {
        if !range.upperBound.isFinite || range.lowerBound < 0 {
            Schedule.refuse("jittered(by: \(range))", because: "a factor is finite and not negative")
        }
        return Schedule(isTimed: isTimed) { input, elapsed in
            guard case .again(let delay, let rest) = step(input, elapsed) else { return .stop }
            var generator = generator
            let factor = Double.random(in: range, using: &generator)
            return .again(after: delay.scaled(by: factor), then: rest.jittered(by: range, using: generator))
        }
    }

    /// This schedule for another input, of which it sees what `transform` makes.
    public func contramap<NewInput>(_ transform: @escaping @Sendable (NewInput) -> Input) -> Schedule<NewInput> {
        Schedule<NewInput>(isTimed: isTimed) { input, elapsed in
            switch step(transform(input), elapsed) {
            case .stop: .stop
            case .again(let delay, let rest): .again(after: delay, then: rest.contramap(transform))
            }
        }
    }
}
