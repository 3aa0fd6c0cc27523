import FunctionalCore
import Loop
import TestSupport
import Testing

/// Events that effects have sent, and that wait for their turn while the effects are cancelled or replaced.
@Suite("Events of cancelled effects", .timeLimit(.minutes(10)))
struct WaitingEventTests {
    enum Effect: Sendable {
        case run(Int)
        case cancel(Int)
        case answer(String)
    }

    enum Event: Sendable {
        case effects([Effect])
        case came(String)
    }

    private struct Model: Sendable {
        var came: [String] = []
        var count = 0
    }

    private typealias Callback = EffectCallback<Event>

    /// How an effect sends its event.
    enum Sending: CaseIterable {
        case goingOn, ending, endingOnOtherThread

        func send(_ text: String, with callback: EffectCallback<Event>) {
            switch self {
            case .goingOn: callback.send(.came(text))
            case .ending: callback.end(with: .came(text))
            case .endingOnOtherThread: onThreads(1) { _ in callback.end(with: .came(text)) }
            }
        }
    }

    private let callbacks = Record<Callback>()
    /// Called once with the next model, while the loop processes an event.
    private let whileBusy = Guarded<(@Sendable () -> Void)?>(nil)

    private func router(_ policy: Policy) -> EffectRouter<Effect, Event> {
        let callbacks = callbacks
        return EffectRouter<Effect, Event>()
            .routeCase(Effect.run).policy(policy, id: { $0 }).to { _, callback in
                callbacks.append(callback)
                return EmptyDisposable()
            }
            .routeCase(Effect.cancel).toCancel { $0 }
            .routeCase(Effect.answer).toEvent { text in .came(text) }
    }

    private func builder(
        _ handler: some Connectable<Effect, Event> & Sendable
    ) -> Mobius.Builder<Model, Event, Effect> {
        Mobius.loop(
            update: { (model: Model, event: Event) -> Next<Model, Effect> in
                var model = model
                model.count += 1
                switch event {
                case .effects(let effects): return .next(model, effects: effects)
                case .came(let text):
                    model.came.append(text)
                    return .next(model)
                }
            }, effectHandler: handler)
    }

    private func start(_ builder: Mobius.Builder<Model, Event, Effect>) -> MobiusLoop<Model, Event, Effect> {
        let loop = builder.start(from: Model())
        loop.addObserver { [whileBusy] _ in whileBusy.withLock { $0.take() }?() }
        return loop
    }

    private func start(_ policy: Policy) -> MobiusLoop<Model, Event, Effect> { start(builder(router(policy))) }

    @Test(
        "An event that waits is dropped if its effect is cancelled or replaced, also if the effect has ended",
        arguments: Sending.allCases)
    func dropped(sending: Sending) {
        let (cancelled, replaced) = ([Effect.cancel(1)], [Effect.run(1)])
        let rows: [(policy: Policy, effects: [Effect], came: [String])] = [
            (.concurrent, cancelled, []),
            (.queued, cancelled, []),
            (.latest, cancelled, []),
            (.latest, replaced, []),
            (.concurrent, replaced, ["first"]),
            (.queued, replaced, ["first"]),
            (.first, replaced, ["first"]),
            (.latest, [.cancel(2), .run(2)], ["first"]),
        ]
        for row in rows {
            let loop = start(row.policy)
            loop.dispatchEvent(.effects([.run(1)]))
            let callback = callbacks.values[callbacks.values.count - 1]
            whileBusy.value = { sending.send("first", with: callback) }
            loop.dispatchEvent(.effects(row.effects))
            #expect(loop.latestModel.came == row.came, "\(row)")
            // Effects that begin later are not affected, in the same queue and in a new one.
            var came = row.came
            for effects in [[], [Effect.cancel(1), .run(1)]] {
                loop.dispatchEvent(.effects(effects))
                let (last, text) = (callbacks.values[callbacks.values.count - 1], "later \(effects.count)")
                if last.ended { continue }
                whileBusy.value = { last.end(with: .came(text)) }
                loop.dispatchEvent(.effects([]))
                came.append(text)
                #expect(loop.latestModel.came == came, "\(row)")
            }
            loop.dispose()
        }
    }

    @Test("An event that is processed at once has no part in what its loop sends meanwhile")
    func nested() {
        let loop = start(.concurrent)
        loop.dispatchEvent(.effects([.run(1)]))
        callbacks.values[0].send(.effects([.answer("other"), .cancel(1)]))
        #expect(loop.latestModel.came == ["other"])
        loop.dispose()
    }

    @Test("Behind a transformer or another connectable, which may send for others, waiting events are processed")
    func indirect() {
        for isTransforming in [true, false] {
            let (callbacks, whileBusy) = (callbacks, whileBusy)
            let router = router(.concurrent)
            let handler = AnyConnectable<Effect, Event> { consumer in router.connect(consumer) }
            var builder = isTransforming ? builder(router) : builder(handler)
            if isTransforming { builder = builder.withEventConsumerTransformer { $0 } }
            let loop = start(builder)
            loop.dispatchEvent(.effects([.run(1)]))
            whileBusy.value = { callbacks.values.last?.end(with: .came("first")) }
            loop.dispatchEvent(.effects([.cancel(1)]))
            #expect(loop.latestModel.came == ["first"], "\(isTransforming)")
            loop.dispose()
        }
    }

    @Test("An event whose effect ends while the event is on its way is dropped with the effect, and others are not")
    func endsOnTheWay() {
        for (cancelled, came) in [(1, []), (2, ["first"])] {
            let (callbacks, whileBusy) = (callbacks, whileBusy)
            // `map` and `contramap` keep the effect of an event.
            let handler = router(.concurrent).map { event in
                if case .came = event { onThreads(1) { _ in callbacks.values.last?.end() } }
                return event
            }
            let loop = start(builder(handler.contramap { $0 }))
            loop.dispatchEvent(.effects([.run(1)]))
            whileBusy.value = { callbacks.values.last?.send(.came("first")) }
            loop.dispatchEvent(.effects([.cancel(cancelled)]))
            #expect(loop.latestModel.came == came, "\(cancelled)")
            loop.dispose()
            // The handler retains the callbacks, and they retain the handler.
            callbacks.removeAll()
        }
    }

    @Test("A cancellation finds the waiting event of an effect that has ended among many ids that are idle")
    func manyIDs() {
        let loop = start(.concurrent)
        loop.dispatchEvent(.effects((0..<100).map(Effect.run)))
        whileBusy.value = { [callbacks] in for callback in callbacks.values { callback.end(with: .came("late")) } }
        loop.dispatchEvent(.effects((1_000..<1_100).map(Effect.run) + (0..<99).map(Effect.cancel)))
        #expect(loop.latestModel.came == ["late"])
        loop.dispose()
    }
}
