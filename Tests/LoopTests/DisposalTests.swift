import Loop
import TestSupport
import Testing

/// The end of a raw loop, by the numbers of the behaviours it promises.
@Suite(.timeLimit(.minutes(10))) struct DisposalTests {
    private let handler = ManualHandler<Int, Int>()
    private let source = ManualEventSource<Int>()
    private var builder: Mobius.Builder<[Int], Int, Int> {
        Mobius.loop(update: trail, effectHandler: handler).withEventSource(source)
    }

    private final class Witness: Sendable {}

    @Test("24, 25, 27. Disposing a loop disposes its effect handler and its event source, once")
    func disposing() {
        let loop = builder.start(from: [])
        #expect(handler.disposalCount == 0)
        #expect(source.disposalCount == 0)
        loop.dispose()
        #expect(handler.disposalCount == 1)
        #expect(source.disposalCount == 1)
        loop.dispose()
        #expect(handler.disposalCount == 1)
        #expect(source.disposalCount == 1)
    }

    @Test(
        "26. The effect handler is disposed first, then the observers are let go of, then the event source is disposed")
    func orderOfDisposal() {
        let log = Log()
        let isHeld = Guarded<@Sendable () -> Bool>({ false })
        let handler = ManualHandler<Int, Int>(
            onDispose: { log.append("handler, observed: \(isHeld.withLock { $0 }())") })
        let source = ManualEventSource<Int>(
            onDispose: { log.append("source, observed: \(isHeld.withLock { $0 }())") })
        let loop = Mobius.loop(update: trail, effectHandler: handler).withEventSource(source).start(from: [])
        do {
            let witness = Witness()
            isHeld.withLock { check in check = { [weak witness] in witness != nil } }
            loop.addObserver { _ in withExtendedLifetime(witness) {} }
        }
        loop.dispose()
        #expect(log.lines == ["handler, observed: true", "source, observed: false"])
    }

    @Test("29. A loop that nobody holds any more disposes everything")
    func dropping() {
        var loop: TrailLoop? = builder.start(from: [])
        loop?.dispatchEvent(1)
        loop = nil
        #expect(handler.disposalCount == 1)
        #expect(source.disposalCount == 1)
    }

    @Test("29. A loop whose last reference is dropped by its own observer disposes everything after that")
    func droppingFromInside() {
        let slot = LoopSlot(builder.start(from: []))
        let models = Record<[Int]>()
        slot.loop?.addObserver { model in
            if model == [1] { slot.loop = nil }
            models.append(model)
        }
        // Not by a dispatch: who calls that holds the loop.
        source.emit(1)
        #expect(slot.loop == nil)
        #expect(models.values == [[], [1]])
        #expect(handler.effects == [])
        #expect(handler.disposalCount == 1)
        #expect(source.disposalCount == 1)
    }

    @Test("30. A loop may be disposed right after an event with effects")
    func disposingAfterEffects() {
        let callbacks = Record<EffectCallback<Int>>()
        let stopped = Log()
        let handler = EffectRouter<Int, Int>()
            .routeEffects(equalTo: 1)
            .to { _, callback in
                callbacks.append(callback)
                return AnonymousDisposable { stopped.append("stopped") }
            }
        let loop = Mobius.loop(update: trail, effectHandler: handler).start(from: [])
        loop.dispatchEvent(1)
        loop.dispose()
        #expect(stopped.lines == ["stopped"])
        callbacks.values.first?.end(with: -1)
        #expect(loop.latestModel == [1])
    }

    @Test("31. The latest model is still there after the end")
    func latestModelAfterTheEnd() {
        let loop = builder.start(from: [])
        loop.dispatchEvent(1)
        loop.dispose()
        #expect(loop.latestModel == [1])
    }

    @Test("32. A loop describes itself by its type and its model, a disposed one by its type")
    func description() {
        let loop = Mobius.beginnerLoop { (model: String, event: Int) in "\(model)\(event)" }.start(from: "m")
        #expect(String(reflecting: loop) == #"MobiusLoop<String, Int, Never>{ "m" }"#)
        loop.dispose()
        #expect(String(reflecting: loop) == "disposed MobiusLoop<String, Int, Never>!")
    }

    // MARK: - What comes too late

    @Test("33. What a handler or an event source emits while it is being disposed is ignored")
    func emittingWhileDisposed() {
        let emit = Guarded<@Sendable (Int) -> Void>({ _ in })
        let handler = ManualHandler<Int, Int>(onDispose: { emit.withLock { $0 }(-1) })
        let source = ManualEventSource<Int>(onDispose: { emit.withLock { $0 }(-2) })
        let (updates, models) = (Record<Int>(), Record<[Int]>())
        let loop = Mobius.loop(
            update: Update<[Int], Int, Int> { model, event in
                updates.append(event)
                return trail(model, event)
            },
            effectHandler: handler
        )
        .withEventSource(source)
        .start(from: [])
        loop.addObserver { models.append($0) }
        emit.withLock {
            $0 = { event in
                handler.emit(event)
                source.emit(event)
            }
        }
        emit.withLock { $0 }(0)
        #expect(updates.values == [0, 0])
        loop.dispose()
        #expect(updates.values == [0, 0])
        #expect(models.values == [[], [0], [0, 0]])
        #expect(loop.latestModel == [0, 0])
        emit.withLock { $0 = { _ in } }
    }

    @Test(
        "34. When an observer disposes the loop, the other observers, the effects and the events that wait are dropped")
    func disposingInObserver() {
        let loop = builder.start(from: [])
        let models = Record<[Int]>()
        loop.addObserver { [weak loop] model in
            guard model == [1] else { return }
            loop?.dispatchEvent(2)
            loop?.dispose()
        }
        loop.addObserver { models.append($0) }
        loop.dispatchEvent(1)
        #expect(models.values == [[]])
        #expect(handler.effects == [])
        #expect(loop.latestModel == [1])
        #expect(handler.disposalCount == 1)
        #expect(source.disposalCount == 1)
    }

    @Test("34. When a handler disposes the loop, the effects and the events that wait are dropped")
    func disposingInHandler() {
        let slot = LoopSlot(nil)
        let handler = ManualHandler<Int, Int>(onAccept: { effect, send in
            send(-1)
            if effect == 2 { slot.loop?.dispose() }
        })
        let loop = Mobius.loop(
            update: { (model: [Int], event: Int) in .next(model + [event], effects: event > 0 ? [1, 2, 3] : []) },
            effectHandler: handler
        )
        .withEventSource(source)
        .start(from: [])
        slot.loop = loop
        loop.dispatchEvent(1)
        #expect(handler.effects == [1, 2])
        #expect(loop.latestModel == [1])
        #expect(handler.disposalCount == 1)
        slot.loop = nil
    }

    @Test("34. When an event source disposes the loop as it is told of a model, nobody else is told")
    func disposingInEventSource() {
        let slot = LoopSlot(nil)
        let telling = AnyConnectable<[Int], Int> { _ in
            Connection(acceptClosure: { if $0 == [1] { slot.loop?.dispose() } }, disposeClosure: {})
        }
        let loop = builder.withEventSource(telling).start(from: [])
        slot.loop = loop
        let models = Record<[Int]>()
        loop.addObserver { models.append($0) }
        loop.dispatchEvent(1)
        #expect(models.values == [[]])
        #expect(handler.effects == [])
        slot.loop = nil
    }

    @Test("35. What a handler or an event source emits after the end is ignored, also when the loop is gone")
    func emittingAfterTheEnd() {
        let updates = Record<Int>()
        var loop: TrailLoop? = Mobius.loop(
            update: Update<[Int], Int, Int> { model, event in
                updates.append(event)
                return trail(model, event)
            },
            effectHandler: handler
        )
        .withEventSource(source)
        .start(from: [])
        loop?.dispose()
        handler.emit(1)
        source.emit(2)
        #expect(loop?.latestModel == [])
        loop = nil
        handler.emit(3)
        source.emit(4)
        #expect(updates.values == [])
    }

    // MARK: - Freeing

    private struct Model: Sendable {
        let witness: Witness
    }

    @Test("A loop and its model are freed although handler and event source keep their consumers")
    func freeing() {
        let handler = ManualHandler<Never, Int>()
        weak var heldLoop: MobiusLoop<Model, Int, Never>?
        weak var heldModel: Witness?
        weak var heldByObserver: Witness?
        do {
            let loop = Mobius.loop(
                update: { (_: Model, _: Int) in .next(Model(witness: Witness())) }, effectHandler: handler
            )
            .withEventSource(source)
            .withEventConsumerTransformer { $0 }
            .start(from: Model(witness: Witness()))
            let witness = Witness()
            loop.addObserver { _ in withExtendedLifetime(witness) {} }
            loop.dispatchEvent(1)
            source.emit(2)
            (heldLoop, heldModel, heldByObserver) = (loop, loop.latestModel.witness, witness)
            #expect(heldModel != nil)
        }
        #expect(heldLoop == nil)
        #expect(heldModel == nil)
        #expect(heldByObserver == nil)
        source.emit(3)
        handler.emit(4)
    }

    @Test("What an observer holds is let go of when it is disposed, even where it was added by an effect")
    func freeingAnObserver() {
        let slot = LoopSlot(nil)
        let added = Record<any Disposable>()
        let held = Record<@Sendable () -> Bool>()
        let handler = ManualHandler<Int, Int>(onAccept: { _, _ in
            let witness = Witness()
            held.append { [weak witness] in witness != nil }
            if let token = slot.loop?.addObserver({ _ in withExtendedLifetime(witness) {} }) { added.append(token) }
        })
        let loop = Mobius.loop(update: trail, effectHandler: handler).start(from: [])
        slot.loop = loop
        loop.dispatchEvent(1)
        #expect(held.values.map { $0() } == [true])
        added.values.first?.dispose()
        #expect(held.values.map { $0() } == [false])
        slot.loop = nil
    }

    /// Disposes a loop when it goes away.
    private final class Ending: Sendable {
        private let slot: LoopSlot

        init(_ slot: LoopSlot) { self.slot = slot }

        deinit { slot.loop?.dispose() }
    }

    @Test("What an observer holds may dispose the loop when the observer is let go of", arguments: [false, true])
    func disposingByLettingGo(isCancelledByItself: Bool) {
        let slot = LoopSlot(builder.start(from: []))
        let token = Guarded<(any Disposable)?>(nil)
        let models = Record<[Int]>()
        for _ in 0..<10 { slot.loop?.addObserver { models.append($0) } }
        do {
            let ending = Ending(slot)
            let disposable = slot.loop?.addObserver { model in
                withExtendedLifetime(ending) { if model == [1] { token.withLock { $0 }?.dispose() } }
            }
            token.withLock { $0 = disposable }
        }
        for _ in 0..<10 { slot.loop?.addObserver { models.append($0) } }
        if isCancelledByItself {
            slot.loop?.dispatchEvent(1)
        } else {
            token.withLock { $0 }?.dispose()
        }
        #expect(handler.disposalCount == 1)
        #expect(models.values.count == (isCancelledByItself ? 40 : 20))
        slot.loop = nil
    }

    @Test("A loop that is held by its own observer alone is freed when that one is disposed", arguments: [false, true])
    func freeingByDisposingAnObserver(isCancelledByItself: Bool) {
        weak var held: TrailLoop?
        let witnesses = Record<@Sendable () -> Bool>()
        let token = Guarded<(any Disposable)?>(nil)
        do {
            let loop = builder.start(from: [])
            held = loop
            for _ in 0..<10 {
                let witness = Witness()
                witnesses.append { [weak witness] in witness != nil }
                loop.addObserver { _ in withExtendedLifetime(witness) {} }
            }
            let disposable = loop.addObserver { model in
                withExtendedLifetime(loop) { if model == [1] { token.withLock { $0 }?.dispose() } }
            }
            token.withLock { $0 = disposable }
        }
        #expect(held != nil)
        if isCancelledByItself { source.emit(1) } else { token.withLock { $0 }?.dispose() }
        #expect(held == nil)
        #expect(handler.disposalCount == 1)
        #expect(source.disposalCount == 1)
        #expect(witnesses.values.allSatisfy { !$0() })
    }

    @Test("Observers may come and go while they are told")
    func observersComeAndGo() {
        let loop = builder.start(from: [])
        let tokens = Guarded<[any Disposable]>([])
        let told = Log()
        for number in 0..<50 {
            let token = loop.addObserver { [weak loop] model in
                guard model == [1] else { return }
                told.append("\(number)")
                // Each puts another in the place of the one after it.
                tokens.withLock { $0[(number + 1) % 50] }.dispose()
                loop?.addObserver { if $0 == [1, -1] { told.append("after \(number)") } }
            }
            tokens.withLock { $0.append(token) }
        }
        loop.dispatchEvent(1)
        let even = stride(from: 0, to: 50, by: 2)
        #expect(told.lines == even.map { "\($0)" })
        loop.dispatchEvent(-1)
        #expect(told.lines == even.map { "\($0)" } + even.map { "after \($0)" })
    }
}
