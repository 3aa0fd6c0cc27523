import Dispatcher
import FunctionalCore
import Optics
import TestSupport
import Testing

/// A state and an input of any depth, of one type.
private struct Nest: Sendable {
    var count = 0
    var inner: [Nest] = []
}

private indirect enum NestInput: AutoPrism, Sendable {
    case inner(NestInput)
    case leaf(Int)
}

@Suite("widen", .timeLimit(.minutes(10)))
struct WidenTests {
    @Test("A send costs linear time in the depth of widen", .countsSteps)
    func cost() {
        let leaf = StateDispatcher<Void, Nest, Int>.pure { number in .update { $0.count += number } }
            .widen(transformInput: NestInput.prism(for: NestInput.leaf))
        let lens = Lens<Nest, Nest>(get: { $0.inner[0] }, modify: { nest, change in change(&nest.inner[0]) })
        let exponent = growth(from: 4, to: 28) { depth in
            let dispatcher = (0..<depth).reduce(leaf) { child, _ in
                child.widen(transformState: lens, transformInput: NestInput.prism(for: NestInput.inner))
                    as StateDispatcher<Void, Nest, NestInput>
            }
            let component = Component(
                initialState: (0..<depth).reduce(Nest()) { nest, _ in Nest(inner: [nest]) }, environment: (),
                dispatcher: dispatcher)
            let input = (0..<depth).reduce(NestInput.leaf(1)) { input, _ in .inner(input) }
            component.send(input)
            return steps { component.send(input) }
        }
        #expect(exponent < 1.2)
    }
}
