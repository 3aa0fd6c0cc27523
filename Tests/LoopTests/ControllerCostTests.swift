import FunctionalCore
import Loop
import TestSupport
import Testing

/// What events cost a controller.
@Suite(.timeLimit(.minutes(10))) struct ControllerCostTests {
    private struct Wide: Sendable {
        var parts: (Witness, Witness, Witness, Witness)?
    }

    @Test("An event for a stopped controller copies no model", .countsSteps)
    func droppedEvent() {
        func cost(of model: Wide) -> Int {
            let controller = Mobius.loop(
                update: Update<Wide, Int, Int> { _, _ in .noChange }, effectHandler: EffectRouter<Int, Int>()
            ).makeController(from: model)
            return least { steps { for _ in 0..<100 { controller.dispatchEvent(1) } } }
        }
        let wide = Wide(parts: (Witness {}, Witness {}, Witness {}, Witness {}))
        #expect(cost(of: wide) == cost(of: Wide()))
    }
}
