import Loop
import TestSupport
import Testing

/// Event sources. The tests have the numbers of the promised behaviours.
@Suite(.timeLimit(.minutes(10))) struct EventSourceTests {
    private let builder = Mobius.loop(update: trail, effectHandler: ManualHandler<Int, Int>())

    @Test("76. The last event source replaces earlier ones of any kind")
    func replacing() {
        let (first, second) = (ManualEventSource<Int>(), ManualEventSource<Int>())
        let models = Record<[Int]>()
        let telling = AnyConnectable<[Int], Int> { _ in
            Connection(acceptClosure: { models.append($0) }, disposeClosure: {})
        }
        let loop = builder.withEventSource(first).withEventSource(telling).withEventSource(second).start(from: [])
        first.emit(-1)
        second.emit(-2)
        #expect(loop.latestModel == [-2])
        #expect(models.values == [])
    }

    // MARK: - Composition

    @Test("79. A composite emits the events of all its sources and disposes them", arguments: 0...3)
    func composite(count: Int) {
        let sources = (0..<count).map { _ in ManualEventSource<Int>() }
        let composite = sources.reduce(CompositeEventSourceBuilder<Int>()) { $0.addEventSource($1) }.build()
        let events = Record<Int>()
        let subscription = composite.subscribe { events.append($0) }
        for (number, source) in sources.enumerated() { source.emit(number) }
        #expect(events.values == Array(0..<count))
        subscription.dispose()
        #expect(sources.map(\.disposalCount) == Array(repeating: 1, count: count))
    }

    @Test("79. Adding a source to a composite's builder does not change the original")
    func compositeBuilder() {
        let (first, second) = (ManualEventSource<Int>(), ManualEventSource<Int>())
        let one = CompositeEventSourceBuilder<Int>().addEventSource(first)
        _ = one.addEventSource(second)
        let events = Record<Int>()
        _ = one.build().subscribe { events.append($0) }
        first.emit(1)
        second.emit(2)
        #expect(events.values == [1])
    }

    @Test("80. map transforms events, AnyEventSource forwards them, and both pass the disposal on")
    func mapped() {
        let source = ManualEventSource<Int>()
        let (texts, numbers) = (Record<String>(), Record<Int>())
        let mapped = source.map { "\($0)" }.subscribe { texts.append($0) }
        let any = AnyEventSource(source).subscribe { numbers.append($0) }
        source.emit(7)
        #expect(texts.values == ["7"])
        #expect(numbers.values == [7])
        mapped.dispose()
        #expect(source.disposalCount == 1)
        any.dispose()
        #expect(source.disposalCount == 2)
    }

    // MARK: - Asynchronous sequences

    @Test("An asynchronous sequence sends events to the loop and is cancelled with it", arguments: [false, true])
    func asynchronous(isDropped: Bool) async {
        let (events, input) = AsyncStream<Int>.makeStream()
        let (ended, end) = AsyncStream<Void>.makeStream()
        input.onTermination = { termination in
            if case .cancelled = termination { end.yield() }
            end.finish()
        }
        var loop: TrailLoop? = builder.withEventSource { events }.start(from: [])
        input.yield(-1)
        input.yield(-2)
        if let models = loop?.models() { for await model in models where model == [-1, -2] { break } }
        if !isDropped { loop?.dispose() }
        loop = nil
        #expect(await ended.reduce(0) { count, _ in count + 1 } == 1)
    }

    @Test("A loop continues after the asynchronous sequence of its events has ended")
    func asynchronousEnding() async {
        let loop = builder.withEventSource {
            AsyncStream { input in
                input.yield(-1)
                input.finish()
            }
        }
        .start(from: [])
        for await model in loop.models() where model == [-1] { break }
        // The thread that processes the first event may still be draining, and then processes this one, too.
        loop.dispatchEvent(-2)
        for await model in loop.models() where model == [-1, -2] { break }
    }

    @Test("Each start creates its own asynchronous sequence")
    func asynchronousOfEach() async {
        let made = Guarded(0)
        let builder = builder.withEventSource {
            let number = made.withLock {
                $0 += 1
                return $0
            }
            return AsyncStream { $0.yield(-number) }
        }
        for number in 1...3 {
            let loop = builder.start(from: [])
            for await model in loop.models() where model == [-number] { break }
            #expect(loop.latestModel == [-number])
        }
    }
}
