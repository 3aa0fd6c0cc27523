import Dispatch
import FunctionalCore
import Loop
import TestSupport
import Testing

/// The lifetimes of a controller's models, streams and views.
@Suite("Lifetimes of models, streams and views", .timeLimit(.minutes(10)))
struct ControllerMemoryTests {
    @Test("A model whose deinit uses its controller can be replaced and released")
    func modelThatUsesItsController() {
        let link = Record<MobiusController<Witness?, Int, Int>>()
        let runs = Record<Bool>()
        let update = Update<Witness?, Int, Int> { _, _ in .next(nil) }
        let controller = Mobius.loop(update: update, effectHandler: EffectRouter<Int, Int>()).makeController(from: nil)
        link.append(controller)
        let part = { Witness { runs.append(link.values.first?.running ?? true) } }
        controller.replaceModel(part())
        do {
            // The stream retains the model, since nothing iterates it.
            _ = controller.models()
            controller.replaceModel(nil)
        }
        _ = controller.models()
        #expect(runs.values == [false])
        link.removeAll()
    }

    private struct Counted {
        var count: Int
        var part: Witness?
    }

    @Test("A stream whose creation starts the controller begins with the model of the start")
    func overtakenStream() async {
        let link = Record<MobiusController<Counted, Int, Int>>()
        let update = Update<Counted, Int, Int> { model, _ in .next(model) }
        let controller = Mobius.loop(update: update, effectHandler: EffectRouter<Int, Int>())
            .makeController(
                from: Counted(count: 0, part: Witness { link.values.first?.start() }),
                initiate: { First(model: Counted(count: $0.count + 1)) })
        link.append(controller)
        // The stream retains the part until the next stream is created.
        _ = controller.models()
        controller.replaceModel(Counted(count: 1))
        var models = controller.models().makeAsyncIterator()
        #expect(controller.running)
        #expect(await models.next()?.count == 2)
        controller.stop()
        controller.replaceModel(Counted(count: 10))
        controller.start()
        #expect(await models.next()?.count == 11)
        controller.stop()
        link.removeAll()
    }

    @Test("A stream that is created while a stop disposes the event source does not leak the loop")
    func streamWhileDisposing() async {
        await confirmation { gone in
            let end = Gate()
            do {
                let link = Record<MobiusController<Witness, Int, Int>>()
                let source = ManualEventSource<Int>(onDispose: { _ = link.values.first?.models() })
                let router = EffectRouter<Int, Int>().routeEffects(withParameters: { $0 })
                    .to { _ in link.values.first?.stop() }
                let update = Update<Witness, Int, Int> { _, event in .dispatchEffects([event]) }
                let controller = Mobius.loop(update: update, effectHandler: router).withEventSource(source)
                    .makeController(
                        from: Witness {
                            gone()
                            Task { await end.open() }
                        }, loopQueue: DispatchQueue(label: "loop"))
                link.append(controller)
                controller.start()
                source.emit(1)
                await controller.stopAndWait()
                link.removeAll()
            }
            await end.pass()
        }
    }
}
