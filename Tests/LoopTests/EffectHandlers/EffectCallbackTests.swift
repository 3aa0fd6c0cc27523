import Dispatch
import Loop
import TestSupport
import Testing

/// The callback by which a handler sends events and ends.
@Suite(.timeLimit(.minutes(10))) struct EffectCallbackTests {
    private let sent = Record<Int>()
    private let ends = Record<Void>()

    private func callback() -> EffectCallback<Int> {
        EffectCallback(onSend: { [sent] in sent.append($0) }, onEnd: { [ends] in ends.append(()) })
    }

    @Test("65. A callback forwards the events that are sent")
    func send() {
        let callback = callback()
        callback.send(1)
        callback.send(2)
        #expect(sent.values == [1, 2])
        #expect(ends.values.isEmpty && !callback.ended)
    }

    @Test("66, 67. An ended callback sends nothing, neither by send nor by end(with:)")
    func afterTheEnd() {
        let callback = callback()
        callback.end()
        callback.send(1)
        callback.end(with: 2, 3)
        #expect(sent.values == [])
        #expect(ends.values.count == 1)
    }

    @Test("68. end(with:) sends its events in order and ends, and does nothing when repeated")
    func endWith() {
        let (callback, array) = (callback(), callback())
        callback.end(with: 1, 2, 3)
        callback.end(with: 4)
        #expect(sent.values == [1, 2, 3])
        #expect(ends.values.count == 1)
        array.end(with: [5, 6])
        array.end(with: [7])
        #expect(sent.values == [1, 2, 3, 5, 6])
        #expect(ends.values.count == 2)
    }

    @Test("69. onEnd is called once, even if many threads end the callback repeatedly")
    func endsOnce() {
        let callback = callback()
        onThreads(8) { thread in
            for _ in 0..<1_000 { if thread.isMultiple(of: 2) { callback.end() } else { callback.end(with: [1]) } }
        }
        #expect(ends.values.count == 1)
        #expect(sent.values.count <= 1)
    }

    @Test("70. A callback ends when its last reference is released")
    func dropped() {
        var callback: EffectCallback<Int>? = callback()
        callback?.send(1)
        #expect(ends.values.isEmpty)
        callback = nil
        #expect(ends.values.count == 1)
    }

    @Test("71. Every thread sees ended change from false to true once")
    func endedTurnsOnce() {
        for _ in 0..<100 {
            let callback = callback()
            #expect(!callback.ended)
            let relapses = Record<Void>()
            onThreads(4) { thread in
                var hasEnded = false
                for step in 0..<100 {
                    if thread == 0, step == 50 { callback.end() }
                    if hasEnded && !callback.ended { relapses.append(()) }
                    hasEnded = callback.ended
                }
            }
            #expect(callback.ended)
            #expect(relapses.values.isEmpty)
        }
    }

    @Test("72. A send on any thread that begins after end has returned sends nothing")
    func sendAfterEndElsewhere() {
        let late = Record<Void>()
        for _ in 0..<1_000 {
            let callback = EffectCallback<Bool>(onSend: { if $0 { late.append(()) } }, onEnd: {})
            let hasReturned = Guarded(false)
            onThreads(2) { thread in
                if thread == 0 {
                    callback.end()
                    hasReturned.withLock { $0 = true }
                } else {
                    for _ in 0..<100 { callback.send(hasReturned.withLock { $0 }) }
                }
            }
        }
        #expect(late.values.isEmpty)
    }

    @Test("73. While end(with:) sends, ended is true, and an end on another thread does not wait")
    func endWhileEnding() {
        let log = Log()
        let link = Record<EffectCallback<Int>>()
        let callback = EffectCallback<Int>(
            onSend: { event in
                log.append("\(event), ended \(link.values[0].ended)")
                onThreads(1) { _ in link.values[0].end() }
            },
            onEnd: { log.append("end") }
        )
        link.append(callback)
        callback.end(with: 1, 2)
        #expect(log.lines == ["1, ended true", "2, ended true", "end"])
        link.removeAll()
    }

    /// A builder that collects events, and whose handlers keep their callbacks and log their disposals.
    private func builder(_ callbacks: Record<EffectCallback<Int>>, _ log: Log) -> Mobius.Builder<[Int], Int, Int> {
        let router = EffectRouter<Int, Int>().routeEffects(withParameters: { $0 }).to { effect, callback in
            callbacks.append(callback)
            return AnonymousDisposable { log.append("disposed \(effect)") }
        }
        let update = Update<[Int], Int, Int> { model, event in
            log.append("event \(event)")
            return trail(model, event)
        }
        return Mobius.loop(update: update, effectHandler: router)
    }

    @Test("30, 74. A loop may be disposed right after its effects, and then ignores their callbacks on every thread")
    func afterDisposal() {
        let (callbacks, log) = (Record<EffectCallback<Int>>(), Log())
        let loop = builder(callbacks, log).start(from: [], effects: [1, 2])
        callbacks.values[0].send(-1)
        loop.dispatchEvent(3)
        loop.dispose()
        #expect(callbacks.values.map(\.ended) == [true, true, true])
        onThreads(3) { index in
            let callback = callbacks.values[index]
            callback.send(-2)
            callback.end(with: -3)
            callback.end()
        }
        #expect(log.lines == ["event -1", "event 3", "disposed 1", "disposed 2", "disposed 3"])
        #expect(loop.latestModel == [-1, 3])
    }

    @Test("74, 105. A stop ends callbacks, and a restarted controller ignores them on every thread")
    func afterStop() {
        let (callbacks, log, queue) = (Record<EffectCallback<Int>>(), Log(), DispatchQueue(label: "loop"))
        let controller = builder(callbacks, log)
            .makeController(from: [], initiate: { First(model: $0, effects: [1]) }, loopQueue: queue)
        controller.start()
        #expect(callbacks.values.map(\.ended) == [false])
        controller.stop()
        #expect(callbacks.values.map(\.ended) == [true])
        controller.start()
        onThreads(4) { _ in
            callbacks.values[0].send(-1)
            callbacks.values[0].end(with: -2)
        }
        // What they had sent would have been processed.
        queue.settle()
        controller.stop()
        #expect(log.lines == ["disposed 1", "disposed 1"])
        #expect(controller.model == [])
    }

    @Test("75. A handler may use and end the callback whose late send is being processed")
    func reentrantSend() {
        let (callbacks, log) = (Record<EffectCallback<Numbers.Event>>(), Log())
        let handler = EffectSwitch<Numbers.Effect, Numbers.Event> { effect in
            .to { callback in
                callbacks.append(callback)
                switch effect {
                case .call(let body): body()
                }
                return EmptyDisposable()
            }
        }
        let loop = Numbers.builder(effectHandler: handler).start(from: [], effects: [.call {}])
        let callback = callbacks.values[0]
        callback.send(
            .call { [weak callback] in
                callback?.send(.add(2))
                log.append("ended \(callback?.ended ?? true), \(loop.latestModel)")
            })
        callback.send(
            .call { [weak callback] in
                callback?.end(with: .add(3))
                callback?.send(.add(4))
                log.append("ended \(callback?.ended ?? false), \(loop.latestModel)")
            })
        #expect(log.lines == ["ended false, []", "ended true, [2]"])
        #expect(loop.latestModel == [2, 3])
        callbacks.removeAll()
    }

    @Test("75. An observer may dispose the loop during a late send")
    func sendThatDisposes() {
        let (callbacks, log) = (Record<EffectCallback<Int>>(), Log())
        let loop = builder(callbacks, log).start(from: [], effects: [1])
        loop.addObserver { [weak loop] model in if model == [-1] { loop?.dispose() } }
        callbacks.values[0].send(-1)
        callbacks.values[0].send(-2)
        callbacks.values[0].end(with: -3)
        #expect(log.lines == ["event -1", "disposed 1"])
        #expect(loop.latestModel == [-1])
    }
}
