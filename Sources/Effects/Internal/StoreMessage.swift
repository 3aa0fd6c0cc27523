import ArchitectureEngine
import FunctionalCore

/// A message in the queue of a store.
///
/// Not generic, so that it needs no type metadata at run time where the code of the store is not specialized.
@usableFromInline
enum StoreMessage {
    case action(any Action)
    /// A body that an effect, or nothing in particular, has enqueued.
    indirect case perform(EffectRun?, () -> Void)
    indirect case stoppedChain(ChainStop)
}

extension StoreMessage: ChainedMessage {
    @usableFromInline
    var causeName: String {
        switch self {
        case .action(let action): "\(type(of: action))"
        case .perform, .stoppedChain: "an effect or an observer"
        }
    }

    @usableFromInline
    static func stoppedChain(_ stop: ChainStop, dropping message: StoreMessage) -> StoreMessage {
        .stoppedChain(stop)
    }
}
