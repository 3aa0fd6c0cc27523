import Dispatch
import Loop
import TestSupport

/// A loop that keeps the numbers it is sent, and calls what it is sent to call: what the controller's tests are made
/// of.
enum Numbers {
    typealias Controller = MobiusController<[Int], Event, Effect>
    typealias Builder = Mobius.Builder<[Int], Event, Effect>

    enum Event: Sendable {
        /// Adds a number to the model.
        case add(Int)
        /// Has a closure called by the effect handler, so on the loop's queue.
        case call(@Sendable () -> Void)
        /// Has a closure called by the update function.
        case callInUpdate(@Sendable () -> Void)
    }

    enum Effect: Sendable {
        case call(@Sendable () -> Void)
    }

    static let handler = EffectSwitch<Effect, Event> { effect in
        switch effect {
        case .call(let body): .to { body() }
        }
    }

    static func builder(effectHandler: some Connectable<Effect, Event> & Sendable = handler) -> Builder {
        Mobius.loop(
            update: { (model: [Int], event: Event) -> Next<[Int], Effect> in
                switch event {
                case .add(let number): return .next(model + [number])
                case .call(let body): return .dispatchEffects([.call(body)])
                case .callInUpdate(let body):
                    body()
                    return .noChange
                }
            },
            effectHandler: effectHandler)
    }

    /// A controller on a queue of its own, with views on another one.
    static func controller(
        from model: [Int] = [],
        _ builder: Builder = builder(),
        initiate: Initiate<[Int], Effect>? = nil,
        loopQueue: DispatchQueue = DispatchQueue(label: "loop"),
        viewQueue: DispatchQueue = DispatchQueue(label: "view")
    ) -> Controller {
        builder.makeController(from: model, initiate: initiate, loopQueue: loopQueue, viewQueue: viewQueue)
    }
}

/// What emits events when a test says so, by the way of whichever connection: a view, a source or a handler.
final class Port<Event: Sendable>: Sendable {
    private let consumers = Guarded<[Consumer<Event>]>([])

    /// How many have been connected so far.
    var count: Int { consumers.withLock { $0.count } }

    func attach(_ consumer: @escaping Consumer<Event>) {
        consumers.withLock { $0.append(consumer) }
    }

    /// Emits by the latest connection, or that with the index.
    func send(_ event: Event, by index: Int? = nil) {
        let consumer = consumers.withLock { consumers in index.map { consumers[$0] } ?? consumers.last }
        consumer?(event)
    }
}

extension Port where Event == Numbers.Event {
    /// Returns when all that was sent before has been handled.
    func settle() {
        let isHandled = DispatchSemaphore(value: 0)
        send(.call { isHandled.signal() })
        isHandled.wait()
    }
}

extension DispatchQueue {
    /// Returns when a view was given here all that was left for it so far.
    func settle() {
        // What came while the view was being given models has a turn of its own.
        for _ in 0..<2 { sync {} }
    }
}

/// A view that keeps what it is given, and tells of its life.
final class Screen: Connectable, Sendable {
    let port = Port<Numbers.Event>()
    let models = Record<[Int]>()
    let log: Log
    private let name: String
    private let onAccept: @Sendable ([Int]) -> Void

    init(_ name: String = "view", log: Log = Log(), onAccept: @escaping @Sendable ([Int]) -> Void = { _ in }) {
        self.name = name
        self.log = log
        self.onAccept = onAccept
    }

    func connect(_ consumer: @escaping Consumer<Numbers.Event>) -> Connection<[Int]> {
        port.attach(consumer)
        log.append("\(name) connected")
        return Connection(
            acceptClosure: { [self] model in
                models.append(model)
                onAccept(model)
            },
            disposeClosure: { [self] in log.append("\(name) disposed") })
    }
}

/// A source of what a test sends by its port.
struct PortSource: EventSource {
    let port: Port<Numbers.Event>
    var log = Log()

    func subscribe(consumer: @escaping Consumer<Numbers.Event>) -> any Disposable {
        port.attach(consumer)
        log.append("source connected")
        return AnonymousDisposable { log.append("source disposed") }
    }
}

/// The handler of `Numbers`, which tells of its life, and emits what a test sends by its port.
struct PortHandler: Connectable {
    let port: Port<Numbers.Event>
    var log = Log()

    func connect(_ consumer: @escaping Consumer<Numbers.Event>) -> Connection<Numbers.Effect> {
        port.attach(consumer)
        log.append("handler connected")
        return Connection(
            acceptClosure: { effect in
                switch effect {
                case .call(let body): body()
                }
            },
            disposeClosure: { log.append("handler disposed") })
    }
}
