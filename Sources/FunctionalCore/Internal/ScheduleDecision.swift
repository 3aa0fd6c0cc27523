/// What a schedule answers when it is asked: no more, or again, and how it goes on from there.
@usableFromInline
enum ScheduleDecision<Input> {
    case stop
    case again(after: Duration, then: Schedule<Input>)

    /// The same decision, with `transform` applied to how it goes on.
    func continuing(_ transform: (Schedule<Input>) -> Schedule<Input>) -> ScheduleDecision {
        guard case .again(let delay, let rest) = self else { return .stop }
        return .again(after: delay, then: transform(rest))
    }
}
