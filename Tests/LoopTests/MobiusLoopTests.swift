import Dispatch
import Loop
import TestSupport
import Testing

/// Starting, observing and dispatching to a raw loop. The tests have the numbers of the promised behaviours.
@Suite(.timeLimit(.minutes(10))) struct MobiusLoopTests {
    private let trailBuilder = Mobius.loop(update: trail, effectHandler: ManualHandler<Int, Int>())

    // MARK: - Observing

    private func expectModels<Effect>(of loop: MobiusLoop<String, Int, Effect>) {
        #expect(loop.latestModel == "0")
        let models = Record<String>()
        loop.addObserver { models.append($0) }
        for (event, seen) in [["0"], ["0", "01"], ["0", "01", "012"]].enumerated() {
            if event > 0 { loop.dispatchEvent(event) }
            #expect(models.values == seen)
            #expect(loop.latestModel == seen.last)
        }
    }

    @Test("1, 2, 5, 118. A new observer is notified of the latest model at once, and of each new one in its dispatch")
    func observing() {
        let fold: @Sendable (String, Int) -> String = { model, event in "\(model)\(event)" }
        expectModels(of: Mobius.beginnerLoop(update: fold).start(from: "0"))
        let update = Update<String, Int, Int> { model, event in .next(fold(model, event)) }
        expectModels(of: Mobius.loop(update: update, effectHandler: EffectRouter()).start(from: "0"))
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

    enum Registrar: CaseIterable { case observer, eventSource, loggerBefore, loggerAfter }

    @Test(
        "9. An observer that is registered while an event is processed is notified of the new model once",
        arguments: Registrar.allCases)
    func addedDuringNotification(by registrar: Registrar) {
        let (slot, models) = (LoopSlot(nil), Record<[Int]>())
        let register: @Sendable () -> Void = { slot.loop?.addObserver { models.append($0) } }
        let loop =
            switch registrar {
            case .observer: trailBuilder.start(from: [])
            case .eventSource:
                trailBuilder.withEventSource(
                    ManualHandler<[Int], Int>(onAccept: { model, _ in if model == [1] { register() } })
                ).start(from: [])
            case .loggerBefore, .loggerAfter:
                trailBuilder.withLogger(
                    SimpleLogger(tag: "") { line in
                        if line == (registrar == .loggerBefore ? ": Event received: 1" : ": Model updated: [1]") {
                            register()
                        }
                    }
                ).start(from: [])
            }
        slot.loop = loop
        if registrar == .observer { loop.addObserver { if $0 == [1] { register() } } }
        loop.dispatchEvent(1)
        loop.dispatchEvent(2)
        #expect(models.values == (registrar == .loggerBefore ? [[], [1], [1, 2]] : [[1], [1, 2]]))
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

    @Test("12, 13. Events that a handler or a source emits while it is connected are processed before start returns")
    func emittingWhileConnected() {
        let builder = Mobius.loop(update: trail, effectHandler: ManualHandler<Int, Int>(emitting: [-1, -2, -3]))
            .withEventSource(ManualEventSource(emitting: [-4, -5]))
        #expect(builder.start(from: [0]).latestModel == [0, -1, -2, -3, -4, -5])
        let queue = DispatchQueue(label: "test")
        let controller = builder.makeController(from: [0], loopQueue: queue, viewQueue: queue)
        controller.start()
        #expect(controller.model == [0, -1, -2, -3, -4, -5])
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
        let (left, right) = (trailBuilder.start(from: [1]), trailBuilder.start(from: [2]))
        left.dispatchEvent(3)
        #expect(left.latestModel == [1, 3])
        #expect(right.latestModel == [2])
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

    @Test("Each model sequence of a loop yields every model, or the newest or the oldest by its policy")
    func severalSequences() async {
        let loop = trailBuilder.start(from: [])
        let sequences =
            [loop.models(), loop.models()]
            + [.bufferingNewest(1), .bufferingOldest(1)].map { loop.models(buffering: $0) }
        loop.dispatchEvent(1)
        loop.dispose()
        for (sequence, models) in zip(sequences, [[[], [1]], [[], [1]], [[1]], [[]]]) {
            #expect(await sequence.reduce(into: []) { $0.append($1) } == models)
        }
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
