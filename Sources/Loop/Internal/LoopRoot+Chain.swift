public import ArchitectureEngine

extension LoopRoot.Message: ChainedMessage {
    @usableFromInline
    var causeName: String {
        switch self {
        case .event(let event): "\(event)"
        case .perform, .stoppedChain: "an observer"
        }
    }

    @usableFromInline
    static func stoppedChain(_ stop: ChainStop, dropping message: Self) -> Self {
        .stoppedChain(stop)
    }
}
