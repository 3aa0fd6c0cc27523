import Dispatch
import Loop
import TestSupport
import Testing

/// Views of a controller that is stopped, and models that arrive faster than a view accepts them.
@Suite(.timeLimit(.minutes(10))) struct ControllerViewTests {
    private let queue = DispatchQueue(label: "view")

    @Test(
        "94, 103. Models that are enqueued for a view at a stop are dropped, also if the view itself stops",
        arguments: [false, true])
    func dropsWhatWaits(isStoppedByView: Bool) {
        let controller = Numbers.controller(viewQueue: queue)
        let screen = Screen { [unowned controller] in if isStoppedByView, $0 == [1] { controller.stop() } }
        controller.connectView(screen)
        queue.suspend()
        controller.start()
        for number in 1...3 { screen.port.send(.add(number)) }
        screen.port.settle()
        if !isStoppedByView { controller.stop() }
        queue.resume()
        queue.settle()
        #expect(screen.models.values == (isStoppedByView ? [[], [1]] : []))
        #expect(screen.log.lines == ["view connected", "view disposed"])
        #expect(controller.model == [1, 2, 3])
    }

    @Test("93, 103. A view that is busy at a stop is disposed afterwards, and its late stop does nothing")
    func stopsWhileAccepting() {
        let controller = Numbers.controller(viewQueue: queue)
        let (isEntered, mayGo) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let log = Log()
        let screen = Screen(log: log) { [unowned controller] model in
            guard model.isEmpty else { return }
            isEntered.signal()
            mayGo.wait()
            // The view knows neither of the stop nor of the start after it.
            controller.stop()
            log.append("accepted")
        }
        controller.connectView(screen)
        controller.start()
        isEntered.wait()
        controller.stop()
        #expect(log.lines == ["view connected"])
        controller.replaceModel([1])
        controller.start()
        mayGo.signal()
        queue.settle()
        #expect(log.lines == ["view connected", "accepted", "view disposed", "view connected"])
        #expect(controller.running)
        controller.stop()
    }

    @Test(
        "90. A view that buffers the newest models skips older ones, also of those that it is about to be given",
        arguments: [(0, 2), (1, 2), (5, 3)])
    func keepsTheNewest(waiting: Int, count: Int) {
        // The view is blocked while it is given the first model, unless newer ones have already replaced that.
        let isBlocked = waiting < 5
        let (isEntered, mayGo, isGiven) =
            (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let screen = Screen { model in
            if model.isEmpty {
                isEntered.signal()
                mayGo.wait()
            }
            if model.count == 5 { isGiven.signal() }
        }
        let controller = Numbers.controller(viewQueue: queue)
        controller.connectView(screen, buffering: .bufferingNewest(count))
        queue.suspend()
        controller.start()
        for number in 1..<waiting + 1 { screen.port.send(.add(number)) }
        screen.port.settle()
        queue.resume()
        if isBlocked { isEntered.wait() }
        // The view is being given the first model, and those that were waiting are to follow.
        for number in 1...5 where number > waiting { screen.port.send(.add(number)) }
        screen.port.settle()
        mayGo.signal()
        isGiven.wait()
        #expect(screen.models.values == (isBlocked ? [[]] : []) + (6 - count...5).map { Array(1...$0) })
        controller.stop()
    }

    @Test(
        "90. A view that buffers the oldest models skips those that arrive while its buffer is full",
        arguments: [(0, 2, [0, 1, 2, 6]), (1, 2, [0, 1, 2, 6]), (3, 2, [0, 1, 4, 6]), (5, 3, [0, 1, 2, 6])])
    func keepsTheOldest(waiting: Int, count: Int, given: [Int]) {
        let (isEntered, mayGo) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let screen = Screen { model in
            if !model.isEmpty { return }
            isEntered.signal()
            mayGo.wait()
        }
        let controller = Numbers.controller(viewQueue: queue)
        controller.connectView(screen, buffering: .bufferingOldest(count))
        queue.suspend()
        controller.start()
        for number in 1..<waiting + 1 { screen.port.send(.add(number)) }
        screen.port.settle()
        queue.resume()
        isEntered.wait()
        // The view is being given the first model, and those that were waiting are to follow.
        for number in waiting + 1..<6 { screen.port.send(.add(number)) }
        screen.port.settle()
        mayGo.signal()
        queue.settle()
        // The buffer has room again.
        screen.port.send(.add(6))
        screen.port.settle()
        queue.settle()
        #expect(screen.models.values.map(\.count) == given)
        controller.stop()
    }

    @Test("90. A view on a concurrent queue is given every model in order")
    func concurrentViewQueue() {
        let controller = Numbers.controller(viewQueue: DispatchQueue(label: "view", attributes: .concurrent))
        let isGiven = DispatchSemaphore(value: 0)
        let screen = Screen { if $0.count == 500 { isGiven.signal() } }
        controller.connectView(screen)
        controller.start()
        for number in 0..<500 { screen.port.send(.add(number)) }
        isGiven.wait()
        controller.stop()
        #expect(screen.models.values == (0...500).map { Array(0..<$0) })
    }
}

/// Views of the main actor.
@Suite(.timeLimit(.minutes(10))) @MainActor struct MainActorViewTests {
    /// A view that logs its connections and yields the models that it is given.
    @MainActor final class Label {
        var log: [String] = []
        var onAccept: (([Int]) -> Void)?
        var consumer: Consumer<Numbers.Event>?
        let (models, given) = AsyncStream.makeStream(of: [Int].self)
    }

    @Test("90. A main-actor view is connected, given models and disposed on the main actor")
    func isOnTheMainActor() async {
        let controller = Numbers.controller()
        let label = Label()
        controller.connectView(label)
        var models = label.models.makeAsyncIterator()
        controller.start()
        #expect(label.log == ["connected"])
        #expect(await models.next() == [])
        for number in 1...3 { label.consumer?(.add(number)) }
        #expect(await models.next() == [1])
        #expect(await models.next() == [1, 2])
        #expect(await models.next() == [1, 2, 3])
        controller.stop()
        #expect(label.log == ["connected", "disposed"])
    }

    @Test("90. A main-actor view is connected there even if another thread starts the controller")
    func isStartedElsewhere() async {
        let controller = Numbers.controller()
        let label = Label()
        controller.connectView(label)
        var models = label.models.makeAsyncIterator()
        await onThread { controller.start() }
        #expect(await models.next() == [])
        #expect(label.log == ["connected"])
        // The view is reconnected after its disposal, and receives nothing of the first connection after that.
        await onThread {
            controller.stop()
            controller.replaceModel([1])
            controller.start()
        }
        #expect(await models.next() == [1])
        #expect(label.log == ["connected", "disposed", "connected"])
        controller.stop()
    }

    @Test("103. A main-actor view may stop its controller, and is disposed when stop returns")
    func stopsFromAccept() async {
        let controller = Numbers.controller()
        let (label, neighbour) = (Label(), Label())
        label.onAccept = { [unowned controller, unowned label] model in
            guard model == [1] else { return }
            controller.stop()
            label.log.append("stopped")
            neighbour.log.append("stopped")
        }
        controller.connectView(label)
        controller.connectView(neighbour)
        controller.start()
        var models = label.models.makeAsyncIterator()
        #expect(await models.next() == [])
        label.consumer?(.add(1))
        #expect(await models.next() == [1])
        #expect(label.log == ["connected", "disposed", "stopped"])
        #expect(neighbour.log == ["connected", "disposed", "stopped"])
        #expect(!controller.running)
    }
}

extension MainActorViewTests.Label: @MainActor Connectable {
    func connect(_ consumer: @escaping Consumer<Numbers.Event>) -> Connection<[Int]> {
        self.consumer = consumer
        log.append("connected")
        return Connection(
            acceptClosure: { model in
                self.onAccept?(model)
                self.given.yield(model)
            },
            disposeClosure: { self.log.append("disposed") })
    }
}
