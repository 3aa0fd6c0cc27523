import Dispatch
import Loop
import TestSupport
import Testing

/// Starting, observing and dispatching to a raw loop. The tests have the numbers of the promised behaviours.
@Suite(.timeLimit(.minutes(10))) struct MobiusLoopTests {
    private enum Event { case one, two, three }

    private let builder = Mobius.loop(
        update: { (model: String, event: Event) -> Next<String, Int> in .next("\(model),\(event)") },
        effectHandler: EffectRouter<Int, Event>()
    )

    private let trailBuilder = Mobius.loop(update: trail, effectHandler: ManualHandler<Int, Int>())

    // MARK: - Observing

    @Test("1. A new observer is notified of the current model once, synchronously")
    func observerIsTold() {
        let loop = builder.start(from: "start")
        let models = Record<String>()
        loop.addObserver { models.append($0) }
        #expect(models.values == ["start"])
    }

    @Test("2. Observers are notified of models in order, each before its dispatch returns")
    func modelsInOrder() {
        let loop = builder.start(from: "start")
        let models = Record<String>()
        loop.addObserver { models.append($0) }
        loop.dispatchEvent(.one)
        #expect(models.values == ["start", "start,one"])
        loop.dispatchEvent(.two)
        loop.dispatchEvent(.three)
        #expect(models.values.last == "start,one,two,three")
        #expect(models.values.count == 4)
    }

    @Test("6. A disposed observer is no longer notified, and the other observers are")
    func disposedObserver() {
        let loop = trailBuilder.start(from: [])
        let (gone, staying) = (Record<[Int]>(), Record<[Int]>())
        let token = loop.addObserver { gone.append($0) }
        loop.addObserver { staying.append($0) }
        loop.dispatchEvent(1)
        token.dispose()
        loop.dispatchEvent(2)
        #expect(gone.values == [[], [1]])
        #expect(staying.values == [[], [1], [1, 2]])
    }

    @Test("7. An answer without a model notifies no observer, but its effects are handled")
    func noNewModel() {
        let handler = ManualHandler<String, Int>()
        let loop = Mobius.loop(
            update: { (model: Int, event: Int) in event == 0 ? .noChange : .dispatchEffects(["effect"]) },
            effectHandler: handler
        )
        .start(from: 7)
        let models = Record<Int>()
        loop.addObserver { models.append($0) }
        loop.dispatchEvent(0)
        #expect(handler.effects == [])
        loop.dispatchEvent(1)
        #expect(handler.effects == ["effect"])
        #expect(models.values == [7])
        #expect(loop.latestModel == 7)
    }

    @Test("8. Observers are notified of a model that equals the one before")
    func equalModel() {
        let loop = Mobius.beginnerLoop { (model: Int, _: Int) in model }.start(from: 7)
        let models = Record<Int>()
        loop.addObserver { models.append($0) }
        loop.dispatchEvent(0)
        #expect(models.values == [7, 7])
    }

    @Test("9. An observer that is registered during a notification is notified of that model once")
    func addedDuringNotification() {
        let loop = trailBuilder.start(from: [])
        let models = Record<[Int]>()
        loop.addObserver { [weak loop] model in
            if model == [1] { loop?.addObserver { models.append($0) } }
        }
        loop.dispatchEvent(1)
        #expect(models.values == [[1]])
        loop.dispatchEvent(2)
        #expect(models.values == [[1], [1, 2]])
    }

    @Test("An observer that an event source registers is notified of the new model once")
    func addedBeforeNotification() {
        let (slot, models) = (LoopSlot(nil), Record<[Int]>())
        let source = AnyConnectable<[Int], Int> { _ in
            Connection(
                acceptClosure: { model in
                    if model == [1] { slot.loop?.addObserver { models.append($0) } }
                },
                disposeClosure: {}
            )
        }
        let loop = trailBuilder.withEventSource(source).start(from: [])
        slot.loop = loop
        loop.dispatchEvent(1)
        #expect(models.values == [[1]])
        loop.dispatchEvent(2)
        #expect(models.values == [[1], [1, 2]])
        slot.loop = nil
    }

    @Test("An observer that a logger registers misses no model, and receives none twice")
    func addedByLogger() {
        let (slot, models) = (LoopSlot(nil), Record<String>())
        let logger = SimpleLogger<[Int], Int, Int>(tag: "") { line in
            if line == ": Event received: 1" { slot.loop?.addObserver { models.append("will \($0)") } }
            if line == ": Model updated: [1]" { slot.loop?.addObserver { models.append("did \($0)") } }
        }
        let loop = trailBuilder.withLogger(logger).start(from: [])
        slot.loop = loop
        loop.dispatchEvent(1)
        #expect(models.values == ["will []", "did [1]", "will [1]"])
        slot.loop = nil
    }

    @Test("10. Observers are notified in registration order, even if a handler registers one")
    func orderOfObservers() {
        let slot = LoopSlot(nil)
        let told = Log()
        let handler = ManualHandler<Int, Int>(onAccept: { effect, _ in
            if effect == 1 { slot.loop?.addObserver { _ in told.append("by the handler") } }
        })
        let loop = Mobius.loop(update: trail, effectHandler: handler).start(from: [])
        slot.loop = loop
        for number in 0..<100 { loop.addObserver { _ in told.append("\(number)") } }
        loop.dispatchEvent(1)
        loop.addObserver { _ in told.append("last") }
        let before = told.lines.count
        loop.dispatchEvent(0)
        #expect(Array(told.lines[before...]) == (0..<100).map { "\($0)" } + ["by the handler", "last"])
        slot.loop = nil
    }

    // MARK: - Dispatching

    @Test("3. A dispatch returns after its synchronous effects and their events are handled")
    func synchronous() {
        let log = Log()
        let handler = EffectRouter<Int, Int>()
            .routeEffects(withParameters: { $0 })
            .toEvent { effect in
                log.append("\(effect)")
                return effect - 1
            }
        let loop = Mobius.loop(update: trail, effectHandler: handler).start(from: [])
        loop.dispatchEvent(3)
        #expect(loop.latestModel == [3, 2, 1, 0])
        #expect(log.lines == ["3", "2", "1"])
    }

    @Test("4. A dispatch does not wait for events that a handler sends later")
    func asynchronousHandler() {
        let callbacks = Record<EffectCallback<Int>>()
        let handler = EffectRouter<Int, Int>()
            .routeEffects(equalTo: 1)
            .to { _, callback in
                callbacks.append(callback)
                return EmptyDisposable()
            }
        let loop = Mobius.loop(update: trail, effectHandler: handler).start(from: [])
        loop.dispatchEvent(1)
        #expect(loop.latestModel == [1])
        callbacks.values.first?.end(with: -1)
        #expect(loop.latestModel == [1, -1])
    }

    @Test("5. The latest model is the initial one, and then the result of each event")
    func latestModel() {
        let loop = builder.start(from: "start")
        #expect(loop.latestModel == "start")
        loop.dispatchEvent(.two)
        #expect(loop.latestModel == "start,two")
    }

    @Test("15. An event reaches logger, event source, observers and effect handler in this order")
    func orderOfAnEvent() {
        let log = Log()
        let source = AnyConnectable<Int, Int> { _ in
            Connection(acceptClosure: { log.append("event source \($0)") }, disposeClosure: {})
        }
        let loop = Mobius.loop(
            update: { (model: Int, event: Int) in
                log.append("update")
                return .next(model + event, effects: ["effect"])
            },
            effectHandler: ManualHandler<String, Int>(onAccept: { effect, _ in log.append(effect) })
        )
        .withEventSource(source)
        .withLogger(TellTale(log))
        .start(from: 0)
        loop.addObserver { log.append("observer \($0)") }
        let before = log.lines.count
        loop.dispatchEvent(5)
        #expect(
            Array(log.lines[before...]) == [
                "willUpdate 0 5", "update", "didUpdate 0 5 (5, [\"effect\"])", "event source 5", "observer 5", "effect",
            ])
    }

    @Test("16. The update of an enqueued event is given the model that the event before it left")
    func modelWhenHandled() {
        let loop = Mobius.loop(
            update: { (model: Int, event: String) in
                switch event {
                case "begin": .next(1, effects: ["two events"])
                case "add": .next(model + 1)
                default: .next(model * 10)
                }
            },
            effectHandler: ManualHandler<String, String>(onAccept: { _, send in
                send("add")
                send("multiply")
            })
        )
        .start(from: 0)
        loop.dispatchEvent("begin")
        #expect(loop.latestModel == 20)
    }

    // MARK: - Starting

    @Test("11. A start handles its effects in order before it returns")
    func firstEffects() {
        let handler = ManualHandler<Int, Int>()
        let loop = Mobius.loop(update: trail, effectHandler: handler).start(from: [], effects: [1, 2])
        #expect(handler.effects == [1, 2])
        #expect(loop.latestModel == [])
    }

    @Test("12. Events that a handler emits while being connected are processed before start returns")
    func emittingWhileConnected() {
        let handler = ManualHandler<Int, Int>(emitting: [-1, -2, -3])
        let loop = Mobius.loop(update: trail, effectHandler: handler).start(from: [0])
        #expect(loop.latestModel == [0, -1, -2, -3])
    }

    @Test("13. Events that a source emits during its subscription are processed before start returns")
    func emittingWhileSubscribed() {
        let source = ManualEventSource(emitting: [-1, -2])
        let builder = trailBuilder.withEventSource(source)
        #expect(builder.start(from: [0]).latestModel == [0, -1, -2])
        let queue = DispatchQueue(label: "test")
        let controller = builder.makeController(from: [0], loopQueue: queue, viewQueue: queue)
        controller.start()
        #expect(controller.model == [0, -1, -2])
        controller.stop()
    }

    @Test("14. Events that an event source emits before the start are ignored")
    func emittingBefore() {
        let source = ManualEventSource<Int>()
        let builder = trailBuilder.withEventSource(source)
        source.emit(-1)
        let loop = builder.start(from: [])
        source.emit(-2)
        #expect(loop.latestModel == [-2])
    }

    @Test("A builder creates independent loops")
    func loopsOfOneBuilder() {
        let (left, right) = (builder.start(from: "left"), builder.start(from: "right"))
        left.dispatchEvent(.one)
        #expect(left.latestModel == "left,one")
        #expect(right.latestModel == "right")
    }

    // MARK: - Models as a sequence

    @Test("The model sequence begins with the current model, skips none, and ends with the loop")
    func models() async {
        var loop: TrailLoop? = trailBuilder.start(from: [])
        loop?.dispatchEvent(1)
        let models = loop?.models()
        loop?.dispatchEvent(2)
        loop?.dispatchEvent(3)
        loop = nil
        var seen: [[Int]] = []
        if let models { for await model in models { seen.append(model) } }
        #expect(seen == [[1], [1, 2], [1, 2, 3]])
    }

    @Test("The model sequence buffers the newest or the oldest models by its policy")
    func bufferedModels() async {
        let loop = trailBuilder.start(from: [])
        let (newest, oldest) = (
            loop.models(buffering: .bufferingNewest(1)), loop.models(buffering: .bufferingOldest(1))
        )
        loop.dispatchEvent(1)
        loop.dispatchEvent(2)
        loop.dispose()
        #expect(await newest.reduce(into: []) { $0.append($1) } == [[1, 2]])
        #expect(await oldest.reduce(into: []) { $0.append($1) } == [[]])
    }

    @Test("Two model sequences of one loop each yield every model")
    func twoSequences() async {
        let loop = trailBuilder.start(from: [])
        let (left, right) = (loop.models(), loop.models())
        loop.dispatchEvent(1)
        loop.dispose()
        #expect(await left.reduce(into: []) { $0.append($1) } == [[], [1]])
        #expect(await right.reduce(into: []) { $0.append($1) } == [[], [1]])
    }

    // MARK: - The main actor

    @Test("A dispatch on the main actor notifies main-actor observers before it returns")
    @MainActor func screen() {
        let loop = trailBuilder.start(from: [])
        let screen = Screen(loop)
        loop.dispatchEvent(1)
        #expect(screen.shown == [[], [1]])
        loop.dispatchEvent(2)
        #expect(screen.shown == [[], [1], [1, 2]])
    }

    @Test("Main-actor observers are notified of each model in order when other threads dispatch")
    @MainActor func screenAndThreads() async {
        let loop = Mobius.beginnerLoop { (model: Int, event: Int) in model + event }.start(from: 0)
        let shown = Record<Int>()
        loop.addObserver { @MainActor model in
            MainActor.assertIsolated()
            shown.append(model)
        }
        // The main actor is busy here, so all notifications but the first are enqueued on it.
        onThreads(4) { _ in for _ in 0..<100 { loop.dispatchEvent(1) } }
        #expect(shown.values == [0])
        for _ in 0..<3 { await Task { @MainActor in }.value }
        #expect(shown.values == Array(0...400))
    }

    @MainActor private final class Screen {
        private(set) var shown: [[Int]] = []

        init(_ loop: TrailLoop) {
            loop.addObserver { [weak self] model in self?.shown.append(model) }
        }
    }
}
