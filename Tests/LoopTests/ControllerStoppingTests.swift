import Dispatch
import FunctionalCore
import Loop
import TestSupport
import Testing

/// Stops and starts by several owners, from views and handlers, and from the loop's own queue.
@Suite(.timeLimit(.minutes(10)))
struct ControllerStoppingTests {
    // MARK: - Several owners

    @Test(
        "If many threads start or stop a controller, one succeeds and all wait for the start or the stop"
    )
    func oneOfMany() {
        let log = Log()
        let controller = Numbers.controller(
            Numbers.builder(effectHandler: PortHandler(port: Port(), log: log)),
            initiate: { First(model: $0 + [1]) })
        for round in 1...200 {
            let (starts, stops) = (Record<Bool>(), Record<Bool>())
            onThreads(4) { _ in
                starts.append(controller.startIfStopped())
                if controller.model.count != round { log.append("not started") }
            }
            onThreads(4) { _ in
                stops.append(controller.stopIfRunning())
                if controller.running { log.append("running") }
            }
            #expect(starts.values.count { $0 } == 1)
            #expect(stops.values.count { $0 } == 1)
            #expect(log.lines.count == 2 * round)
        }
    }

    @Test("Uncoordinated starts and stops by several threads connect and dispose a view alternately")
    func stopsAndStarts() {
        let log = Log()
        let viewQueue = DispatchQueue(label: "view")
        let controller = Numbers.controller(viewQueue: viewQueue)
        controller.connectView(Screen(log: log))
        onThreads(4) { thread in
            for _ in 0..<500 {
                if thread % 2 == 0 { controller.startIfStopped() } else { controller.stopIfRunning() }
            }
        }
        controller.stopIfRunning()
        viewQueue.settle()
        let expected = (0..<log.lines.count).map { $0 % 2 == 0 ? "view connected" : "view disposed" }
        #expect(log.lines == expected)
        #expect(log.lines.count % 2 == 0)
    }

    // MARK: - Asynchronously

    @Test("stopAndWait() waits for a view that is being given a model")
    func stopAndWaitForABusyView() async {
        let (log, viewQueue) = (Log(), DispatchQueue(label: "view"))
        let controller = Numbers.controller(viewQueue: viewQueue)
        let (isEntered, entered) = AsyncStream.makeStream(of: Void.self)
        let mayGoOn = DispatchSemaphore(value: 0)
        controller.connectView(
            Screen(log: log) { _ in
                entered.yield()
                mayGoOn.wait()
                log.append("accepted")
            })
        controller.start()
        for await _ in isEntered { break }
        async let stopped: Void = controller.stopAndWait()
        mayGoOn.signal()
        await stopped
        #expect(log.lines == ["view connected", "accepted", "view disposed"])
    }

    @Test("Handlers of two controllers may stop each other by stopAndWait()")
    func handlersStopEachOther() async {
        let controllers = Guarded<[Numbers.Controller]>([])
        let (stops, stop) = AsyncStream.makeStream(of: Bool.self)
        let both = Latch(count: 2)
        for own in 0...1 {
            let handler = EffectSwitch<Numbers.Effect, Numbers.Event> { _ in
                .to {
                    await both.arrive()
                    let other = controllers.withLock { $0[1 - own] }
                    await other.stopAndWait()
                    stop.yield(other.running)
                }
            }
            let controller = Numbers.controller(
                Numbers.builder(effectHandler: handler), initiate: { First(model: $0, effects: [.call {}]) })
            controllers.withLock { $0.append(controller) }
        }
        for controller in controllers.withLock({ $0 }) { controller.start() }
        var running: [Bool] = []
        for await isRunning in stops {
            running.append(isRunning)
            if running.count == 2 { break }
        }
        #expect(running == [false, false])
        controllers.withLock { $0 = [] }
    }

    @Test("Handlers of two controllers that stop each other by stop() trap with a message", .promptly)
    func handlersStopEachOtherSynchronously() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let ports = [Port<Numbers.Event>(), Port<Numbers.Event>()]
            let controllers = ports.map { Numbers.controller(Numbers.builder().withEventSource(PortSource(port: $0))) }
            for controller in controllers { controller.start() }
            let entered = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
            for own in 0...1 {
                ports[own].send(
                    .call {
                        entered[own].signal()
                        entered[1 - own].wait()
                        controllers[1 - own].stop()
                    })
            }
            for port in ports { port.settle() }
        }
        let message = result.standardErrorText
        #expect(
            message.contains(
                """
                MobiusController<Array<Int>, Event, Effect> was started or stopped by a handler, a view or an update \
                that it is itself waiting for. Neither would ever end. To fix, stop the other controller by \
                stopAndWait()
                """))
    }

    @Test("A handler that waits for an update in place that stops its controller traps with a message", .promptly)
    func handlerWaitsForAnUpdateThatStopsItsController() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let port = Port<Numbers.Event>()
            let controller = Numbers.controller(Numbers.builder().withEventSource(PortSource(port: port)))
            controller.start()
            let entered = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
            let update = Update<Int, Int, Int>(inPlace: { _, _ in
                entered[0].signal()
                entered[1].wait()
                controller.stop()
                return []
            })
            let loop = Mobius.loop(update: update, effectHandler: ManualHandler<Int, Int>()).start(from: 0)
            // The handler runs on the controller's queue, for which the update waits in turn.
            port.send(
                .call {
                    entered[1].signal()
                    entered[0].wait()
                    _ = loop.latestModel
                })
            loop.dispatchEvent(1)
        }
        #expect(result.standardErrorText.contains("Neither would ever end. To fix, "))
    }

    enum Step: CaseIterable { case initiate, handler }

    @Test(
        "93, 107. A stop by initiate or by a handler that is being connected prevents source and effects",
        arguments: Step.allCases)
    func stopsWhileStarting(in step: Step) {
        let (log, slot) = (Log(), Guarded<Numbers.Controller?>(nil))
        let handler = AnyConnectable<Numbers.Effect, Numbers.Event> { _ in
            log.append("handler connected")
            if step == .handler { slot.value?.stop() }
            return Connection(
                acceptClosure: { _ in log.append("effect") }, disposeClosure: { log.append("handler disposed") })
        }
        let controller = Numbers.controller(
            from: [1], Numbers.builder(effectHandler: handler).withEventSource(PortSource(port: Port(), log: log)),
            initiate: { model in
                if step == .initiate { slot.value?.stop() }
                return First(model: model + [2], effects: [.call {}])
            })
        controller.connectView(Screen(log: log))
        slot.value = controller
        controller.start()
        #expect(!controller.running)
        switch step {
        case .initiate:
            #expect(controller.model == [1])
            #expect(log.lines == ["view connected", "view disposed"])
        case .handler:
            #expect(log.lines == ["view connected", "handler connected", "view disposed", "handler disposed"])
        }
        slot.value = nil
    }

    // MARK: - In a view's dispose

    @Test("A view may replace the model and restart its controller while being disposed")
    func viewRestartsInDispose() {
        let (log, others) = (Log(), Log())
        // The views receive no model, so none is busy when it is disposed.
        let viewQueue = DispatchQueue(label: "view")
        viewQueue.suspend()
        defer { viewQueue.resume() }
        let controller = Numbers.controller(from: [1], viewQueue: viewQueue)
        let connect: @Sendable () -> Void = { [unowned controller] in log.append("\(controller.model)") }
        let dispose: @Sendable () -> Void = { [unowned controller] in
            log.append("running: \(controller.running)")
            // A view that is being disposed may call stop() again, which does nothing.
            controller.stop()
            guard log.lines.count == 3 else { return }
            controller.replaceModel([2])
            controller.start()
        }
        controller.connectView(Screen(log: log, onConnect: connect, onDispose: dispose))
        controller.connectView(Screen(log: others))
        controller.start()
        controller.stop()
        #expect(controller.running)
        #expect(controller.model == [2])
        #expect(log.lines == ["[1]", "view connected", "running: false", "view disposed", "[2]", "view connected"])
        #expect(others.lines == ["view connected", "view disposed", "view connected"])
        controller.stop()
        #expect(log.lines.suffix(2) == ["running: false", "view disposed"])
    }
}
