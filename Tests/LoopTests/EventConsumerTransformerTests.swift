import Loop
import TestSupport
import Testing

/// Transformers of a loop's event consumer. The tests have the numbers of the promised behaviours.
@Suite(.timeLimit(.minutes(10))) struct EventConsumerTransformerTests {
    private let handler = ManualHandler<Int, Int>()
    private let source = ManualEventSource<Int>()
    private var builder: Mobius.Builder<[Int], Int, Int> {
        Mobius.loop(update: trail, effectHandler: handler).withEventSource(source)
    }

    @Test("81. A transformer receives the events of the handler, the event source and dispatches")
    func allEvents() {
        let seen = Record<Int>()
        let loop = builder.withEventConsumerTransformer { consumer in
            { event in
                seen.append(event)
                consumer(event * 10)
            }
        }
        .start(from: [])
        handler.emit(-1)
        source.emit(-2)
        loop.dispatchEvent(-3)
        #expect(seen.values == [-1, -2, -3])
        #expect(loop.latestModel == [-10, -20, -30])
    }

    @Test("82. The transformer that is added last receives an event first")
    func orderOfTransformers() {
        let log = Log()
        func tracing(_ name: String) -> ConsumerTransformer<Int> {
            { consumer in
                { event in
                    log.append(name)
                    consumer(event)
                }
            }
        }
        let loop = builder.withEventConsumerTransformer(tracing("A")).withEventConsumerTransformer(tracing("B"))
            .start(from: [])
        loop.dispatchEvent(0)
        #expect(log.lines == ["B", "A"])
        #expect(loop.latestModel == [0])
    }

    @Test("83. A transformer may drop events, multiply them, or leave them as they are")
    func droppingAndMultiplying() {
        let loop = builder.withEventConsumerTransformer { consumer in
            { event in for _ in 0..<(-event) { consumer(event) } }
        }
        .withEventConsumerTransformer { $0 }
        .start(from: [])
        for event in [0, -1, -2] { loop.dispatchEvent(event) }
        #expect(loop.latestModel == [-1, -2, -2])
    }

    @Test("83. A transformer may delay events, and a disposed loop ignores them")
    func delaying() {
        let waiting = Record<@Sendable () -> Void>()
        let loop = builder.withEventConsumerTransformer { consumer in
            { event in waiting.append { consumer(event) } }
        }
        .start(from: [])
        loop.dispatchEvent(-1)
        loop.dispatchEvent(-2)
        #expect(loop.latestModel == [])
        waiting.values[0]()
        #expect(loop.latestModel == [-1])
        loop.dispose()
        waiting.values[1]()
        #expect(loop.latestModel == [-1])
    }

    @Test("Each loop calls its transformer once, so that the state of transformers is separate")
    func onceForEachLoop() {
        let builder = builder.withEventConsumerTransformer { consumer in
            let previous = Guarded<Int?>(nil)
            return { event in
                let isNew = previous.withLock { last in
                    defer { last = event }
                    return last != event
                }
                if isNew { consumer(event) }
            }
        }
        let (left, right) = (builder.start(from: []), builder.start(from: []))
        left.dispatchEvent(-1)
        left.dispatchEvent(-1)
        right.dispatchEvent(-1)
        #expect(left.latestModel == [-1])
        #expect(right.latestModel == [-1])
        // The source uses the same transformed consumer as the dispatches.
        source.emit(-1)
        #expect(left.latestModel == [-1])
    }
}
