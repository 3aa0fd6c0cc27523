import Dispatch
import FunctionalCore
import Loop
import PropertyTesting
import TestSupport
import Testing

/// What each call does if a controller is stopped, and if it is running, also if the loop itself makes the call.
///
/// The model states these promised behaviours:
/// - 54: Handlers and updates run on the loop's queue.
/// - 86, 87: A controller is created stopped, with the given model. Starting and stopping toggle `running`.
/// - 90, 91, 92: Any number of views are given the first and every later model, in order, on the view queue. The
///   events of views, handler, source and `dispatchEvent(_:)` are processed in order on the loop's queue.
/// - 93, 103: When a stop returns, handler, source and views are disposed, in this order. So it is if a view calls it.
/// - 96, 97: A restart continues from the last model, and connects views, handler and source again. Every start calls
///   `initiate`, and passes its effects to the handler before it returns.
/// - 98, 99: The model is that of the running loop, and stays after the stop. The next start passes a replaced model to
///   `initiate`.
/// - 100: A disconnected view is given nothing, and can be connected again.
/// - 104, 105: What views, source and handler send by a connection of an earlier start, or after a stop, is dropped.
/// - 107: A handler and code on the loop's queue may stop and start the controller, and read and replace its model. So
///   may a view (103). An update may stop it, which takes effect after the update.
/// - 129: All this is the same with a trace.
@Suite("A controller and its model", .timeLimit(.minutes(10)))
struct ControllerCommandTests {
    /// What sends events to the loop.
    enum Sender: Int, CaseIterable {
        case handler, source, view0, view1, view2

        static func view(_ number: Int) -> Sender { Sender(rawValue: 2 + number)! }
    }

    /// The code that calls a method while the loop runs.
    enum Place: CaseIterable {
        case handler, update, loopQueue, view0, view1, view2

        var view: Int? { [Place.view0: 0, .view1: 1, .view2: 2][self] }
    }

    enum Command: Sendable {
        case connectView(Int)
        /// Disconnects the only view, or one of several.
        case disconnectView(Int)
        case start
        case startIfStopped
        case stop
        case stopIfRunning
        case stopAndWait
        case stopIn(Place)
        /// Stops, replaces the model if there is another one, and starts.
        case restartIn(Place, replacing: Int?)
        case replace(Int)
        case dispatch(Int)
        /// Sends by one of the connections that there have ever been.
        case send(Int, by: Sender, connection: Int)

        static let gen: Gen<Command> = {
            let (number, place) = (Gen.int(in: 1...9), Gen.element(of: Place.allCases))
            return Gen.frequency(
                (2, Gen.int(in: 0...2).map { .connectView($0) }), (1, Gen.int(in: 0...2).map { .disconnectView($0) }),
                (3, Gen.always(.start)), (1, Gen.always(.startIfStopped)), (2, Gen.always(.stop)),
                (1, Gen.always(.stopIfRunning)), (1, Gen.always(.stopAndWait)), (2, place.map { .stopIn($0) }),
                (1, place.map { .restartIn($0, replacing: nil) }),
                (1, Gen.zip(place, number).map { .restartIn($0, replacing: $1) }), (1, number.map { .replace($0) }),
                (1, number.map { .dispatch(-$0) }),
                (
                    4,
                    Gen.zip(number, Gen.element(of: Sender.allCases), Gen.int(in: 0...9)).map {
                        .send($0, by: $1, connection: $2)
                    }
                ))
        }()
    }

    // MARK: - The model

    struct Model {
        var (isRunning, model, start) = (false, [Int](), 0)
        /// The numbers of the connected views, and the models that each of all views has been given.
        var (views, given) = ([Int](), [[[Int]]](repeating: [], count: 3))
        /// The number of the start that each connection of a sender belongs to.
        var connections: [Sender: [Int]] = [:]
        var lines: [String] = []

        mutating func connect(_ sender: Sender, _ name: String) {
            connections[sender, default: []].append(start)
            lines.append("\(name) connected")
        }

        mutating func begin() {
            (isRunning, start) = (true, start + 1)
            for view in views { connect(.view(view), "view\(view)") }
            lines.append("initiate \(model)")
            model.append(0)
            connect(.handler, "handler")
            connect(.source, "source")
            lines.append("first effect")
            for view in views { given[view].append(model) }
        }

        mutating func end() {
            isRunning = false
            lines += ["handler disposed", "source disposed"] + views.map { "view\($0) disposed" }
        }

        mutating func add(_ number: Int, notifying views: ArraySlice<Int>) {
            model.append(number)
            for view in views { given[view].append(model) }
        }

        /// A view is given a model before those that were connected later.
        private mutating func callView(in place: Place) {
            if let view = place.view { add(1, notifying: views[...views.firstIndex(of: view)!]) }
        }

        func connection(_ number: Int, of sender: Sender) -> Int? { connections[sender].map { number % $0.count } }

        /// Whether a command is no error of a program, and has something to do.
        func allows(_ command: Command) -> Bool {
            switch command {
            case .connectView(let view): !isRunning && !views.contains(view)
            case .disconnectView(let index): !isRunning && index < views.count
            case .start, .replace: !isRunning
            case .stop: isRunning
            case .stopIn(let place): isRunning && (place.view.map(views.contains) ?? true)
            // An update that starts its controller traps.
            case .restartIn(let place, _): isRunning && place != .update && (place.view.map(views.contains) ?? true)
            case .send(_, let sender, let number): connection(number, of: sender) != nil
            case .startIfStopped, .stopIfRunning, .stopAndWait, .dispatch: true
            }
        }

        /// Performs a command, and returns what is then logged.
        mutating func perform(_ command: Command) -> [String] {
            lines = []
            switch command {
            case .connectView(let view): views.append(view)
            case .disconnectView(let index): views.remove(at: index)
            case .start: begin()
            case .stop: end()
            case .startIfStopped:
                let isStopped = !isRunning
                if isStopped { begin() }
                lines.append("\(isStopped)")
            case .stopIfRunning, .stopAndWait:
                let wasRunning = isRunning
                if wasRunning { end() }
                if case .stopIfRunning = command { lines.append("\(wasRunning)") }
            case .stopIn(let place):
                callView(in: place)
                // A stop in the update takes effect after the update.
                if place == .update { lines.append("running inside true") }
                end()
                if place != .update { lines.append("running inside false") }
            case .restartIn(let place, let number):
                callView(in: place)
                lines.append("inside \(model)")
                end()
                lines.append("inside \(model)")
                if let number { model = [number] }
                begin()
                lines.append("running inside true, \(model)")
            case .replace(let number): model = [number]
            case .dispatch(let number):
                if isRunning { add(number, notifying: views[...]) } else { lines.append("dropped \(number)") }
            case .send(let number, let sender, let index):
                if isRunning, connections[sender]![connection(index, of: sender)!] == start {
                    add(number, notifying: views[...])
                }
            }
            return lines + ["returned", "running: \(isRunning), model: \(model)"] + given.map { "given \($0)" }
        }
    }

    // MARK: - The controller

    /// Logs dropped events that were dispatched, which have negative numbers. Others are dropped when their queue
    /// comes to them, or not at all if the loop was released.
    private struct Drops: MobiusLogger {
        let log: Log

        func didDrop(event: Numbers.Event) {
            if case .add(let number) = event, number < 0 { log.append("dropped \(number)") }
        }

        typealias Model = [Int]
        typealias Effect = Numbers.Effect
    }

    final class Stage: Sendable {
        private let controller: Numbers.Controller
        private let loopQueue: DispatchQueue
        private let viewQueue = DispatchQueue(label: "view")
        private let (handler, source, log) = (Port<Numbers.Event>(), Port<Numbers.Event>(), Log())
        private let screens: [Screen]
        private let ids = Guarded<[ViewID]>([])
        /// The view that calls `body` when it is given the next model.
        private let calling = Guarded<(view: Int, body: @Sendable () -> Void)?>(nil)
        private let events = TraceBuffer()

        // The closures in the events retain the controller.
        deinit { events.removeAll() }

        init(isTraced: Bool, isConcurrent: Bool) {
            let (log, calling, viewQueue) = (log, calling, viewQueue)
            let loopQueue = DispatchQueue(label: "loop", attributes: isConcurrent ? .concurrent : [])
            self.loopQueue = loopQueue
            screens = (0..<3).map { number in
                Screen("view\(number)", log: log) { _ in
                    dispatchPrecondition(condition: .onQueue(viewQueue))
                    let body = calling.withLock { calling in
                        let body = calling?.view == number ? calling?.body : nil
                        if body != nil { calling = nil }
                        return body
                    }
                    body?()
                }
            }
            var builder = Numbers.builder(effectHandler: PortHandler(port: handler, log: log)).withEventSource(
                PortSource(port: source, log: log)
            ).withLogger(Drops(log: log))
            if isTraced { builder = builder.withTrace(Trace(to: events)) }
            controller = Numbers.controller(
                builder,
                initiate: { model in
                    log.append("initiate \(model)")
                    let effect: @Sendable () -> Void = {
                        dispatchPrecondition(condition: .onQueue(loopQueue))
                        log.append("first effect")
                    }
                    return First(model: model + [0], effects: [.call(effect)])
                }, loopQueue: loopQueue, viewQueue: viewQueue)
        }

        private func call(in place: Place, _ body: @escaping @Sendable () -> Void) {
            let isDone = DispatchSemaphore(value: 0)
            let queue = loopQueue
            let call: @Sendable () -> Void = {
                body()
                isDone.signal()
            }
            let callOnQueue: @Sendable () -> Void = {
                dispatchPrecondition(condition: .onQueue(queue))
                call()
            }
            switch place {
            case .handler: controller.dispatchEvent(.call(callOnQueue))
            case .update: controller.dispatchEvent(.callInUpdate(callOnQueue))
            case .loopQueue: queue.sync(execute: call)
            case .view0, .view1, .view2:
                calling.withLock { $0 = (place.view!, call) }
                controller.dispatchEvent(.add(1))
            }
            isDone.wait()
            // A stop in the update takes effect after the update.
            if place == .update { loopQueue.sync(flags: .barrier) {} }
        }

        private func port(of sender: Sender) -> Port<Numbers.Event> {
            switch sender {
            case .handler: handler
            case .source: source
            case .view0, .view1, .view2: screens[sender.rawValue - 2].port
            }
        }

        func perform(_ command: Command) async -> [String] {
            log.removeAll()
            switch command {
            case .connectView(let view):
                let id = controller.connectView(screens[view])
                ids.withLock { $0.append(id) }
            case .disconnectView(let index):
                let (id, count) = ids.withLock { ids in (ids.remove(at: index), ids.count) }
                if count == 0 { controller.disconnectView() } else { controller.disconnectView(id: id) }
            case .start: controller.start()
            case .startIfStopped: log.append("\(controller.startIfStopped())")
            case .stop: controller.stop()
            case .stopIfRunning: log.append("\(controller.stopIfRunning())")
            case .stopAndWait: await controller.stopAndWait()
            case .stopIn(let place):
                call(in: place) { [controller, log] in
                    // The loop still runs in the update, but processes no event after it.
                    if place == .update { controller.dispatchEvent(.add(7)) }
                    controller.stop()
                    log.append("running inside \(controller.running)")
                    if place == .update { controller.dispatchEvent(.add(8)) }
                }
            case .restartIn(let place, let number):
                call(in: place) { [controller, log] in
                    log.append("inside \(controller.model)")
                    controller.stop()
                    log.append("inside \(controller.model)")
                    if let number { controller.replaceModel([number]) }
                    controller.start()
                    log.append("running inside \(controller.running), \(controller.model)")
                }
            case .replace(let number): controller.replaceModel([number])
            case .dispatch(let number): controller.dispatchEvent(.add(number))
            case .send(let number, let sender, let index):
                let (port, loopQueue) = (port(of: sender), loopQueue)
                let check: @Sendable () -> Void = { dispatchPrecondition(condition: .onQueue(loopQueue)) }
                port.send(.callInUpdate(check), by: index % port.count)
                port.send(.add(number), by: index % port.count)
            }
            // What a call promises has happened when it returns, so nothing is logged after this.
            log.append("returned")
            // A loop that does not end after its update would handle no effect, so that this would wait forever.
            if case .stopIn = command {} else if controller.running { call(in: .handler) {} }
            // A view that is still busy would be disposed after the next stop.
            viewQueue.settle()
            return log.lines + ["running: \(controller.running), model: \(controller.model)"]
                + screens.map { "given \($0.models.values)" }
        }
    }

    @Test(
        "54, 86, 87, 90–93, 96–100, 103–105, 107, 129. A controller does what its model does, also with a trace",
        .cases(200), arguments: [false, true], [false, true]) func commands(isTraced: Bool, isConcurrent: Bool) async
    {
        let property = StatefulProperty<Command, Model, Stage, [String]>(
            model: Model(),
            system: { Stage(isTraced: isTraced, isConcurrent: isConcurrent) },
            isPossible: { command, model in model.allows(command) },
            expected: { command, model in model.perform(command) },
            actual: { command, stage in await stage.perform(command) })
        await forAll(commands: Command.gen, count: 1...25, of: property)
    }
}
