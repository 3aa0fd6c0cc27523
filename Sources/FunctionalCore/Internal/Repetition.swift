/// How far one run of `retry` or `repeat` has come.
@usableFromInline
struct Repetition<Input> {
    @usableFromInline
    let clock: any Clock<Duration>

    private var schedule: Schedule<Input>
    private let stopwatch: Stopwatch?

    /// At its beginning, which is now.
    @usableFromInline
    init(_ schedule: Schedule<Input>, clock: some Clock<Duration>) {
        self.schedule = schedule
        self.clock = clock
        stopwatch = schedule.isTimed ? Stopwatch(clock) : nil
    }

    /// How long to wait before the next attempt, now that one has ended in `input`; `nil` where there is none.
    @usableFromInline
    mutating func delay(after input: Input) -> Duration? {
        guard case .again(let delay, let rest) = schedule.step(input, stopwatch?.elapsed() ?? .zero) else { return nil }
        schedule = rest
        return delay
    }
}
