import Optics
import Testing

@Suite("AutoPrism: payloads without values", .timeLimit(.minutes(10)))
struct ImpossiblePayloadTests {
    private enum Impossible: AutoPrism {
        case pair((Never, Never))
        case number(Int)
        case none
    }

    @Test("A case with an uninhabited tuple as payload matches nothing")
    func tuple() {
        let prism = Impossible.prism(for: Impossible.pair)
        #expect(!prism.matches(.number(1)))
        #expect(!prism.matches(.none))
    }
}
