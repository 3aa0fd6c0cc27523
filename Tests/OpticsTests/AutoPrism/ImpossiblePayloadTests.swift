import Optics
import Testing

/// Payloads that have no values.
@Suite("AutoPrism: payloads without values", .timeLimit(.minutes(10)))
struct ImpossiblePayloadTests {
    private enum Impossible: AutoPrism {
        case pair((Never, Never))
        case number(Int)
        case none
    }

    @Test("A case whose payload is a tuple without values matches nothing")
    func tuple() {
        let prism = Impossible.prism(for: Impossible.pair)
        #expect(!prism.matches(.number(1)))
        #expect(!prism.matches(.none))
    }
}
