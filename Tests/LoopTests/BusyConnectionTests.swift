import Dispatch
import FunctionalCore
import Loop
import TestSupport
import Testing

/// What is busy when its loop is stopped is disposed afterwards, and connected again only then.
@Suite struct BusyConnectionTests {
    /// Waits in each value until it is told to go on.
    private class Busy: ConnectableClass<Int, Int>, @unchecked Sendable {
        let began = DispatchSemaphore(value: 0)
        let goesOn = DispatchSemaphore(value: 0)
        let log = Log()

        override func onConnect() { log.append("connected") }

        override func handle(_ value: Int) {
            log.append("\(value)")
            began.signal()
            goesOn.wait()
        }

        override func onDispose() { log.append("disposed") }
    }

    private let adding = Update<Int, Int, Int> { model, event in .next(model + event) }

    @Test("93, 96. A view that is busy at a stop is connected again after it was disposed, and misses nothing")
    func viewIsConnectedAgain() {
        let (view, queue) = (Busy(), DispatchQueue(label: "view"))
        let controller = Mobius.loop(update: adding, effectHandler: EffectRouter<Int, Int>())
            .makeController(from: 1, loopQueue: .global(), viewQueue: queue)
        controller.connectView(view)

        controller.start()
        view.began.wait()
        controller.stop()
        controller.replaceModel(2)
        controller.start()
        #expect(view.log.lines == ["connected", "1"])
        view.goesOn.signal()
        view.began.wait()
        view.goesOn.signal()
        queue.sync {}
        controller.stop()

        #expect(view.log.lines == ["connected", "1", "disposed", "connected", "2", "disposed"])
    }

    @Test("93, 96. A connectable on a queue that is busy at a stop is connected again after it was disposed")
    func targetIsConnectedAgain() {
        let (target, queue) = (Busy(), DispatchQueue(label: "target"))
        let controller = Mobius.loop(
            update: adding,
            effectHandler: EffectRouter<Int, Int>().routeEffects(withParameters: { $0 }).on(queue: queue).to(target)
        )
        .makeController(from: 1, initiate: { First(model: $0 + 1, effects: [$0]) }, loopQueue: .global())

        controller.start()
        target.began.wait()
        controller.stop()
        controller.start()
        #expect(target.log.lines == ["connected", "1"])
        target.goesOn.signal()
        target.began.wait()
        target.goesOn.signal()
        queue.sync {}
        controller.stop()

        #expect(target.log.lines == ["connected", "1", "disposed", "connected", "2", "disposed"])
    }

    @Test("90. A view that keeps the newest three models is given those three, however long it was busy")
    func newestThree() {
        let (view, queue) = (Busy(), DispatchQueue(label: "view"))
        let controller = Mobius.loop(update: adding, effectHandler: EffectRouter<Int, Int>())
            .withEventSource(
                AnyEventSource { consumer in
                    // The view is given the first model before any of these.
                    for _ in 0..<3 { consumer(1) }
                    return EmptyDisposable()
                }
            )
            .makeController(from: 0, loopQueue: .global(), viewQueue: queue)
        controller.connectView(view, buffering: .newest(3))
        queue.suspend()
        controller.start()
        queue.resume()
        for _ in 0..<3 {
            view.began.wait()
            view.goesOn.signal()
        }
        queue.sync {}
        controller.stop()
        #expect(view.log.lines == ["connected", "1", "2", "3", "disposed"])
    }
}
