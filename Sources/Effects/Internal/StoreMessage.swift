/// What waits its turn in a store.
///
/// Not generic, so that nothing need be found out about it at run time where the store's code is not specialized.
@usableFromInline
enum StoreMessage {
    case action(any Action, depth: Int, causes: CauseContext?)
    indirect case perform(CauseContext?, () -> Void)
}

extension StoreMessage: CustomStringConvertible {
    /// What was sent, as its sender knows it.
    @usableFromInline
    var description: String {
        switch self {
        case .action(let action, _, _): "\(action)"
        case .perform: "an effect or an observer"
        }
    }
}
