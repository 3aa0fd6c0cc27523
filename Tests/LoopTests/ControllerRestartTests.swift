import Dispatch
import Loop
import TestSupport
import Testing
import VirtualTime

/// Stops and restarts, and the events, callbacks and effects of an earlier start.
@Suite(.timeLimit(.minutes(10))) struct ControllerRestartTests {
    @Test("An update function may stop its controller, which takes effect after the update")
    func stopsInUpdate() {
        let (port, loopQueue, log) = (Port<Numbers.Event>(), DispatchQueue(label: "loop"), Log())
        let controller = Numbers.controller(
            Numbers.builder(effectHandler: PortHandler(port: Port(), log: log))
                .withEventSource(PortSource(port: port, log: log)),
            loopQueue: loopQueue)
        controller.start()
        port.send(
            .callInUpdate { [unowned controller] in
                controller.stop()
                log.append("updated, running: \(controller.running)")
            })
        port.send(.add(1))
        loopQueue.settle()
        #expect(!controller.running)
        #expect(controller.model.isEmpty)
        #expect(
            log.lines == [
                "handler connected", "source connected", "updated, running: true", "handler disposed",
                "source disposed",
            ])
        controller.start()
        #expect(controller.running)
        controller.stop()
    }

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

    @Test("95. Events that are enqueued at a stop are dropped")
    func dropsWhatWaits() {
        let port = Port<Numbers.Event>()
        let controller = Numbers.controller(Numbers.builder().withEventSource(PortSource(port: port)))
        controller.start()
        let isStopped = DispatchSemaphore(value: 0)
        port.send(.add(1))
        port.send(
            .call { [unowned controller] in
                for number in 2...4 { port.send(.add(number)) }
                controller.stop()
                isStopped.signal()
            })
        isStopped.wait()
        controller.start()
        port.settle()
        #expect(controller.model == [1])
        controller.stop()
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

    @Test("96. A restart continues from the last model and reconnects handler, source and views")
    func reconnects() {
        let log = Log()
        let port = Port<Numbers.Event>()
        let viewQueue = DispatchQueue(label: "view")
        let controller = Numbers.controller(
            from: [0],
            Numbers.builder(effectHandler: PortHandler(port: Port(), log: log))
                .withEventSource(PortSource(port: port, log: log)),
            viewQueue: viewQueue)
        controller.connectView(Screen(log: log))
        for number in 1...2 {
            controller.start()
            port.send(.add(number))
            port.settle()
            // A view that is still busy would be disposed after the stop.
            viewQueue.settle()
            controller.stop()
            #expect(controller.model == Array(0...number))
        }
        let cycle = [
            "view connected", "handler connected", "source connected",
            "handler disposed", "source disposed", "view disposed",
        ]
        #expect(log.lines == cycle + cycle)
    }

    @Test("97. Every start calls initiate, and passes its effects to the handler before returning")
    func initiates() {
        let log = Log()
        let controller = Numbers.controller(
            from: [1],
            initiate: { model in
                First(model: model + [model.count], effects: [.call { log.append("\(model)") }])
            })
        controller.start()
        #expect(controller.model == [1, 1])
        #expect(log.lines == ["[1]"])
        controller.stop()
        controller.start()
        #expect(controller.model == [1, 1, 2])
        #expect(log.lines == ["[1]", "[1, 1]"])
        controller.stop()
    }

    @Test("105. The source and the handler of an earlier start cannot send to the next start")
    func staleConnections() {
        let (handler, source) = (Port<Numbers.Event>(), Port<Numbers.Event>())
        let controller = Numbers.controller(
            Numbers.builder(effectHandler: PortHandler(port: handler)).withEventSource(PortSource(port: source)))
        controller.start()
        controller.stop()
        controller.start()
        handler.send(.add(1), by: 0)
        source.send(.add(2), by: 0)
        handler.send(.add(3))
        source.send(.add(4))
        source.settle()
        #expect(controller.model == [3, 4])
        controller.stop()
    }

    @Test("105. A callback of an earlier start has ended and sends nothing to the next start")
    func staleCallbacks() throws {
        let port = Port<Numbers.Event>()
        let callbacks = Record<EffectCallback<Numbers.Event>>()
        let handler = EffectSwitch<Numbers.Effect, Numbers.Event> { effect in
            switch effect {
            case .call(let body):
                .to { callback in
                    callbacks.append(callback)
                    body()
                    return EmptyDisposable()
                }
            }
        }
        let controller = Numbers.controller(
            Numbers.builder(effectHandler: handler).withEventSource(PortSource(port: port)))
        controller.start()
        port.settle()
        let callback = try #require(callbacks.values.first)
        #expect(!callback.ended)
        controller.stop()
        #expect(callback.ended)
        controller.start()
        callback.send(.add(1))
        callback.end(with: .add(2))
        port.settle()
        #expect(controller.model.isEmpty)
        controller.stop()
    }

    @Test("106. An effect that is enqueued on its queue at a stop does not run")
    func dropsWaitingEffects() {
        let queue = DispatchQueue(label: "effects")
        let (port, log) = (Port<Numbers.Event>(), Log())
        let router = EffectRouter<Numbers.Effect, Numbers.Event>()
            .routeEffects(withParameters: { $0 }).on(queue: queue).to { _ in log.append("ran") }
        let controller = Numbers.controller(
            Numbers.builder(effectHandler: router).withEventSource(PortSource(port: port)),
            initiate: { First(model: $0, effects: [.call {}]) })
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
        let isDone = Guarded(0)
        let handler = EffectSwitch<Numbers.Effect, Numbers.Event> { _ in
            .to { callback in
                let (mayEnd, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                DispatchQueue(label: "worker").async {
                    mayEnd.wait()
                    callback.send(.add(1))
                    callback.end(with: .add(2))
                    isDone.withLock { $0 += 1 }
                    hasEnded.signal()
                }
                return AnonymousDisposable {
                    mayEnd.signal()
                    hasEnded.wait()
                }
            }
        }
        let source = AnyEventSource<Numbers.Event> { consumer in
            let (mayEnd, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            DispatchQueue(label: "worker").async {
                mayEnd.wait()
                consumer(.add(3))
                isDone.withLock { $0 += 1 }
                hasEnded.signal()
            }
            return AnonymousDisposable {
                mayEnd.signal()
                hasEnded.wait()
            }
        }
        let controller = Numbers.controller(
            Numbers.builder(effectHandler: handler).withEventSource(source),
            initiate: { First(model: $0, effects: [.call {}]) })
        controller.start()
        controller.stop()
        #expect(isDone.withLock { $0 } == 2)
        #expect(controller.model.isEmpty)
    }

    @Test("93, 96. A stop waits for a start on another thread")
    func stopsWhileAnotherStarts() {
        let log = Log()
        let hasStopped = DispatchSemaphore(value: 0)
        // Suspended, so that the view is not busy: a busy view would be disposed after the stop.
        let viewQueue = DispatchQueue(label: "view")
        viewQueue.suspend()
        defer { viewQueue.resume() }
        let controller = Numbers.controller(
            Numbers.builder(effectHandler: PortHandler(port: Port(), log: log))
                .withEventSource(PortSource(port: Port(), log: log)),
            viewQueue: viewQueue)
        let view = AnyConnectable<[Int], Numbers.Event> { [unowned controller] _ in
            let isThere = DispatchSemaphore(value: 0)
            DispatchQueue(label: "other").async {
                isThere.signal()
                controller.stop()
                log.append("stopped")
                hasStopped.signal()
            }
            isThere.wait()
            log.append("view connected")
            return Connection(acceptClosure: { _ in }, disposeClosure: { log.append("view disposed") })
        }
        controller.connectView(view)
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
        let log = Log()
        let hasStarted = DispatchSemaphore(value: 0)
        let isFirst = Guarded(true)
        // Suspended, so that the view is not busy: a busy view would be disposed and reconnected later.
        let viewQueue = DispatchQueue(label: "view")
        viewQueue.suspend()
        defer { viewQueue.resume() }
        let controller = Numbers.controller(viewQueue: viewQueue)
        let view = AnyConnectable<[Int], Numbers.Event> { [unowned controller] _ in
            log.append("connected")
            return Connection(
                acceptClosure: { _ in },
                disposeClosure: {
                    guard
                        isFirst.withLock({ isFirst in
                            defer { isFirst = false }
                            return isFirst
                        })
                    else { return }
                    let isThere = DispatchSemaphore(value: 0)
                    DispatchQueue(label: "other").async {
                        isThere.signal()
                        controller.start()
                        hasStarted.signal()
                    }
                    isThere.wait()
                    log.append("disposed")
                })
        }
        controller.connectView(view)
        controller.start()
        controller.stop()
        hasStarted.wait()
        #expect(controller.running)
        #expect(log.lines == ["connected", "disposed", "connected"])
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
        .withEventSource(AnyEventSource<Event> { AnonymousDisposable(keep("source", $0)) })
        .makeController(
            from: Witness { [isFree] in isFree.signal() }, loopQueue: loopQueue, viewQueue: viewQueue)
        controller.connectView(
            AnyConnectable<Witness, Event> { consumer in
                Connection(acceptClosure: { _ in }, disposeClosure: keep("view", consumer))
            })
        return controller
    }

    private func expectEnd() {
        isFree.wait()
        // The thread that has released the model may still be disposing connections.
        for queue in [loopQueue, viewQueue] { queue.settle() }
        #expect(Set(log.lines) == ["handler disposed", "source disposed", "view disposed"])
        #expect(log.lines.count == 3)
        #expect(port.count == 3)
        for index in 0..<3 { port.send(.call { Issue.record("event after release") }, by: index) }
    }

    @Test("101. Releasing a running controller disposes its connections and releases its model")
    func dropping() {
        var controller: Controller? = makeController()
        weak let weakController = controller
        controller?.start()
        controller = nil
        #expect(weakController == nil)
        expectEnd()
    }

    @Test("101. Releasing a stopped controller releases its model")
    func droppingStopped() {
        var controller: Controller? = makeController()
        controller?.start()
        controller?.stop()
        controller = nil
        expectEnd()
    }

    @Test("101, 107. An effect handler may release the last reference to its controller")
    func droppingInHandler() {
        let holder = Guarded<Controller?>(makeController())
        holder.withLock { $0?.start() }
        port.send(.call { holder.value = nil })
        expectEnd()
    }

    @Test("101, 107. An update function may release the last reference to its controller")
    func droppingInUpdate() {
        let holder = Guarded<Controller?>(makeController())
        holder.withLock { $0?.start() }
        port.send(.callInUpdate { holder.value = nil })
        expectEnd()
    }
}
