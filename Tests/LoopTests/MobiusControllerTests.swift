import Dispatch
import Loop
import TestSupport
import Testing

/// Starting, stopping and the model. The tests have the numbers of the promised behaviours.
@Suite(.timeLimit(.minutes(10))) struct MobiusControllerTests {
    @Test("86. A controller is created stopped, with the given model")
    func beginsStopped() {
        let controller = Numbers.controller(from: [1])
        #expect(!controller.running)
        #expect(controller.model == [1])
    }

    @Test("87. Starting and stopping toggle running")
    func toggles() {
        let controller = Numbers.controller()
        controller.start()
        #expect(controller.running)
        controller.stop()
        #expect(!controller.running)
        controller.start()
        #expect(controller.running)
        controller.stop()
    }

    @Test("90. A view is given the first and every later model in order on the view queue")
    func viewIsGivenModels() {
        let queue = DispatchQueue(label: "view")
        let controller = Numbers.controller(from: [0], viewQueue: queue)
        let screen = Screen { _ in dispatchPrecondition(condition: .onQueue(queue)) }
        controller.connectView(screen)
        #expect(screen.models.values.isEmpty)
        controller.start()
        queue.settle()
        #expect(screen.models.values == [[0]])
        for number in 1...3 { screen.port.send(.add(number)) }
        screen.port.settle()
        queue.settle()
        #expect(screen.models.values == [[0], [0, 1], [0, 1, 2], [0, 1, 2, 3]])
        controller.stop()
    }

    @Test("91. A controller works with any number of views", arguments: 0...3)
    func anyNumberOfViews(count: Int) {
        let queue = DispatchQueue(label: "view")
        let port = Port<Numbers.Event>()
        let controller = Numbers.controller(
            Numbers.builder().withEventSource(PortSource(port: port)), viewQueue: queue)
        let screens = (0..<count).map { _ in Screen() }
        for screen in screens { controller.connectView(screen) }
        controller.start()
        port.send(.add(1))
        port.settle()
        queue.settle()
        #expect(screens.allSatisfy { $0.models.values == [[], [1]] })
        controller.stop()
        #expect(controller.model == [1])
    }

    @Test("92. Events of a view are processed on the loop's queue")
    func viewSends() {
        let queue = DispatchQueue(label: "loop")
        let controller = Numbers.controller(loopQueue: queue)
        let screen = Screen()
        controller.connectView(screen)
        controller.start()
        screen.port.send(.callInUpdate { dispatchPrecondition(condition: .onQueue(queue)) })
        screen.port.send(.call { dispatchPrecondition(condition: .onQueue(queue)) })
        screen.port.send(.add(1))
        screen.port.settle()
        #expect(controller.model == [1])
        controller.stop()
    }

    @Test("92, 102. A controller processes all events one at a time and keeps each thread's order")
    func serialisesOnAnyQueue() {
        for queue in [
            DispatchQueue(label: "serial"), DispatchQueue(label: "concurrent", attributes: .concurrent),
            .global(),
        ] {
            let (threads, each) = (4, 5_000)
            let isDone = DispatchSemaphore(value: 0)
            let entered = Guarded(0)
            let port = Port<Int>()
            // Counts the events of each thread. A concurrent or misplaced event sets the count to -1.
            let controller = Mobius.loop(
                update: { (model: [Int], event: Int) -> Next<[Int], Bool> in
                    let isAlone = entered.withLock { count in
                        count += 1
                        return count == 1
                    }
                    defer { entered.withLock { $0 -= 1 } }
                    var model = model
                    let (thread, number) = (event / each, event % each)
                    model[thread] = isAlone && model[thread] == number ? number + 1 : -1
                    return .next(model, effects: model.reduce(0, +) == threads * each ? [true] : [])
                },
                effectHandler: EffectSwitch<Bool, Int> { _ in .to { isDone.signal() } }
            )
            .withEventSource(
                AnyEventSource<Int> { consumer in
                    port.attach(consumer)
                    return EmptyDisposable()
                }
            )
            .makeController(from: Array(repeating: 0, count: threads), loopQueue: queue)
            controller.start()
            onThreads(threads) { thread in
                for number in 0..<each { port.send(thread * each + number) }
            }
            isDone.wait()
            #expect(controller.model == Array(repeating: each, count: threads))
            controller.stop()
        }
    }

    @Test("93. When stop returns, handler, source and views are disposed, in this order")
    func stopDisposes() {
        let log = Log()
        let viewQueue = DispatchQueue(label: "view")
        let controller = Numbers.controller(
            Numbers.builder(effectHandler: PortHandler(port: Port(), log: log))
                .withEventSource(PortSource(port: Port(), log: log)),
            viewQueue: viewQueue)
        controller.connectView(Screen("first", log: log))
        controller.connectView(Screen("second", log: log))
        controller.start()
        // A view that is accepting a model at the stop would be disposed on its queue.
        viewQueue.settle()
        let connected = log.lines
        #expect(connected == ["first connected", "second connected", "handler connected", "source connected"])
        controller.stop()
        #expect(
            Array(log.lines.dropFirst(connected.count)) == [
                "handler disposed", "source disposed", "first disposed", "second disposed",
            ])
    }

    @Test("99. A controller has the model of its running loop, and keeps it after the stop")
    func modelFollows() {
        let port = Port<Numbers.Event>()
        let controller = Numbers.controller(from: [0], Numbers.builder().withEventSource(PortSource(port: port)))
        controller.start()
        #expect(controller.model == [0])
        port.send(.add(1))
        port.settle()
        #expect(controller.model == [0, 1])
        controller.stop()
        #expect(controller.model == [0, 1])
    }

    @Test("98. The next start passes a replaced model to initiate")
    func replacing() {
        let controller = Numbers.controller(from: [0], initiate: { First(model: $0 + [1]) })
        controller.replaceModel([7])
        #expect(controller.model == [7])
        controller.start()
        #expect(controller.model == [7, 1])
        controller.stop()
        #expect(controller.model == [7, 1])
    }

    @Test("100. A disconnected view is given nothing, and can be connected again")
    func disconnecting() {
        let queue = DispatchQueue(label: "view")
        let controller = Numbers.controller(viewQueue: queue)
        let (first, second) = (Screen(), Screen())
        let id = controller.connectView(first)
        controller.connectView(second)
        controller.disconnectView(id: id)
        controller.start()
        controller.stop()
        #expect(first.port.count == 0)
        #expect(second.port.count == 1)
        controller.disconnectView()
        controller.connectView(first)
        controller.start()
        queue.settle()
        controller.stop()
        #expect(first.models.values == [[]])
        #expect(second.port.count == 1)
    }

    @Test("107. A handler may stop and start its controller, and read and replace the model")
    func callsFromTheLoopQueue() {
        let port = Port<Numbers.Event>()
        let controller = Numbers.controller(Numbers.builder().withEventSource(PortSource(port: port)))
        controller.start()
        let isDone = DispatchSemaphore(value: 0)
        port.send(.add(1))
        port.send(
            .call { [unowned controller] in
                #expect(controller.model == [1])
                controller.stop()
                #expect(!controller.running)
                #expect(controller.model == [1])
                controller.replaceModel([5])
                controller.start()
                #expect(controller.running)
                #expect(controller.model == [5])
                isDone.signal()
            })
        isDone.wait()
        #expect(port.count == 2)
        port.send(.add(6))
        port.settle()
        #expect(controller.model == [5, 6])
        controller.stop()
    }

    @Test("93, 107. A handler that stops its controller while being connected prevents source and effects")
    func stopsWhileStarting() {
        let log = Log()
        let holder = Guarded<Numbers.Controller?>(nil)
        let handler = AnyConnectable<Numbers.Effect, Numbers.Event> { _ in
            log.append("handler connected")
            holder.withLock { $0 }?.stop()
            return Connection(
                acceptClosure: { _ in log.append("effect") }, disposeClosure: { log.append("handler disposed") })
        }
        let controller = Numbers.controller(
            Numbers.builder(effectHandler: handler).withEventSource(PortSource(port: Port(), log: log)),
            initiate: { First(model: $0, effects: [.call {}]) })
        holder.withLock { $0 = controller }
        defer { holder.withLock { $0 = nil } }
        controller.connectView(Screen(log: log))
        controller.start()
        #expect(!controller.running)
        #expect(log.lines == ["view connected", "handler connected", "view disposed", "handler disposed"])
    }
}

/// Controllers whose loop runs on the main queue.
@Suite(.timeLimit(.minutes(10))) @MainActor struct MainControllerTests {
    @Test("92, 107. The main thread and other threads can start and stop a loop on the main queue")
    func mainLoopQueue() async {
        let port = Port<Numbers.Event>()
        let controller = Numbers.controller(
            Numbers.builder().withEventSource(PortSource(port: port)), loopQueue: .main)
        controller.start()
        port.send(.callInUpdate { MainActor.preconditionIsolated() })
        port.send(.add(1))
        await withCheckedContinuation { (settled: CheckedContinuation<Void, Never>) in
            port.send(.call { settled.resume() })
        }
        #expect(controller.model == [1])
        controller.stop()
        await onThread { controller.start() }
        #expect(controller.running)
        #expect(port.count == 2)
        await onThread { controller.stop() }
        #expect(!controller.running)
    }
}
