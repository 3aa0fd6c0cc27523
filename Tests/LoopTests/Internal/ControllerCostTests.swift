import FunctionalCore
import TestSupport
import Testing

@testable import Loop

/// What models and events cost a controller.
@Suite(.timeLimit(.minutes(10))) struct ControllerCostTests {
    @Test("A value for a view whose buffer is full is O(1) in the length of the buffer", .countsSteps)
    func fullBuffer() {
        let exponent = growth(from: 100, to: 1_600) { count in
            var state = LateConnectionState<Witness>()
            let values = (0..<count).map { _ in Witness {} }
            for value in values { _ = state.enqueue(value, .bufferingNewest(count)) }
            // As many as the buffer has, since its memory is moved once for all of them.
            return steps { for value in values { _ = state.enqueue(value, .bufferingNewest(count)) } } / count
        }
        #expect(exponent < 0.2)
    }

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
