import Dispatch
import Loop
import TestSupport
import Testing

/// The thread on which a raw loop disposes its connections.
@Suite(.timeLimit(.minutes(10)))
struct DisposalThreadTests {
    /// How a thread ends a loop.
    enum Ending: CaseIterable {
        case disposing, dropping
    }

    /// A loop in a slot, what its parts wait for and signal, and their log.
    private final class Scene: Sendable {
        let slot = LoopSlot(nil)
        let hasStarted = DispatchSemaphore(value: 0)
        let isUpdating = DispatchSemaphore(value: 0)
        let mayGoOn = DispatchSemaphore(value: 0)
        let log = Log()
        private let (untilDisposal, disposal) = AsyncStream.makeStream(of: Void.self)

        func isDisposed() {
            disposal.finish()
        }

        /// Waits until a part is disposed. If it never is, the time limit of the test ends the wait.
        func disposed() async {
            for await _ in untilDisposal {}
        }

        func end(by ending: Ending) {
            if ending == .disposing { slot.loop?.dispose() }
            slot.loop = nil
        }
    }

    @Test(
        "A disposable may wait for a worker that is processing an event when the loop ends",
        arguments: Ending.allCases)

    func joining(ending: Ending) async {
        let scene = Scene()
        let handler = EffectRouter<Int, Int>().routeEffects(equalTo: 1).to { _, callback in
            let hasEnded = DispatchSemaphore(value: 0)
            DispatchQueue(label: "worker").async {
                // During the start, the thread that starts the loop would process the event.
                scene.hasStarted.wait()
                callback.send(2)
                hasEnded.signal()
            }
            return AnonymousDisposable {
                hasEnded.wait()
                scene.log.append("joined")
                scene.isDisposed()
            }
        }
        let update = Update<[Int], Int, Int> { model, event in
            if event == 2 {
                scene.isUpdating.signal()
                scene.mayGoOn.wait()
            }
            return trail(model, event == 2 ? -2 : event)
        }
        scene.slot.loop = Mobius.loop(update: update, effectHandler: handler).start(from: [], effects: [1])
        scene.hasStarted.signal()
        scene.isUpdating.wait()
        scene.end(by: ending)
        scene.mayGoOn.signal()
        await scene.disposed()
        #expect(scene.log.lines == ["joined"])
    }

    @Test(
        "A loop that another thread ends completes its event, and is disposed off the draining thread",
        arguments: Ending.allCases)

    func order(ending: Ending) async {
        let scene = Scene()
        let drainingThread = Record<ThreadMark>()
        let handler = ManualHandler<Int, Int>(
            onDispose: {
                if drainingThread.values != [.current] { scene.log.append("handler disposed elsewhere") }
            },
            onAccept: { effect, send in
                scene.log.append("effect \(effect)")
                send(3)
            })
        let source = ManualEventSource<Int>(
            onDispose: {
                if drainingThread.values != [.current] { scene.log.append("source disposed elsewhere") }
                scene.isDisposed()
            })
        let update = Update<[Int], Int, Int> { model, event in
            if event == 1 {
                drainingThread.append(.current)
                scene.isUpdating.signal()
                scene.mayGoOn.wait()
            }
            return trail(model, event)
        }
        scene.slot.loop = Mobius.loop(update: update, effectHandler: handler).withEventSource(source).start(from: [])
        scene.slot.loop?.addObserver { scene.log.append("model \($0)") }
        DispatchQueue(label: "worker").async { source.emit(1) }
        scene.isUpdating.wait()
        source.emit(2)
        scene.end(by: ending)
        source.emit(2)
        #expect(handler.disposalCount == 0)
        scene.mayGoOn.signal()
        await scene.disposed()
        #expect(
            scene.log.lines == [
                "model []", "model [1]", "effect 1", "handler disposed elsewhere", "source disposed elsewhere",
            ])
        #expect(handler.disposalCount == 1)
        #expect(source.disposalCount == 1)
    }
}

/// A loop that its own update function ends.
@Suite(.timeLimit(.minutes(10)))
struct DisposalInUpdateTests {
    private struct Model: Sendable {
        var token: Witness?
        var count = 0
    }

    private typealias ModelLoop = MobiusLoop<Model, Int, Int>

    private let handler = ManualHandler<Int, Int>()
    private let source = ManualEventSource<Int>()
    private let counts = Record<Int>()

    /// Returns an update in place and one that returns its model. Both apply `change` at each event.
    private func updates(
        _ change: @escaping @Sendable (inout Model) -> Void
    ) -> [Update<Model, Int, Int>] {
        let inPlace = Update<Model, Int, Int>(inPlace: { model, event in
            change(&model)
            model.count += event
            return [event]
        })
        return [inPlace, Update { model, event in inPlace(model, event) }]
    }

    /// Sends 1 and 2 to loops whose update ends them at the first event.
    private func expectEnd(
        from model: (Guarded<ModelLoop?>) -> Model, _ change: @escaping @Sendable (inout Model, ModelLoop?) -> Void
    ) {
        let slot = Guarded<ModelLoop?>(nil)
        // Reads the model, which would trap during an update.
        let handler = ManualHandler<Int, Int>(onDispose: { [counts] in
            if let loop = slot.withLock({ $0 }) { counts.append(-loop.latestModel.count) }
        })
        for (index, update) in updates({ model in change(&model, slot.withLock { $0 }) }).enumerated() {
            let loop = Mobius.loop(update: update, effectHandler: handler).withEventSource(source)
                .start(from: model(slot))
            loop.addObserver { counts.append($0.count) }
            slot.withLock { $0 = loop }
            source.emit(1)
            source.emit(2)
            #expect(loop.latestModel.count == 1)
            #expect(counts.values == Array(repeating: [0, -1], count: index + 1).flatMap { $0 })
            #expect(handler.effects == [])
            #expect(handler.disposalCount == index + 1)
            #expect(source.disposalCount == index + 1)
            slot.withLock { $0 = nil }
        }
    }

    @Test("An update that disposes its loop commits its model, and the loop is disposed right after")
    func disposing() {
        expectEnd(from: { _ in Model() }, { _, loop in loop?.dispose() })
    }

    @Test("An update may drop a value whose deinit disposes the loop")
    func disposingByDeinit() {
        expectEnd(
            from: { slot in Model(token: Witness { slot.withLock { $0 }?.dispose() }) },
            { model, _ in model.token = nil })
    }

    @Test("An update may drop the last reference to its loop")
    func dropping() {
        let slot = Guarded<ModelLoop?>(nil)
        for (index, update) in updates({ _ in slot.value = nil }).enumerated() {
            slot.withLock { held in
                held = Mobius.loop(update: update, effectHandler: handler).withEventSource(source).start(from: Model())
            }
            source.emit(1)
            #expect(handler.effects == [])
            #expect(handler.disposalCount == index + 1)
            #expect(source.disposalCount == index + 1)
        }
    }
}
