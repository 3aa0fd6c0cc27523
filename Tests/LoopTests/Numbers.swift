import Dispatch
import Loop
import TestSupport

/// A loop for the tests of the controller. It collects the numbers, and calls the closures, that it is sent.
enum Numbers {
    typealias Controller = MobiusController<[Int], Event, Effect>
    typealias Builder = Mobius.Builder<[Int], Event, Effect>

    enum Event: Sendable {
        /// Adds a number to the model.
        case add(Int)
        /// Makes the effect handler call a closure, on the loop's queue.
        case call(@Sendable () -> Void)
        /// Makes the update function call a closure.
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

    /// A loop whose handler and event source log their connections and disposals.
    static func logging(_ log: Log) -> Builder {
        builder(effectHandler: PortHandler(port: Port(), log: log)).withEventSource(PortSource(port: Port(), log: log))
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

/// Calls `body` on another thread, and returns when that thread is about to call it.
func meanwhile(_ body: @escaping @Sendable () -> Void) {
    let isThere = DispatchSemaphore(value: 0)
    DispatchQueue(label: "other").async {
        isThere.signal()
        body()
    }
    isThere.wait()
}

/// Starts a worker that calls `body` when it is disposed. The disposal waits for it, as a disposable does that joins a
/// thread.
func worker(_ body: @escaping @Sendable () -> Void) -> AnonymousDisposable {
    let (mayEnd, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    DispatchQueue(label: "worker").async {
        mayEnd.wait()
        body()
        hasEnded.signal()
    }
    return AnonymousDisposable {
        mayEnd.signal()
        hasEnded.wait()
    }
}

/// Sends the events of a test by the connections of a view, a source or a handler.
final class Port<Event: Sendable>: Sendable {
    private let consumers = Guarded<[Consumer<Event>]>([])

    /// The number of connections so far.
    var count: Int { consumers.withLock { $0.count } }

    func attach(_ consumer: @escaping Consumer<Event>) {
        consumers.withLock { $0.append(consumer) }
    }

    /// Sends by the latest connection, or by the one at `index`.
    func send(_ event: Event, by index: Int? = nil) {
        let consumer = consumers.withLock { consumers in index.map { consumers[$0] } ?? consumers.last }
        consumer?(event)
    }
}

extension Port where Event == Numbers.Event {
    /// Returns when all events that were sent before have been processed.
    func settle() {
        let isHandled = DispatchSemaphore(value: 0)
        send(.call { isHandled.signal() })
        isHandled.wait()
    }
}

extension DispatchQueue {
    /// Returns when the view on this queue has been given all models that were enqueued for it before.
    func settle() {
        // Models that arrive while the view accepts others are delivered by another block.
        for _ in 0..<2 { sync {} }
    }
}

/// A view that records its models, and logs its connections and disposals.
final class Screen: Connectable, Sendable {
    let port = Port<Numbers.Event>()
    let models = Record<[Int]>()
    let log: Log
    private let name: String
    private let onConnect: @Sendable () -> Void
    private let onDispose: @Sendable () -> Void
    private let onAccept: @Sendable ([Int]) -> Void

    init(
        _ name: String = "view", log: Log = Log(), onAccept: @escaping @Sendable ([Int]) -> Void = { _ in },
        onConnect: @escaping @Sendable () -> Void = {}, onDispose: @escaping @Sendable () -> Void = {}
    ) {
        (self.name, self.log) = (name, log)
        (self.onConnect, self.onDispose, self.onAccept) = (onConnect, onDispose, onAccept)
    }

    func connect(_ consumer: @escaping Consumer<Numbers.Event>) -> Connection<[Int]> {
        port.attach(consumer)
        onConnect()
        log.append("\(name) connected")
        return Connection(
            acceptClosure: { [self] model in
                models.append(model)
                onAccept(model)
            },
            disposeClosure: { [self] in
                onDispose()
                log.append("\(name) disposed")
            })
    }
}

/// An event source whose events a test sends by its port. Logs its subscriptions and disposals.
struct PortSource: EventSource {
    let port: Port<Numbers.Event>
    var log = Log()

    func subscribe(consumer: @escaping Consumer<Numbers.Event>) -> any Disposable {
        port.attach(consumer)
        log.append("source connected")
        return AnonymousDisposable { log.append("source disposed") }
    }
}

/// A handler like that of `Numbers`, whose events a test sends by its port. Logs its connections and disposals.
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
