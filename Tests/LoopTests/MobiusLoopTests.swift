import Loop
import TestSupport
import Testing

/// The raw loop, by the numbers of the behaviours it promises.
@Suite struct MobiusLoopTests {
    private enum Event { case one, two, three }

    private let builder = Mobius.loop(
        update: { (model: String, event: Event) -> Next<String, Int> in .next("\(model),\(event)") },
        effectHandler: EffectRouter<Int, Event>()
    )

    @Test("1. An observer is called once, synchronously, with the model")
    func observerIsTold() {
        let loop = builder.start(from: "start")
        let models = Record<String>()
        loop.addObserver { models.append($0) }
        #expect(models.values == ["start"])
    }

    @Test("2. Models arrive in order, each before its dispatch returns")
    func modelsInOrder() {
        let loop = builder.start(from: "start")
        let models = Record<String>()
        loop.addObserver { models.append($0) }
        loop.dispatchEvent(.one)
        #expect(models.values == ["start", "start,one"])
        loop.dispatchEvent(.two)
        loop.dispatchEvent(.three)
        #expect(models.values.last == "start,one,two,three")
    }
}
