import Dispatch
import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

/// What a traced loop or controller records besides its effects. The tests have the numbers of the promised behaviours.
@Suite("Loop: tracing", .timeLimit(.minutes(10)))
struct LoopTraceTests {
    private struct Broken: Error {}

    private let events = TraceBuffer()
    private let scheduler = VirtualScheduler()
    private var trace: Trace { Trace(to: events) }
    /// Adds each event to the model.
    private var adding: Mobius.Builder<Int, Int, Never> { Self.adding.withTrace(trace) }
    private static var adding: Mobius.Builder<Int, Int, Never> { Mobius.beginnerLoop { model, event in model + event } }

    // MARK: - Models

    @Test("125. A loop records the model that it starts from, each new model, and how many observers it is passed to")
    func models() {
        let loop = adding.start(from: 1)
        loop.dispatchEvent(1)
        loop.addObserver { _ in }
        loop.addObserver { _ in }
        loop.dispatchEvent(2)
        loop.dispose()
        #expect(
            events.lines == [
                "1: created 1", "2: received 1 from caller", "3 ← 2: changed to 2", "4 ← 2: handled 2",
                "5: received 2 from caller", "6 ← 5: changed to 4 for 2", "7 ← 5: handled 5", "8: closed",
            ])
        let owner = events.all[0].owner
        #expect(owner.name == "MobiusLoop<Int, Int, Never>" && owner.number == 1)
        #expect(Set(events.all.map(\.owner)) == [owner])
    }

    @Test("125. Each start of a controller records the model that initiate returns; all of them are one owner")
    func initiate() async throws {
        let controller = Numbers.controller(
            from: [1], Numbers.builder().withTrace(trace), initiate: { First(model: $0 + [2], effects: [.call {}]) })
        controller.start()
        controller.dispatchEvent(.add(3))
        try await controller.settled()
        controller.stop()
        controller.start()
        controller.stop()
        let kinds = events.kinds.map { line in line.hasPrefix("started") ? "started" : line }
        #expect(
            kinds == [
                "created [1, 2]", "started", "ended 2", "received add(3) from caller", "changed to [1, 2, 3]",
                "handled 4", "closed", "created [1, 2, 3, 2]", "started", "ended 9", "closed",
            ])
        #expect(events.all[1].cause == nil)
        #expect(Set(events.all.map(\.owner.number)) == [1])
        #expect(events.all[0].owner.name == "MobiusController<Array<Int>, Event, Effect>")
    }

    @Test("125. A model is recorded before the event source and the observers receive it")
    func orderOfChange() {
        let log = Log()
        let events = events
        let source = ManualHandler<Int, Int>(onAccept: { model, _ in log.append("source \(model): \(events.all.count)")
        })
        let loop = adding.withEventSource(source).start(from: 0)
        loop.addObserver { log.append("observer \($0): \(events.all.count)") }
        loop.dispatchEvent(1)
        // created, started, suspended | received, changed
        #expect(log.lines == ["source 0: 3", "observer 0: 3", "source 1: 5", "observer 1: 5"])
        #expect(events.kinds.filter { $0.hasPrefix("changed") } == ["changed to 1 for 1"])
        loop.dispose()
    }

    // MARK: - Sources and views

    @Test("126. An event source is a work, which causes its events and is cancelled with the loop")
    func eventSource() {
        let source = ManualEventSource<Int>(emitting: [1])
        let loop = adding.withEventSource(source).start(from: 0)
        source.emit(2)
        loop.dispose()
        #expect(
            events.lines == [
                "1: created 0", "2: started ManualEventSource<Int>, eventSource", "3 ← 2: suspended 2",
                "4 ← 2: received 1 from eventSource", "5 ← 4: changed to 1", "6 ← 4: handled 4",
                "7 ← 2: received 2 from eventSource", "8 ← 7: changed to 3", "9 ← 7: handled 7", "10 ← 2: cancelled 2",
                "11: closed",
            ])
        source.emit(3)
        #expect(events.lines.last == "12 ← 2: dropped 3, ended")
    }

    @Test("126. The events of a source that depends on the model are caused by the event that has changed the model")
    func modelSource() {
        let source = ManualHandler<Int, Int>(onAccept: { model, send in if model < 2 { send(1) } })
        let loop = adding.withEventSource(source).start(from: 0)
        #expect(loop.latestModel == 2)
        let received = events.all.filter { if case .received = $0.kind { true } else { false } }
        // The first one answers the model that the loop starts from.
        #expect(received.map(\.cause) == [2, received.first?.id])
        #expect(
            events.kinds.filter { $0.hasPrefix("received") }
                == Array(repeating: "received 1 from eventSource", count: 2))
        loop.dispose()
    }

    enum End: CaseIterable { case end, failure, handledFailure, cancellation }

    @Test("126. The work of a sequence ends or fails with the sequence, in virtual time", arguments: End.allCases)
    func sequence(_ end: End) {
        let clock = scheduler.clock
        let ticks: @Sendable () -> AsyncThrowingStream<Int, any Error> = {
            let count = Guarded(0)
            return AsyncThrowingStream<Int, any Error>(unfolding: { () async throws -> Int? in
                try await clock.sleep(for: .seconds(1))
                count.value += 1
                if count.value <= 2 { return count.value }
                if end == .end { return nil }
                throw Broken()
            })
        }
        let errors = Log()
        let builder = Self.adding.onError { error, source in errors.append("\(source): \(error)") }
            .withExecutor(scheduler.executor).withTrace(Trace(to: events, clock: clock))
        let onError: (@Sendable (any Error) -> Int?)? = if end == .handledFailure { { _ in 100 } } else { nil }
        let loop = builder.withEventSource(ticks, onError: onError).start(from: 0)
        scheduler.advance(by: .milliseconds(2500))
        #expect(loop.latestModel == 3)
        #expect(events.lines[1] == "2: started AsyncThrowingStream<Int, Error>, eventSource")
        #expect(events.received("2")?.cause == 2)
        #expect(events.received("2")?.time == .seconds(2))
        if end == .cancellation { loop.dispose() }
        scheduler.advance(by: .seconds(1))
        let ends = events.kinds.filter { $0.hasPrefix("ended") || $0.hasPrefix("failed") || $0.hasPrefix("cancelled") }
        switch end {
        case .end: #expect(ends == ["ended 2"])
        case .handledFailure: #expect(ends == ["ended 2"] && loop.latestModel == 103)
        case .failure: #expect(ends == ["failed 2: Broken()"])
        case .cancellation: #expect(ends == ["cancelled 2"])
        }
        let recovery = "recovered from Broken() with the value 100"
        #expect(events.kinds.filter { $0.hasPrefix("recovered") } == (end == .handledFailure ? [recovery] : []))
        #expect(errors.lines == (end == .failure ? ["The event source: Broken()"] : []))
        if end != .cancellation { loop.dispose() }
    }

    @Test("126. A view's events are from the caller, also those of a view on the main actor that answers later")
    func views() async throws {
        let screen = Screen()
        let controller = Numbers.controller(Numbers.builder().withTrace(trace))
        controller.connectView(screen)
        controller.start()
        screen.port.send(.add(1))
        try await controller.settled()
        controller.stop()
        #expect(events.kinds.contains("received add(1) from caller"))
        #expect(events.kinds.contains("changed to [1] for 1"))

        events.removeAll()
        let answered = AsyncStream.makeStream(of: Void.self)
        let second = Numbers.controller(Numbers.builder().withTrace(trace))
        let view = await Answering { answered.continuation.yield() }
        await second.connectView(view)
        var models = answered.stream.makeAsyncIterator()
        second.start()
        await models.next()
        // The call that has passed the first model is over, so that the next model has a call of its own.
        await MainActor.run {}
        second.dispatchEvent(.add(1))
        await models.next()
        try await second.settled()
        second.stop()
        #expect(second.model == [1, 2])
        #expect(events.kinds.contains("received add(2) from caller"))
        #expect(events.received("add(2)")?.cause == nil)
        answered.continuation.finish()
    }

    // MARK: - Dropped events

    @Test("127. A stopped controller and a loop that has ended drop events")
    func dropped() async {
        let controller = Numbers.controller(Numbers.builder().withTrace(trace))
        controller.dispatchEvent(.add(1))
        #expect(events.lines == ["1: dropped add(1), ended"])
        controller.start()
        let stopped = DispatchSemaphore(value: 0)
        controller.dispatchEvent(
            .call {
                controller.dispatchEvent(.add(2))
                controller.stop()
                stopped.signal()
            })
        stopped.wait()
        // The drain of the old loop is enqueued before the start.
        controller.start()
        controller.stop()
        #expect(controller.model == [])
        let work = events.all.first { if case .started = $0.kind { true } else { false } }?.id ?? 0
        #expect(events.lines.contains { $0.hasSuffix(" ← \(work): dropped add(2), ended") })
        #expect(events.received("add(2)") == nil)
        #expect(Set(events.all.map(\.owner.number)) == [1])
        // The buffer has an event that captures the controller, which traces to the buffer.
        events.removeAll()
    }

    @Test("127. A logger that ends the loop drops the event, which is recorded, too")
    func droppedByLogger() {
        let slot = Guarded<MobiusLoop<Int, Int, Never>?>(nil)
        let loop = adding.withLogger(SimpleLogger(tag: "") { _ in slot.value?.dispose() }).start(from: 0)
        slot.value = loop
        loop.dispatchEvent(1)
        slot.value = nil
        #expect(
            events.lines == [
                "1: created 0", "2: received 1 from caller", "3 ← 2: closed", "4 ← 2: dropped 1, ended",
                "5 ← 2: handled 2",
            ])
    }

    @Test("127. Events for a loop that was deallocated are recorded as dropped")
    func droppedAfterDeallocation() {
        let source = ManualEventSource<Int>()
        _ = adding.withEventSource(source).start(from: 0)
        source.emit(1)
        #expect(events.lines.suffix(3) == ["4 ← 2: cancelled 2", "5: closed", "6 ← 2: dropped 1, ended"])
    }

    @Test("126. An endless chain through the tasks of a source that depends on the model is reported", .promptly)
    func endlessChainOfSource() async throws {
        _ = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let (events, scheduler) = (TraceBuffer(), VirtualScheduler())
            let source = AnyConnectable<Int, Int> { consumer in
                Connection(
                    acceptClosure: { model in
                        if model < 200 { Task(executorPreference: scheduler.executor) { consumer(1) } }
                    }, disposeClosure: {})
            }
            let loop = Self.adding.withEventSource(source).withTrace(
                Trace(to: events, maximumGrowth: 100, clock: scheduler.clock)
            ).start(from: 0)
            scheduler.drain()
            precondition(loop.latestModel == 200)
            precondition(events.kinds.filter { $0.hasPrefix("endless chain") }.count == 1)
            precondition(events.kinds.filter { $0 == "received 1 from eventSource" }.count == 200)
            loop.dispose()
        }
    }

    @Test("127. Each event of a chain that is stopped is recorded as received or as dropped", .promptly)
    func stoppedChain() async throws {
        _ = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            for effects in [[1], [1, 1]] {
                let events = TraceBuffer()
                let router = EffectRouter<Int, Int>().routeEffects(withParameters: { $0 }).toEvent { $0 }
                let loop = Mobius.loop(
                    update: Update<Int, Int, Int> { count, event in .next(count + event, effects: effects) },
                    effectHandler: router
                ).withMaximumChain(10).withTrace(Trace(to: events)).start(from: 0)
                loop.dispatchEvent(1)
                func count(_ prefix: String) -> Int { events.kinds.count { $0.hasPrefix(prefix) } }
                precondition(count("received") + count("dropped") == 1 + count("started"))
                precondition(count("dropped") > 0)
                let dropped = events.all.filter { "\($0.kind)".hasPrefix("dropped") }
                precondition(dropped.allSatisfy { $0.cause != nil })
                // As without a trace.
                if effects.count == 1 { precondition(loop.latestModel == 12 && count("dropped") == 1) }
                loop.dispose()
            }
        }
    }

    // MARK: - The end

    @Test("128. A loop that its update disposes records the model of that update, and no observer")
    func disposedInUpdate() {
        let slot = Guarded<MobiusLoop<Int, Int, Never>?>(nil)
        let loop = Mobius.beginnerLoop { (model: Int, event: Int) in
            slot.value?.dispose()
            return model + event
        }.withTrace(trace).start(from: 0)
        loop.addObserver { _ in }
        slot.value = loop
        loop.dispatchEvent(1)
        slot.value = nil
        #expect(loop.latestModel == 1)
        #expect(
            events.lines == [
                "1: created 0", "2: received 1 from caller", "3 ← 2: changed to 1", "4 ← 2: handled 2", "5 ← 2: closed",
            ])
    }

    @Test("128. A controller that its first effect stops is closed once")
    func stoppedByFirstEffect() {
        let slot = Guarded<Numbers.Controller?>(nil)
        let controller = Numbers.controller(
            Numbers.builder().withTrace(trace), initiate: { First(model: $0, effects: [.call { slot.value?.stop() }]) })
        slot.value = controller
        controller.start()
        slot.value = nil
        #expect(!controller.running)
        #expect(events.kinds.filter { $0 == "closed" || $0.hasPrefix("created") } == ["created []", "closed"])
    }

    @Test("128. A loop that another thread disposes during an event is closed once, after its disposables")
    func disposedElsewhere() async {
        let slot = Guarded<MobiusLoop<Int, Int, Int>?>(nil)
        let closed = AsyncStream.makeStream(of: Void.self)
        let events = events
        let trace = Trace { event in
            events.receive(event)
            if case .closed = event.kind { closed.continuation.yield() }
        }
        let handler = ManualHandler<Int, Int>(
            onDispose: { precondition(!events.kinds.contains("closed")) },
            onAccept: { _, _ in onThreads(1) { _ in slot.value?.dispose() } })
        let loop = Mobius.loop(
            update: Update<Int, Int, Int> { model, event in .next(model + event, effects: [event]) },
            effectHandler: handler
        ).withTrace(trace).start(from: 0)
        slot.value = loop
        loop.dispatchEvent(1)
        slot.value = nil
        for await _ in closed.stream { break }
        #expect(handler.disposalCount == 1)
        #expect(loop.latestModel == 1)
        #expect(events.kinds.filter { $0 == "closed" || $0.hasPrefix("cancelled") } == ["cancelled 2", "closed"])
        closed.continuation.finish()
    }

    @Test("128. Dropping a loop or a controller closes it, and a trace retains neither models nor handlers")
    func memory() {
        let counter = Tracked.Counter()
        do {
            let tracked = Tracked(counter)
            let source = ManualEventSource<Int>()
            let handler = EffectRouter<Int, Int>().routeEffects(withParameters: { $0 }).to { _, _ in
                AnonymousDisposable { _ = tracked }
            }
            let loop = Mobius.loop(
                update: Update<Tracked?, Int, Int> { model, event in .next(model, effects: [event]) },
                effectHandler: handler
            ).withEventSource(source).withTrace(Trace(to: events, snapshots: false)).start(from: tracked)
            loop.addObserver { _ in _ = tracked }
            loop.dispatchEvent(1)
            #expect(counter.count == 1)
        }
        #expect(counter.count == 0)
        #expect(events.kinds.last == "closed")
        #expect(events.kinds.contains("created -"))
    }
}

/// Answers the model `[1]`.
@MainActor private final class Answering {
    private let onAccept: @Sendable () -> Void

    init(_ onAccept: @escaping @Sendable () -> Void) { self.onAccept = onAccept }
}

extension Answering: @MainActor Connectable {
    func connect(_ consumer: @escaping Consumer<Numbers.Event>) -> Connection<[Int]> {
        Connection(
            acceptClosure: { [onAccept] model in
                if model == [1] { consumer(.add(2)) }
                onAccept()
            }, disposeClosure: {})
    }
}
