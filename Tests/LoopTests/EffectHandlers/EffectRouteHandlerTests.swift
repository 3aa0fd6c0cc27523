import Dispatch
import Foundation
import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

/// The ways in which a route handles an effect, and the places where it does.
@Suite(.timeLimit(.minutes(10))) struct EffectRouteHandlerTests {
    private let events = Record<String>()
    private let scheduler = VirtualScheduler()

    private func connect(
        _ makeRouter: (EffectRoute<String, String, String>) -> EffectRouter<String, String>
    ) -> Connection<String> {
        makeRouter(EffectRouter(executor: scheduler.executor).routeEffects(withParameters: { $0 }))
            .connect { [events] in events.append($0) }
    }

    // MARK: - At once

    @Test("47. The closure of to { } is called once for each effect and sends nothing")
    func to() {
        let handled = Record<String>()
        let connection = connect { $0.to { handled.append($0) } }
        connection.accept("a")
        connection.accept("b")
        #expect(handled.values == ["a", "b"])
        #expect(events.values == [])
    }

    @Test("48. toEvent { } sends the event that its closure returns, and nothing for nil")
    func toEvent() {
        let connection = connect { $0.toEvent { $0.isEmpty ? nil : $0 + "!" } }
        for effect in ["a", "", "b"] { connection.accept(effect) }
        #expect(events.values == ["a!", "b!"])
    }

    private struct Echo: EffectHandler {
        let callbacks: Record<EffectCallback<String>>

        func handle(_ text: String, _ callback: EffectCallback<String>) -> any Disposable {
            for character in text { callback.send(String(character)) }
            callbacks.append(callback)
            return EmptyDisposable()
        }
    }

    @Test("49. A handler may send any number of events, at once and later")
    func handler() {
        let callbacks = Record<EffectCallback<String>>()
        let connection = connect { $0.to(Echo(callbacks: callbacks)) }
        connection.accept("")
        #expect(events.values == [])
        connection.accept("ab")
        callbacks.values[0].end(with: "later", "and last")
        #expect(events.values == ["a", "b", "later", "and last"])
    }

    @Test("49. A route takes a handler of any type")
    func anyHandler() {
        let handler: any EffectHandler<String, String> = Echo(callbacks: Record())
        connect { $0.to(handler) }.accept("ab")
        #expect(events.values == ["a", "b"])
    }

    @Test("51. A connectable accepts the effects, and may send events, also during connect")
    func connectable() {
        let log = Log()
        let target = AnyConnectable<String, String> { consumer in
            consumer("connected")
            return Connection(
                acceptClosure: { text in for _ in 0..<2 { consumer(text) } }, disposeClosure: { log.append("disposed") }
            )
        }
        let connection = connect { $0.to(target) }
        #expect(events.values == ["connected"])
        connection.accept("a")
        connection.dispose()
        connection.dispose()
        #expect(events.values == ["connected", "a", "a"])
        #expect(log.lines == ["disposed"])
    }

    // MARK: - Queues, threads and the main actor

    @Test("52. on(queue:) runs the handler on the queue, and does not wait for it")
    func onQueue() {
        let queue = DispatchQueue(label: "own")
        let connection = connect {
            $0.on(queue: queue).toEvent { text in
                dispatchPrecondition(condition: .onQueue(queue))
                return text
            }
        }
        queue.suspend()
        for effect in ["a", "b"] { connection.accept(effect) }
        #expect(events.values == [])
        queue.resume()
        queue.sync {}
        #expect(events.values == ["a", "b"])
    }

    @Test("53. Without on(queue:), handlers of a raw loop run synchronously on the dispatching thread")
    func onTheDispatchingThread() {
        let (threads, others) = (Record<ThreadMark>(), Record<ThreadMark>())
        let loop = Mobius.loop(
            update: { (_: Int, event: Int) -> Next<Int, Int> in .dispatchEffects([event]) },
            effectHandler: EffectRouter<Int, Int>().routeEffects(withParameters: { $0 }).to { _ in
                threads.append(.current)
            }
        ).start(from: 0)
        loop.dispatchEvent(0)
        #expect(threads.values == [.current])
        onThreads(1) { _ in
            loop.dispatchEvent(1)
            others.append(.current)
        }
        #expect(Array(threads.values.dropFirst()) == others.values)
    }

    // MARK: - In a task

    @Test("A closure of two parameters that returns a handling takes apart the two values of a case")
    func sequencesOfPairs() {
        enum Pairs: Sendable {
            case used(String, Int)
            case unused(String, Int)
            case sent(String, Int)
        }
        let router = EffectRouter<Pairs, String>(executor: scheduler.executor)
            .routeCase(Pairs.used).toHandling { text, number in .toEvents { ["\(text)\(number)"].stream } }
            .routeCase(Pairs.unused).toHandling { _, _ in .toEvents { ["sequence"].stream } }
            .routeCase(Pairs.sent).toHandling { pair in .toEvents { send in send("\(pair.0) sent \(pair.1)") } }
        let connection = router.connect { [events] in events.append($0) }
        for effect in [Pairs.used("a", 1), .unused("b", 2), .sent("c", 3)] { connection.accept(effect) }
        scheduler.drain()
        #expect(events.values.sorted() == ["a1", "c sent 3", "sequence"])
    }

    // MARK: - Programs

    @Test func aSynchronousProgramRunsAtOnceInItsEnvironmentAndMaySendAnEvent() {
        let log = Log()
        let connections = [
            connect { $0.toHandling { text in .toEvent(in: 5, .access { "\(text) \($0)" }) } },
            connect {
                $0.toHandling { text in
                    .toEvent(in: 7, EnvIO<Int, Never, Void>.access { log.append("\(text) \($0)") }.map { nil })
                }
            },
        ]
        for connection in connections { connection.accept("a") }
        #expect(events.values == ["a 5"])
        #expect(log.lines == ["a 7"])
        #expect(scheduler.executor.readyCount == 0)
    }

    // MARK: - A switch

    private enum Effect: Sendable {
        case nothing, log, event, program, wait, stream
        case handle(String)
        case callback
    }

    @Test func aSwitchHandlesEachEffectWithItsCase() {
        let log = Log()
        let clock = scheduler.clock
        let callbacks = Record<EffectCallback<String>>()
        let handler = EffectSwitch<Effect, String>(executor: scheduler.executor) { effect in
            switch effect {
            case .nothing: .nothing
            case .log: .to { log.append("logged") }
            case .event: .toEvent { "event" }
            case .program: .toEvent(in: 1, EnvIO<Int, Never, String?>.access { "program \($0)" })
            case .wait:
                .toEvent {
                    try? await clock.sleep(for: .seconds(1))
                    return "waited"
                }
            case .stream:
                .toEvents {
                    AsyncStream { continuation in
                        continuation.yield("streamed")
                        continuation.finish()
                    }
                }
            case .handle(let text): .to { Echo(callbacks: callbacks).handle(text, $0) }
            case .callback:
                .to { callback in
                    callback.send("called back")
                    return AnonymousDisposable { log.append("disposed") }
                }
            }
        }
        let connection = handler.connect { [events] in events.append($0) }
        for effect in [Effect.nothing, .log, .event, .program, .handle("h"), .callback, .wait, .stream] {
            connection.accept(effect)
        }
        #expect(events.values == ["event", "program 1", "h", "called back"])
        scheduler.advance(by: .seconds(1))
        #expect(events.values.suffix(2) == ["streamed", "waited"])
        connection.accept(.wait)
        scheduler.drain()
        connection.dispose()
        scheduler.drain()
        connection.accept(.log)
        #expect(log.lines == ["logged", "disposed"])
        #expect(events.values.count == 6)
        #expect(clock.sleeperCount == 0)
    }
}

extension [String] {
    /// A sequence of the elements, which ends after them.
    fileprivate var stream: AsyncStream<String> {
        AsyncStream { continuation in
            for element in self { continuation.yield(element) }
            continuation.finish()
        }
    }
}
