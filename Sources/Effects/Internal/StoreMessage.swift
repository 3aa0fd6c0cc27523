/// What waits its turn in a store.
///
/// Not generic, so that nothing need be found out about it at run time where the store's code is not specialized.
@usableFromInline
enum StoreMessage {
    /// An action; with causes where it follows from what was handled before it.
    case action(any Action, CauseContext?)
    /// An action that was dispatched in a task, or on an actor, by what the store has started there.
    indirect case following(any Action, Cause)
    indirect case perform(Cause?, () -> Void)
}

extension StoreMessage: CustomStringConvertible {
    /// What was sent, as its sender knows it.
    @usableFromInline
    var description: String {
        switch self {
        case .action(let action, _), .following(let action, _): "\(action)"
        case .perform: "an effect or an observer"
        }
    }
}
