import Dispatch
import Loop
import Observation
import TestSupport
import Testing

/// `withObservationTracking` of the model of a loop and of a controller.
@MainActor
@Suite("Tracking of models", .timeLimit(.minutes(10)))
struct LoopTrackingTests {
    private let handled = Record<Int>()

    /// Adds each event to the model. 0 changes nothing. A negative event is also an effect.
    private func loop(
        onEffect: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> MobiusLoop<Int, Int, Int> {
        Mobius.loop(
            update: { (model: Int, event: Int) -> Next<Int, Int> in
                event == 0 ? .noChange : .next(model + event, effects: event < 0 ? [event] : [])
            },
            effectHandler: EffectRouter<Int, Int>().routeEffects(withParameters: { $0 }).to { [handled] effect in
                handled.append(effect)
                onEffect(effect)
            }
        ).start(from: 0)
    }

    @Test("Tracking the model of a loop notifies once, at the next model")
    func loopNotifies() {
        let loop = loop()
        let tracking = Tracking { loop.latestModel }
        loop.dispatchEvent(0)
        #expect(tracking.notifications == 0)
        loop.dispatchEvent(1)
        loop.dispatchEvent(1)
        #expect(tracking.notifications == 1)
    }

    @Test("The model is the new one when tracking notifies, and observers have been notified")
    func order() {
        let loop = loop()
        let log = Log()
        loop.addObserver { model in log.append("observed \(model)") }
        withObservationTracking {
            _ = loop.latestModel
        } onChange: {
            log.append("notified \(loop.latestModel)")
        }
        loop.dispatchEvent(1)
        #expect(log.lines == ["observed 0", "observed 1", "notified 1"])
    }

    @Test("An event that is dispatched by a notification is processed in turn")
    func reentrantDispatch() {
        let loop = loop()
        withObservationTracking {
            _ = loop.latestModel
        } onChange: { [handled] in
            loop.dispatchEvent(10)
            handled.append(loop.latestModel)
        }
        loop.dispatchEvent(-1)
        #expect(loop.latestModel == 9)
        #expect(handled.values == [-1, -1])
    }

    @Test("A notification may dispose the loop, which then handles no effects")
    func reentrantDisposal() {
        let loop = loop()
        withObservationTracking {
            _ = loop.latestModel
        } onChange: {
            loop.dispose()
        }
        loop.dispatchEvent(-1)
        #expect(loop.latestModel == -1)
        #expect(handled.values == [])
    }

    @Test("A loop that is disposed by its update notifies of the model that it keeps")
    func disposedInUpdate() {
        let slot = Guarded<MobiusLoop<Int, Int, Int>?>(nil)
        let update = Update<Int, Int, Int> { model, event in
            slot.value?.dispose()
            return .next(model + event)
        }
        let loop = Mobius.loop(update: update, effectHandler: EffectRouter<Int, Int>()).start(from: 0)
        slot.value = loop
        let tracking = Tracking { loop.latestModel }
        loop.dispatchEvent(1)
        #expect(loop.latestModel == 1)
        #expect(tracking.notifications == 1)
        slot.value = nil
    }

    @Test("Tracking that misses a notification, because the tracked closure dispatches, is notified of the next model")
    func missedNotification() {
        let loop = loop()
        let tracking = Tracking {
            _ = loop.latestModel
            loop.dispatchEvent(1)
        }
        #expect(tracking.notifications == 0)
        loop.dispatchEvent(1)
        #expect(tracking.notifications == 1)
    }

    @Test("A reader on the main actor sees the last model of other threads")
    func otherThreads() async {
        let loop = loop()
        let reader = TrackingReader { loop.latestModel }
        await Task.detached { onThreads(2) { _ in for _ in 0..<100 { loop.dispatchEvent(1) } } }.value
        await yield { reader.values.last == 200 }
        #expect(reader.values.first == 0)
    }

    // MARK: - Controllers

    private func controller(initiate: Initiate<[Int], Numbers.Effect>? = nil) -> Numbers.Controller {
        Numbers.controller(initiate: initiate, loopQueue: .global())
    }

    @Test("Tracking the model of a controller continues across stops and starts")
    func restarts() async {
        let controller = controller()
        let reader = TrackingReader { controller.model }
        for number in 1...3 {
            controller.start()
            controller.dispatchEvent(.add(number))
            await yield { reader.values.last?.last == number }
            controller.stop()
        }
        #expect(reader.values.last == [1, 2, 3])
    }

    @Test("Tracking the model of a running controller notifies at the next model")
    func running() async {
        let queue = DispatchQueue(label: "loop")
        let controller = Numbers.controller(loopQueue: queue)
        controller.start()
        queue.sync {}
        let tracking = Tracking { controller.model }
        controller.dispatchEvent(.add(1))
        queue.sync {}
        // The notification has been enqueued on the main actor.
        await Task { @MainActor in }.value
        #expect(tracking.notifications == 1)
        controller.stop()
    }

    @Test("A start that changes the model notifies")
    func starts() async {
        let controller = controller(initiate: { First(model: $0 + [7]) })
        let reader = TrackingReader { controller.model }
        controller.start()
        await yield { reader.values.last == [7] }
        controller.stop()
        controller.start()
        await yield { reader.values.last == [7, 7] }
        controller.stop()
    }

    @Test("replaceModel notifies, and a stop does not")
    func replacing() async {
        let controller = controller()
        controller.start()
        let stop = Tracking { controller.model }
        controller.stop()
        #expect(stop.notifications == 0)
        controller.replaceModel([1])
        #expect(stop.notifications == 1)
        #expect(controller.model == [1])
    }

    @Test("A stop in the update notifies of the model that the update has returned")
    func stopInUpdate() async {
        let slot = Guarded<Numbers.Controller?>(nil)
        let controller = Mobius.loop(
            update: { (model: [Int], event: Numbers.Event) -> Next<[Int], Numbers.Effect> in
                slot.value?.stop()
                return .next(model + [1])
            }, effectHandler: Numbers.handler
        ).makeController(from: [])
        slot.value = controller
        let reader = TrackingReader { controller.model }
        controller.start()
        await yield { reader.values.count == 2 }
        controller.dispatchEvent(.add(1))
        await yield { reader.values.last == [1] }
        await controller.stopAndWait()
        #expect(controller.model == [1])
        slot.value = nil
    }
}
