import Dispatch
import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

/// The policies for an effect that arrives while an earlier one of its route is being handled.
@Suite(.timeLimit(.minutes(10))) struct RoutePolicyTests {
    private let events = Record<String>()
    private let scheduler = VirtualScheduler()

    private func connect(
        _ makeRouter: (EffectRoute<String, String, String>) -> EffectRouter<String, String>
    ) -> Connection<String> {
        makeRouter(EffectRouter(executor: scheduler.executor).routeEffects(withParameters: { $0 }))
            .connect { [events] in events.append($0) }
    }

    @Test(arguments: [true, false]) func latestDisposesTheOlderHandlingAndDropsItsEvents(isCallbackHeld: Bool) {
        let (log, callbacks) = (Log(), Record<EffectCallback<String>>())
        let connection = connect {
            $0.policy(.latest).to { text, callback in
                if isCallbackHeld { callbacks.append(callback) }
                return AnonymousDisposable { log.append("disposed \(text)") }
            }
        }
        for effect in ["a", "b"] { connection.accept(effect) }
        #expect(log.lines == ["disposed a"])
        #expect(callbacks.values.map(\.ended) == (isCallbackHeld ? [true, false] : []))
        callbacks.values.first?.end(with: "old")
        callbacks.values.last?.end(with: "new")
        connection.dispose()
        #expect(events.values == (isCallbackHeld ? ["new"] : []))
        #expect(log.lines == (isCallbackHeld ? ["disposed a"] : ["disposed a", "disposed b"]))
    }

    @Test func latestNeverSendsAnOlderEventAfterANewerFromAnyThread() {
        let lateness = Record<Int>()
        let newest = Guarded(0)
        let callbacks = Record<(Int, EffectCallback<Int>)>()
        let connection = EffectRouter<Int, Int>().routeEffects(withParameters: { $0 }).policy(.latest)
            .to { number, callback in
                callbacks.append((number, callback))
                return EmptyDisposable()
            }
            .connect { number in
                newest.withLock { newest in
                    if number < newest { lateness.append(number) }
                    newest = max(number, newest)
                }
            }
        let next = Guarded(0)
        onThreads(4) { thread in
            for _ in 0..<250 {
                if thread == 0 {
                    connection.accept(
                        next.withLock {
                            $0 += 1
                            return $0
                        })
                } else {
                    for (number, callback) in callbacks.values.suffix(3).reversed() { callback.send(number) }
                }
            }
        }
        #expect(lateness.values == [])
        connection.dispose()
    }

    @Test func policiesApplyToHandlersThatReturnAtOnce() {
        let log = Log()
        let link = Record<Connection<String>>()
        let connection = connect {
            $0.policy(.queued).to { text in
                if text == "a" { link.values[0].accept("b") }
                if text == "b" {
                    link.values[0].accept("c")
                    link.values[0].dispose()
                }
                log.append(text)
            }
        }
        link.append(connection)
        connection.accept("a")
        #expect(log.lines == ["a", "b"])
        link.removeAll()
    }

    @Test func aCallbackEndedByItsDisposalDoesNotStartTheNextEffect() {
        let log = Log()
        let connection = connect {
            $0.policy(.queued).to { text, callback in
                log.append(text)
                return AnonymousDisposable { callback.end() }
            }
        }
        for effect in ["a", "b"] { connection.accept(effect) }
        connection.dispose()
        #expect(log.lines == ["a"])
    }

    @Test func aQueuedEffectStartsOnTheQueueOfItsRoute() {
        let mark = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "own")
        queue.setSpecific(key: mark, value: true)
        let (log, callbacks) = (Log(), Record<EffectCallback<String>>())
        let connection = connect {
            $0.on(queue: queue).policy(.queued).to { text, callback in
                log.append("\(text) \(DispatchQueue.getSpecific(key: mark) == true)")
                callbacks.append(callback)
                return EmptyDisposable()
            }
        }
        for effect in ["a", "b"] { connection.accept(effect) }
        queue.sync {}
        callbacks.values[0].end()
        queue.sync {}
        #expect(log.lines == ["a true", "b true"])
        connection.dispose()
    }

    @Test func anEffectReplacedBeforeItStartsOnItsQueueDoesNotStart() {
        let queue = DispatchQueue(label: "own")
        let log = Log()
        let connection = connect { $0.on(queue: queue).policy(.latest).to { text in log.append(text) } }
        queue.suspend()
        for effect in ["a", "b", "c"] { connection.accept(effect) }
        queue.resume()
        queue.sync {}
        #expect(log.lines == ["c"])
    }
}
