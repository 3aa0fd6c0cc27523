import Dispatch
import Loop
import TestSupport
import Testing

/// Loops under many threads.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LoopConcurrencyTests {
    private struct Tally: Sendable {
        /// The number of updates that are running.
        let running = Guarded(0)
        var count = 0
        var last = [Int](repeating: 0, count: 8)
        var disorder = 0
    }

    private enum Event: Sendable {
        case number(Int, thread: Int)
        case call(@Sendable () -> Void)
    }

    private static let tallying = Update<Tally, Event, @Sendable () -> Void>(inPlace: { tally, event in
        let running = tally.running
        running.withLock { $0 += 1 }
        defer { running.withLock { $0 -= 1 } }
        switch event {
        case .number(let number, let thread):
            tally.count += 1
            if number != tally.last[thread] + 1 || running.value > 1 { tally.disorder += 1 }
            tally.last[thread] = number
            return []
        case .call(let body): return [body]
        }
    })

    private static let handler = EffectRouter<@Sendable () -> Void, Event>()
        .routeEffects(withParameters: { $0 })
        .to { body in body() }

    private static let perThread = 5_000

    enum Home: CaseIterable {
        case loop, serialQueue, concurrentQueue, globalQueue

        var queue: DispatchQueue? {
            switch self {
            case .loop: nil
            case .serialQueue: DispatchQueue(label: "serial")
            case .concurrentQueue: DispatchQueue(label: "concurrent", attributes: .concurrent)
            case .globalQueue: .global()
            }
        }
    }

    @Test(
        "36, 92, 102. A loop or a controller processes all events of eight threads one at a time, in each thread's order",
        arguments: Home.allCases)
    func eightThreads(home: Home) async {
        let (port, seen) = (Port<Event>(), Guarded((count: 0, gaps: 0)))
        let source = AnyConnectable<Tally, Event> { consumer in
            port.attach(consumer)
            return Connection(
                acceptClosure: { tally in
                    seen.withLock {
                        if tally.count > $0.count + 1 { $0.gaps += 1 }
                        $0.count = tally.count
                    }
                }, disposeClosure: {})
        }
        let builder = Mobius.loop(update: Self.tallying, effectHandler: Self.handler).withEventSource(source)
        let controller = home.queue.map { builder.makeController(from: Tally(), loopQueue: $0) }
        controller?.start()
        let loop = home == .loop ? builder.start(from: Tally()) : nil
        onThreads(8) { thread in
            for number in 1...Self.perThread {
                let event = Event.number(number, thread: thread)
                if thread % 2 == 0 {
                    port.send(event)
                } else {
                    loop?.dispatchEvent(event) ?? controller?.dispatchEvent(event)
                }
            }
        }
        // Processed after all events that were sent before it, by any thread.
        await withCheckedContinuation { continuation in port.send(.call { continuation.resume() }) }
        controller?.stop()
        let tally = loop?.latestModel ?? controller?.model
        #expect(tally?.count == 8 * Self.perThread)
        #expect(tally?.disorder == 0)
        #expect(tally?.last == [Int](repeating: Self.perThread, count: 8))
        #expect(seen.value == (8 * Self.perThread, 0))
    }

    @Test("If threads use a loop one after another, each dispatch returns after its event is processed")
    func oneThreadAfterAnother() {
        let loop = Mobius.loop(update: Self.tallying, effectHandler: Self.handler).start(from: Tally())
        let late = Guarded(0)
        for thread in 0..<8 {
            onThreads(1) { _ in
                for number in 1...Self.perThread {
                    loop.dispatchEvent(.number(number, thread: thread))
                    if loop.latestModel.last[thread] != number { late.withLock { $0 += 1 } }
                }
            }
        }
        #expect(late.withLock { $0 } == 0)
    }

    @Test("A dispatch during another thread's event returns at once, and that thread processes it")
    func handledByTheOther() {
        let loop = Mobius.beginnerLoop { (model: [Int], event: Int) in model + [event] }.start(from: [])
        let seenByOther = Record<[Int]>()
        loop.addObserver { [weak loop] model in
            guard model == [1] else { return }
            onThreads(1) { [loop] _ in
                loop?.dispatchEvent(2)
                seenByOther.append(loop?.latestModel ?? [])
            }
        }
        loop.dispatchEvent(1)
        #expect(seenByOther.values == [[1]])
        #expect(loop.latestModel == [1, 2])
    }

    @Test(
        "A loop that ends while other threads send disposes its parts once and processes no later event",
        arguments: [true, false])
    func endingMeanwhile(isDisposed: Bool) async {
        for _ in 0..<100 {
            let (disposed, end) = AsyncStream<Void>.makeStream()
            let source = ManualEventSource<Int>(onDispose: { end.finish() })
            let handler = ManualHandler<Int, Int>()
            let updates = Record<Int>()
            let update = Update<[Int], Int, Int> { model, event in
                updates.append(event)
                return .next(model + [event], effects: [event])
            }
            let slot = LoopSlot(
                Mobius.loop(update: update, effectHandler: handler).withEventSource(source).start(from: []))
            slot.loop?.addObserver { _ in }
            let models = slot.loop?.models(buffering: .bufferingNewest(1))
            let held = isDisposed ? slot.loop : nil
            onThreads(5) { thread in
                if thread < 2 {
                    if isDisposed { slot.loop?.dispose() } else { slot.loop = nil }
                } else {
                    for number in 0..<50 { thread == 2 ? handler.emit(number) : source.emit(number) }
                }
            }
            for await _ in disposed {}
            if let models { for await _ in models {} }
            let handled = updates.values
            source.emit(0)
            handler.emit(0)
            #expect(updates.values == handled)
            #expect(handler.effects.count <= handled.count)
            #expect(handler.disposalCount == 1)
            #expect(source.disposalCount == 1)
            if let held { #expect(held.latestModel == handled) }
        }
    }

    @Test("Observers may be registered and disposed while other threads dispatch")
    func observersComeAndGo() async {
        let loop = Mobius.loop(update: Self.tallying, effectHandler: Self.handler).start(from: Tally())
        let told = Guarded(0)
        loop.addObserver { _ in told.withLock { $0 += 1 } }
        onThreads(4) { thread in
            for number in 1...1_000 {
                if thread % 2 == 0 {
                    loop.dispatchEvent(.number(number, thread: thread))
                } else {
                    loop.addObserver { _ in }.dispose()
                    _ = loop.latestModel
                }
            }
        }
        await withCheckedContinuation { continuation in loop.dispatchEvent(.call { continuation.resume() }) }
        #expect(loop.latestModel.count == 2_000)
        // The initial model, the numbers, and the event that resumes this test.
        #expect(told.withLock { $0 } == 2_002)
    }
}
