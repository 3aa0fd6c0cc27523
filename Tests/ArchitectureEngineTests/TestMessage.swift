import ArchitectureEngine

/// The messages of the cores in tests.
enum TestMessage: ChainedMessage {
    case number(Int)
    case stopped(ChainStop)

    var causeName: String {
        switch self {
        case .number(let number): "\(number)"
        case .stopped: "stopped"
        }
    }

    static func stoppedChain(_ stop: ChainStop, dropping message: TestMessage) -> TestMessage {
        .stopped(stop)
    }
}
