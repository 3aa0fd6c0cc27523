extension Duration {
    /// A hundred years: nothing waits longer, and sums and products of such durations do not overflow.
    static var longest: Duration { .seconds(100 * 365 * 24 * 60 * 60) }

    /// This duration, or the longest where that is shorter: "for ever" does not overflow a clock's instants.
    @usableFromInline
    package var limited: Duration { min(self, .longest) }

    /// This duration, which is at most the longest, times `factor`, which is finite.
    func scaled(by factor: Double) -> Duration {
        (self / .seconds(1)) * factor < Duration.longest / .seconds(1) ? self * factor : .longest
    }
}
