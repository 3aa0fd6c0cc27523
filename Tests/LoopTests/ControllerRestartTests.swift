import Dispatch
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
