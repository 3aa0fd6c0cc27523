public import ArchitectureEngine
import FunctionalCore

extension Root.Message: ChainedMessage {
    @usableFromInline
    var causeName: String {
        switch self {
        case .input(let input, _), .subscribed(let input, _), .stoppedChain(_, let input): "\(input)"
        case .change, .failure: "the result of an action"
        case .perform: "an observer"
        }
    }

    @usableFromInline
    static func stoppedChain(_ stop: ChainStop, dropping message: Self) -> Self {
        switch message {
        case .input(let input, _), .subscribed(let input, _), .stoppedChain(_, let input): .stoppedChain(stop, input)
        case .change, .failure, .perform: programmerError("A message was counted that is no input.")
        }
    }
}
