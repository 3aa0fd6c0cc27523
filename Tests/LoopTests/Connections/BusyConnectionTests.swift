import Foundation
import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

/// A connection that is busy when its loop is stopped is disposed afterwards, and connected again only then.
@Suite(.timeLimit(.minutes(10))) struct BusyConnectionTests {
    /// Blocks on each value until `goesOn` is signalled.
    private class Busy: ConnectableClass<Int, Int>, @unchecked Sendable {
        let began = DispatchSemaphore(value: 0)
        let goesOn = DispatchSemaphore(value: 0)
        let log = Log()
        /// The value that it sends back.
        let sends: Int?

        init(sends: Int? = nil) {
            self.sends = sends
            super.init()
        }

        override func onConnect() { log.append("connected") }

        override func handle(_ value: Int) {
            log.append("\(value)")
            began.signal()
            goesOn.wait()
            if value == sends { send(value) }
        }

        override func onDispose() { log.append("disposed") }
    }

    /// Blocks on the first value of its first connection until `goesOn` is signalled, and may be connected several times
    /// at once.
    private final class Shared: Connectable, Sendable {
        let (began, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let log = Log()
        private let connections = Record<Void>()
        private let onConnect: @Sendable (Int) -> Void

        /// Creates a connectable that calls `onConnect` with the number of each connection while it is being made.
        init(onConnect: @escaping @Sendable (Int) -> Void = { _ in }) {
            self.onConnect = onConnect
        }

        func connect(_ consumer: @escaping Consumer<Int>) -> Connection<Int> {
            connections.append(())
            let number = connections.values.count
            log.append("connecting \(number)")
            onConnect(number)
            log.append("connected \(number)")
            return Connection(
                acceptClosure: { [began, goesOn, log] value in
                    log.append("\(number) given \(value)")
                    guard number == 1 else { return }
                    began.signal()
                    goesOn.wait()
                },
                disposeClosure: { [log] in log.append("disposed \(number)") })
        }
    }

    private let adding = Update<Int, Int, Int> { model, event in .next(model + event) }
    private let route = EffectRouter<Int, Int>().routeEffects(withParameters: { $0 })

    /// A controller with a view or a handler on a queue, which is given the model at each start.
    private func controller(
        _ target: some Connectable<Int, Int> & Sendable, isView: Bool, on queue: DispatchQueue
    ) -> MobiusController<Int, Int, Int> {
        let controller = Mobius.loop(
            update: adding, effectHandler: isView ? route.to { _ in } : route.on(queue: queue).to(target)
        )
        .makeController(
            from: 1, initiate: { First(model: $0, effects: [$0]) }, loopQueue: .global(), viewQueue: queue)
        return controller
    }

    /// Makes a connection that accepts 1 on another thread, and disposes it when its target is busy. Returns a semaphore
    /// that is signalled when the value has been accepted.
    private func occupy(_ router: EffectRouter<Int, Int>, until began: DispatchSemaphore) -> DispatchSemaphore {
        let (connection, isAccepted) = (router.connect { _ in }, DispatchSemaphore(value: 0))
        Thread {
            connection.accept(1)
            isAccepted.signal()
        }.start()
        began.wait()
        connection.dispose()
        return isAccepted
    }

    enum Next { case sameController, sameControllerAfterDisconnection, otherController }

    @Test(
        "93, 96. A view or a connectable that is busy at a stop is disposed, connected again and given the new value",
        arguments: [
            (true, .sameController), (true, .sameControllerAfterDisconnection), (true, .otherController),
            (false, .sameController), (false, .otherController),
        ] as [(Bool, Next)])
    func connectedAgain(isView: Bool, next: Next) {
        let busy = Busy()
        let queues = [DispatchQueue(label: "first"), DispatchQueue(label: "second")]
        let controllers = queues.map { controller(busy, isView: isView, on: $0) }
        let (first, second) = (controllers[0], controllers[next == .otherController ? 1 : 0])
        if isView { first.connectView(busy) }
        first.start()
        busy.began.wait()
        first.stop()
        if isView, next != .sameController {
            first.disconnectView()
            second.connectView(busy)
        }
        second.replaceModel(2)
        second.start()
        #expect(busy.log.lines == ["connected", "1"])
        busy.goesOn.signal()
        busy.began.wait()
        busy.goesOn.signal()
        for queue in queues { queue.sync {} }
        second.stop()
        #expect(busy.log.lines == ["connected", "1", "disposed", "connected", "2", "disposed"])
    }

    @Test("93, 96. A busy view is disposed before its reconnection even after a late stop")
    func lateStop() {
        let (view, executor) = (Busy(), ManualExecutor())
        let (queue, loopQueue) = (DispatchQueue(label: "view"), DispatchQueue(label: "loop"))
        let controller = Mobius.loop(update: adding, effectHandler: EffectRouter<Int, Int>())
            .makeController(from: 1, loopQueue: loopQueue, viewQueue: queue)
        controller.connectView(view)
        controller.start()
        view.began.wait()
        view.goesOn.signal()
        queue.sync {}

        loopQueue.suspend()
        loopQueue.async {
            controller.stop()
            controller.start()
            view.began.wait()
            controller.stop()
        }
        // This stop belongs to the first start, and takes effect on the loop's queue.
        Task(executorPreference: executor) { await controller.stopAndWait() }
        executor.drain()
        loopQueue.resume()
        loopQueue.sync {}
        controller.start()
        #expect(view.log.lines == ["connected", "1", "disposed", "connected", "1"])
        view.goesOn.signal()
        view.began.wait()
        view.goesOn.signal()
        queue.sync {}
        controller.stop()
        // The view is disposed, so that `stopAndWait` returns.
        executor.drain()

        let once = ["connected", "1", "disposed"]
        #expect(view.log.lines == once + once + once)
    }

    @Test(
        "93, 96. Effects for a connectable that is busy for another router are accepted later, in order",
        arguments: [false, true])

    func effectsWaitForTheConnection(isAdapted: Bool) {
        let (target, link) = (Busy(sends: 2), Record<Connection<Int>>())
        let isAccepted = occupy(route.to(target), until: target.began)

        let same = isAdapted ? target.map { $0 } : AnyConnectable(target)
        let second = route.to(same).connect { [log = target.log] event in
            log.append("sent \(event)")
            // The third effect is enqueued at this time.
            onThreads(1) { _ in link.values[0].accept(4) }
        }
        link.append(second)
        for effect in 2...3 { second.accept(effect) }
        #expect(target.log.lines == ["connected", "1"])
        for _ in 1...4 { target.goesOn.signal() }
        isAccepted.wait()
        second.dispose()
        link.removeAll()
        #expect(
            target.log.lines == ["connected", "1", "disposed", "connected", "2", "sent 2", "3", "4", "disposed"])
    }

    @Test("93, 96. All connections that wait for the disposal of a busy one are made after it, in order")
    func severalWait() {
        let shared = Shared()
        let router = route.to(shared)
        let isAccepted = occupy(router, until: shared.began)

        let later = (2...3).map { effect in
            let connection = router.connect { _ in }
            connection.accept(effect)
            return connection
        }
        #expect(shared.log.lines == ["connecting 1", "connected 1", "1 given 1"])
        shared.goesOn.signal()
        isAccepted.wait()
        #expect(
            shared.log.lines.dropFirst(3) == [
                "disposed 1", "connecting 2", "connected 2", "2 given 2", "connecting 3", "connected 3", "3 given 3",
            ])
        for connection in later { connection.dispose() }
    }

    @Test(
        "93, 96. A late connection overlaps no other one while another thread restarts the controller",
        arguments: [true, false])

    func connectedLateAlone(isView: Bool) {
        let (link, queue) = (Record<MobiusController<Int, Int, Int>>(), DispatchQueue(label: "busy"))
        let busy = Shared(onConnect: { number in
            guard number == 2 else { return }
            onThreads(1) { _ in
                link.values[0].stop()
                link.values[0].start()
            }
        })
        let controller = controller(busy, isView: isView, on: queue)
        if isView { controller.connectView(busy) }
        link.append(controller)

        controller.start()
        busy.began.wait()
        controller.stop()
        controller.start()
        busy.goesOn.signal()
        queue.sync {}
        #expect(
            busy.log.lines.filter { !$0.contains("given") } == [
                "connecting 1", "connected 1", "disposed 1", "connecting 2", "connected 2", "disposed 2",
                "connecting 3", "connected 3",
            ])
        controller.stop()
        link.removeAll()
    }

    @Test("93, 96. A busy adapted view is not connected twice, and is released after its disconnection")
    func adaptedView() async {
        let update = Update<String, Int, Int> { model, _ in .next(model) }
        let controller = Mobius.loop(update: update, effectHandler: EffectRouter<Int, Int>())
            .makeController(from: "a", loopQueue: .global(), viewQueue: DispatchQueue(label: "view"))
        weak var released: Busy?
        do {
            let view = Busy()
            released = view
            let adapted = { view.contramap { (model: String) in model.count } }
            controller.connectView(adapted())
            controller.start()
            view.began.wait()
            controller.stop()
            controller.disconnectView()
            controller.connectView(adapted())
            controller.start()
            for _ in 0..<2 { view.goesOn.signal() }
            await controller.stopAndWait()
            #expect(view.log.lines.count { $0 == "connected" } == view.log.lines.count { $0 == "disposed" })
            controller.disconnectView()
        }
        // The threads that disposed of the view may still be returning. A leak ends this at the time limit.
        while released != nil, !Task.isCancelled { await Task.yield() }
        #expect(released == nil)
    }
}
