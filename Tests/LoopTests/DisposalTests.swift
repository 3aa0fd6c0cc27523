import Loop
import TestSupport
import Testing

/// The disposal of a raw loop. The tests have the numbers of the promised behaviours.
@Suite(.timeLimit(.minutes(10))) struct DisposalTests {
    private let handler = ManualHandler<Int, Int>()
    private let source = ManualEventSource<Int>()
    private var builder: Mobius.Builder<[Int], Int, Int> {
        Mobius.loop(update: trail, effectHandler: handler).withEventSource(source)
    }

    @Test(
        "24, 25, 27, 29, 31, 35. A loop that is disposed or dropped disposes its handler and its source once, and ends",
        arguments: [true, false]) func ending(isDisposed: Bool)
    {
        let updates = Record<Int>()
        let update = Update<[Int], Int, Int> { model, event in
            updates.append(event)
            return trail(model, event)
        }
        var loop: TrailLoop? = Mobius.loop(update: update, effectHandler: handler).withEventSource(source).start(
            from: [])
        loop?.dispatchEvent(1)
        #expect(handler.disposalCount == 0)
        #expect(source.disposalCount == 0)
        for _ in 0..<2 {
            if isDisposed { loop?.dispose() } else { loop = nil }
            #expect(handler.disposalCount == 1)
            #expect(source.disposalCount == 1)
            handler.emit(2)
            source.emit(3)
        }
        if isDisposed { #expect(loop?.latestModel == [1]) }
        loop = nil
        handler.emit(4)
        source.emit(5)
        #expect(updates.values == [1])
        #expect(handler.disposalCount == 1)
        #expect(source.disposalCount == 1)
    }

    @Test("26. A loop disposes its handler, then releases its observers, then disposes its source")
    func orderOfDisposal() {
        let log = Log()
        let isHeld = Guarded<@Sendable () -> Bool>({ false })
        let handler = ManualHandler<Int, Int>(onDispose: {
            log.append("handler, observed: \(isHeld.withLock { $0 }())")
        })
        let source = ManualEventSource<Int>(onDispose: { log.append("source, observed: \(isHeld.withLock { $0 }())") })
        let loop = Mobius.loop(update: trail, effectHandler: handler).withEventSource(source).start(from: [])
        do {
            let witness = Witness()
            isHeld.withLock { check in check = { [weak witness] in witness != nil } }
            loop.addObserver { _ in withExtendedLifetime(witness) {} }
        }
        loop.dispose()
        #expect(log.lines == ["handler, observed: true", "source, observed: false"])
    }

    @Test("29. If an observer releases the last reference to its loop, the loop is disposed afterwards")
    func droppingFromInside() {
        let slot = LoopSlot(builder.start(from: []))
        let models = Record<[Int]>()
        slot.loop?.addObserver { model in
            if model == [1] { slot.loop = nil }
            models.append(model)
        }
        // Not by a dispatch, since its caller retains the loop.
        source.emit(1)
        #expect(slot.loop == nil)
        #expect(models.values == [[], [1]])
        #expect(handler.effects == [])
        #expect(handler.disposalCount == 1)
        #expect(source.disposalCount == 1)
    }

    @Test("32. A loop's description has its type and its model, and after disposal only its type")
    func description() {
        let loop = Mobius.beginnerLoop { (model: String, event: Int) in "\(model)\(event)" }.start(from: "m")
        #expect(String(reflecting: loop) == #"MobiusLoop<String, Int, Never>{ "m" }"#)
        loop.dispose()
        #expect(String(reflecting: loop) == "disposed MobiusLoop<String, Int, Never>!")
    }

    @Test("The description of a loop traps neither in an update nor in an update in place")
    func descriptionInUpdate() {
        let (slot, log) = (Guarded<MobiusLoop<Int, Int, Never>?>(nil), Log())
        let describe = { @Sendable in if let loop = slot.value { log.append(String(reflecting: loop)) } }
        let copying = Update<Int, Int, Never> { model, event in
            describe()
            return .next(model + event)
        }
        let inPlace = Update<Int, Int, Never>(inPlace: { model, event in
            describe()
            model += event
            return []
        })
        for update in [copying, inPlace] {
            let loop = Mobius.loop(update: update, effectHandler: EffectRouter<Never, Int>()).start(from: 1)
            slot.value = loop
            loop.dispatchEvent(2)
            slot.value = nil
        }
        #expect(log.lines == ["MobiusLoop<Int, Int, Never>{ 1 }", "MobiusLoop<Int, Int, Never> in an update"])
    }

    // MARK: - Releasing

    private struct Model: Sendable { let witness: Witness }

    @Test("A loop and its model are released although handler and source retain their consumers")
    func freeing() {
        let handler = ManualHandler<Never, Int>()
        weak var heldLoop: MobiusLoop<Model, Int, Never>?
        weak var heldModel: Witness?
        weak var heldByObserver: Witness?
        do {
            let loop = Mobius.loop(
                update: { (_: Model, _: Int) in .next(Model(witness: Witness())) }, effectHandler: handler
            ).withEventSource(source).withEventConsumerTransformer { $0 }.start(from: Model(witness: Witness()))
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

    @Test("A disposed observer is released, even if an effect handler registered it")
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

    @Test("An object that only an observer retains may dispose the loop in its deinit", arguments: [false, true])
    func disposingByLettingGo(isCancelledByItself: Bool) {
        let slot = LoopSlot(builder.start(from: []))
        let token = Guarded<(any Disposable)?>(nil)
        let models = Record<[Int]>()
        for _ in 0..<10 { slot.loop?.addObserver { models.append($0) } }
        do {
            let ending = Witness { slot.loop?.dispose() }
            let disposable = slot.loop?.addObserver { model in
                withExtendedLifetime(ending) { if model == [1] { token.withLock { $0 }?.dispose() } }
            }
            token.withLock { $0 = disposable }
        }
        for _ in 0..<10 { slot.loop?.addObserver { models.append($0) } }
        if isCancelledByItself { slot.loop?.dispatchEvent(1) } else { token.withLock { $0 }?.dispose() }
        #expect(handler.disposalCount == 1)
        #expect(models.values.count == (isCancelledByItself ? 40 : 20))
        slot.loop = nil
    }

    @Test("Disposing an observer releases its loop if nothing else retains the loop", arguments: [false, true])
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
}
