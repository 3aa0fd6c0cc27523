import Dispatch
import Loop
import TestSupport
import Testing

/// Nested calls to a raw loop. The tests have the numbers of the promised behaviours.
@Suite(.timeLimit(.minutes(10))) struct ReentrancyTests {
    @Test("23. Raw loops and controllers process the events of end(with:) in order")
    func orderOfEvents() {
        let handler = EffectRouter<Int, Int>()
            .routeEffects(equalTo: 1)
            .to { _, callback in
                callback.end(with: -1, -2, -3, -4, -5)
                return EmptyDisposable()
            }
        let builder = Mobius.loop(update: trail, effectHandler: handler)
        let loop = builder.start(from: [])
        loop.dispatchEvent(1)
        #expect(loop.latestModel == [1, -1, -2, -3, -4, -5])

        let queue = DispatchQueue(label: "test")
        let controller = builder.makeController(
            from: [], initiate: { First(model: $0, effects: [1]) }, loopQueue: queue, viewQueue: queue)
        controller.start()
        #expect(controller.model == [-1, -2, -3, -4, -5])
        controller.stop()
    }

    // MARK: - A million events

    private static let counting = Update<Int, Int, Int> { model, event in
        .next(model + 1, effects: event < manySteps ? [event] : [])
    }

    @Test("19. An observer may dispatch a million events in one notification on a small stack")
    func millionFromObserver() async {
        let model = await onSmallStack {
            let loop = Mobius.beginnerLoop { (model: Int, event: Int) in model + event }.start(from: 0)
            loop.addObserver { [weak loop] model in
                if model == 1 { for _ in 1..<manySteps { loop?.dispatchEvent(1) } }
            }
            loop.dispatchEvent(1)
            return loop.latestModel
        }
        #expect(model == manySteps)
    }

    @Test("20. A chain of a million events runs on a small stack, with a route and with a connectable")
    func millionInAChain() async {
        let counts = await onSmallStack {
            [
                AnyConnectable(EffectRouter<Int, Int>().routeEffects(withParameters: { $0 }).toEvent { $0 + 1 }),
                AnyConnectable { send in Connection(acceptClosure: { send($0 + 1) }, disposeClosure: {}) },
            ].map { handler in
                let loop = Mobius.loop(update: Self.counting, effectHandler: handler).start(from: 0)
                loop.dispatchEvent(1)
                return loop.latestModel
            }
        }
        #expect(counts == [manySteps, manySteps])
    }

    @Test("Disposing a loop releases a million enqueued events on a small stack")
    func millionDropped() async {
        let (handled, left) = await onSmallStack {
            let living = Tracked.Counter()
            let loop = Mobius.beginnerLoop { (model: Int, _: Tracked) in model + 1 }.start(from: 0)
            loop.addObserver { [weak loop] model in
                guard model == 1 else { return }
                for _ in 1..<manySteps { loop?.dispatchEvent(Tracked(living)) }
                loop?.dispose()
            }
            loop.dispatchEvent(Tracked(living))
            return (loop.latestModel, living.count)
        }
        #expect(handled == 1)
        #expect(left == 0)
    }
}

@Suite(.timeLimit(.minutes(10))) struct ModelLifetimeTests {
    private struct Model: Sendable {
        var token: Witness?
        var released = 0
    }

    private enum Event: Sendable {
        case keep(Witness)
        case drop
        case released
    }

    @Test("16, 18. An object that a model releases may dispatch to the loop in its deinit")
    func goingAway() {
        let loop = Mobius.loop(
            update: { (model: Model, event: Event) -> Next<Model, Never> in
                switch event {
                case .keep(let token): .next(Model(token: token, released: model.released))
                case .drop: .next(Model(token: nil, released: model.released))
                case .released: .next(Model(token: model.token, released: model.released + 1))
                }
            },
            effectHandler: AnyConnectable { _ in Connection(acceptClosure: { _ in }, disposeClosure: {}) }
        ).start(from: Model())
        loop.dispatchEvent(.keep(Witness { [weak loop] in loop?.dispatchEvent(.released) }))
        loop.dispatchEvent(.drop)
        #expect(loop.latestModel.released == 1)
    }
}
