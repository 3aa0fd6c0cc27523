import Dispatch
import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

/// Stops and restarts, and the events, callbacks and effects of an earlier start.
@Suite(.timeLimit(.minutes(10))) struct ControllerRestartTests {
    @Test("A late stop of an earlier start does not stop the next start")
    func lateStop() {
        let (port, loopQueue, executor) = (Port<Numbers.Event>(), DispatchQueue(label: "loop"), ManualExecutor())
        let controller = Numbers.controller(
            Numbers.builder().withEventSource(PortSource(port: port)), loopQueue: loopQueue)
        controller.start()
        loopQueue.suspend()
        loopQueue.async {
            controller.stop()
            controller.start()
        }
        // This stop belongs to the first start, and takes effect on the loop's queue.
        Task(executorPreference: executor) { await controller.stopAndWait() }
        executor.drain()
        loopQueue.resume()
        loopQueue.sync {}
        executor.drain()
        #expect(controller.running)
        port.send(.add(1))
        loopQueue.settle()
        controller.stopIfRunning()
        #expect(controller.model == [1])
    }

    @Test("95. A stop right after events keeps a prefix of them, and no later event is processed")
    func stopsRightAfterEvents() {
        let port = Port<Numbers.Event>()
        let controller = Numbers.controller(Numbers.builder().withEventSource(PortSource(port: port)))
        for _ in 0..<500 {
            controller.replaceModel([])
            controller.start()
            for number in 0..<10 { port.send(.add(number)) }
            controller.stop()
            let left = controller.model
            #expect(left == Array(0..<left.count))
            controller.start()
            port.settle()
            #expect(controller.model == left)
            controller.stop()
        }
    }

    @Test("106. An effect that is enqueued on its queue at a stop does not run", arguments: 0..<3)
    func dropsWaitingEffects(kind: Int) {
        let (queue, log) = (DispatchQueue(label: "effects"), Log())
        let route = EffectRouter<Numbers.Effect, Numbers.Event>().routeEffects(withParameters: { $0 }).on(queue: queue)
        let run: @Sendable (Numbers.Effect) -> Void = { _ in log.append("ran") }
        let router =
            switch kind {
            case 0: route.to(run)
            case 1: route.policy(.queued).to(run)
            default:
                route.to { effect, _ in
                    run(effect)
                    return EmptyDisposable()
                }
            }
        let controller = Numbers.controller(
            Numbers.builder(effectHandler: router), initiate: { First(model: $0, effects: [.call {}]) })
        queue.suspend()
        controller.start()
        controller.stop()
        queue.resume()
        queue.sync {}
        #expect(log.lines.isEmpty)
        controller.start()
        queue.sync {}
        #expect(log.lines == ["ran"])
        controller.stop()
    }

    @Test("108. A disposable that waits for a worker that is sending does not block stop")
    func joiningDisposables() {
        let log = Log()
        let handler = EffectSwitch<Numbers.Effect, Numbers.Event> { _ in
            .to { callback in
                worker {
                    callback.send(.add(1))
                    callback.end(with: .add(2))
                    log.append("handler")
                }
            }
        }
        let source = AnyEventSource<Numbers.Event> { consumer in
            worker {
                consumer(.add(3))
                log.append("source")
            }
        }
        let controller = Numbers.controller(
            Numbers.builder(effectHandler: handler).withEventSource(source),
            initiate: { First(model: $0, effects: [.call {}]) })
        controller.start()
        controller.stop()
        #expect(log.lines == ["handler", "source"])
        #expect(controller.model.isEmpty)
    }

    @Test("93, 96. A stop waits for a start on another thread")
    func stopsWhileAnotherStarts() {
        let (log, hasStopped) = (Log(), DispatchSemaphore(value: 0))
        // Suspended, so that the view is not busy: a busy view would be disposed after the stop.
        let viewQueue = DispatchQueue(label: "view")
        viewQueue.suspend()
        defer { viewQueue.resume() }
        let controller = Numbers.controller(Numbers.logging(log), viewQueue: viewQueue)
        let stop: @Sendable () -> Void = { [unowned controller] in
            controller.stop()
            log.append("stopped")
            hasStopped.signal()
        }
        controller.connectView(Screen(log: log, onConnect: { meanwhile(stop) }))
        controller.start()
        hasStopped.wait()
        #expect(
            log.lines == [
                "view connected", "handler connected", "source connected",
                "handler disposed", "source disposed", "view disposed", "stopped",
            ])
    }

    @Test("93, 96. A start waits for a stop on another thread")
    func startsWhileAnotherStops() {
        let (log, hasStarted) = (Log(), DispatchSemaphore(value: 0))
        // Suspended, so that the view is not busy: a busy view would be disposed and reconnected later.
        let viewQueue = DispatchQueue(label: "view")
        viewQueue.suspend()
        defer { viewQueue.resume() }
        let controller = Numbers.controller(viewQueue: viewQueue)
        let start: @Sendable () -> Void = { [unowned controller] in
            controller.start()
            hasStarted.signal()
        }
        controller.connectView(Screen(log: log, onDispose: { if log.lines.count == 1 { meanwhile(start) } }))
        controller.start()
        controller.stop()
        hasStarted.wait()
        #expect(controller.running)
        #expect(log.lines == ["view connected", "view disposed", "view connected"])
        controller.stop()
    }
}

/// Releasing the last reference to a controller.
@Suite(.timeLimit(.minutes(10))) struct ControllerReleaseTests {
    private enum Event: Sendable {
        case call(@Sendable () -> Void)
        case callInUpdate(@Sendable () -> Void)
    }

    private typealias Controller = MobiusController<Witness, Event, @Sendable () -> Void>

    private let port = Port<Event>()
    private let log = Log()
    private let isFree = DispatchSemaphore(value: 0)
    private let loopQueue = DispatchQueue(label: "loop")
    private let viewQueue = DispatchQueue(label: "view")

    /// Returns a controller whose handler, source and view never release their consumers.
    private func makeController() -> Controller {
        let keep = { @Sendable [port, log] (name: String, consumer: @escaping Consumer<Event>) in
            port.attach(consumer)
            return { @Sendable in
                log.append("\(name) disposed")
                // A connection may send while it is being disposed, on any thread.
                consumer(.call {})
            }
        }
        let controller = Mobius.loop(
            update: { (model: Witness, event: Event) -> Next<Witness, @Sendable () -> Void> in
                switch event {
                case .call(let body): return .dispatchEffects([body])
                case .callInUpdate(let body):
                    body()
                    return .noChange
                }
            },
            effectHandler: AnyConnectable<@Sendable () -> Void, Event> { consumer in
                Connection(acceptClosure: { $0() }, disposeClosure: keep("handler", consumer))
            }
        )
        .withEventSource(AnyEventSource<Event> { AnonymousDisposable(disposer: keep("source", $0)) })
        .makeController(
            from: Witness { [isFree] in isFree.signal() }, loopQueue: loopQueue, viewQueue: viewQueue)
        controller.connectView(
            AnyConnectable<Witness, Event> { consumer in
                Connection(acceptClosure: { _ in }, disposeClosure: keep("view", consumer))
            })
        return controller
    }

    /// The code that releases the last reference.
    enum Place: CaseIterable { case caller, callerAfterStop, handler, update }

    @Test(
        "101, 107. Releasing the last reference to a controller disposes its connections and releases its model",
        arguments: Place.allCases)
    func releasing(in place: Place) {
        let holder = Guarded<Controller?>(makeController())
        weak let controller = holder.value
        controller?.start()
        switch place {
        case .caller:
            holder.value = nil
            #expect(controller == nil)
        case .callerAfterStop:
            controller?.stop()
            holder.value = nil
        case .handler: port.send(.call { holder.value = nil })
        case .update: port.send(.callInUpdate { holder.value = nil })
        }
        isFree.wait()
        // The thread that has released the model may still be disposing connections.
        for queue in [loopQueue, viewQueue] { queue.settle() }
        #expect(log.lines.sorted() == ["handler disposed", "source disposed", "view disposed"])
        #expect(port.count == 3)
        for index in 0..<3 { port.send(.call { Issue.record("event after release") }, by: index) }
    }
}
