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

    @Test("8. Observers are notified of a model that equals the one before")
    func equalModel() {
        let loop = Mobius.beginnerLoop { (model: Int, _: Int) in model }.start(from: 7)
        let models = Record<Int>()
        loop.addObserver { models.append($0) }
        loop.dispatchEvent(0)
        #expect(models.values == [7, 7])
    }

    // MARK: - Dispatching

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
