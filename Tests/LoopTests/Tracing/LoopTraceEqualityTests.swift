import Dispatch
import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

/// A traced loop behaves exactly as an untraced one.
@Suite("Loop: the same with a trace", .timeLimit(.minutes(10)))
struct LoopTraceEqualityTests {
    private struct Effect: Sendable { let number: Int }
    private typealias Loop = MobiusLoop<[Int], Int, Effect>

    /// Logs each call.
    private struct Telling: MobiusLogger {
        let log: Log

        func willUpdate(model: [Int], event: Int) { log.append("will \(model) \(event)") }
        func didUpdate(event: Int, next: Next<[Int], Effect>) { log.append("did \(event) \(next.effects.count)") }
        func didDrop(event: Int) { log.append("drop \(event)") }
    }

    /// Runs a loop whose events, effects and disposal follow from the seed, and returns what happened.
    private func run(seed: UInt64, _ trace: Trace?) -> [String] {
        let (scheduler, log, slot) = (VirtualScheduler(seed: seed), Log(), Guarded<Loop?>(nil))
        let random = Guarded(SeededGenerator(seed: seed))
        @Sendable func pick(_ count: Int) -> Int { random.withLock { Int.random(in: 0..<count, using: &$0) } }
        @Sendable func mayDispose(_ place: String) {
            if pick(60) == 0, let loop = slot.value {
                log.append("dispose in \(place)")
                loop.dispose()
            }
        }
        let callbacks = Record<EffectCallback<Int>>()
        let clock = scheduler.clock
        let isInPlace = seed % 2 == 0
        let answer: @Sendable (inout [Int], Int) -> [Effect] = { model, event in
            mayDispose("update")
            if event % 5 != 4 { model.append(event) }
            guard event < 200 else { return [] }
            return (0..<pick(3)).map { _ in Effect(number: event) }
        }
        let update =
            isInPlace
            ? Update<[Int], Int, Effect>(inPlace: { model, event in answer(&model, event) })
            : Update<[Int], Int, Effect> { model, event in
                var model = model
                return .next(model, effects: answer(&model, event))
            }
        let handler = EffectSwitch<Effect, Int> { effect in
            let next = effect.number + 10
            mayDispose("handler")
            switch pick(7) {
            case 0: return .toEvent { next }
            case 1:
                return .toEvent {
                    try await clock.sleep(for: .milliseconds(pick(5)))
                    return next
                }
            case 2:
                return .to { callback in
                    callbacks.append(callback)
                    callback.send(next)
                    return AnonymousDisposable { log.append("dispose \(next)") }
                }
            case 3: return .to { for callback in callbacks.values { callback.end(with: next, next + 1) } }
            case 4: return .toEvent(in: (), EnvIO<Void, Never, Int?>.pure(next))
            case 5:
                return .toEvent(
                    in: (), EnvIO<Void, Never, Void>.sleep(for: .milliseconds(2), clock: clock).map { next })
            default:
                return .toEvents { send in
                    send(next)
                    try await clock.sleep(for: .milliseconds(1))
                    throw CancellationError()
                }
            }
        }
        let source = ManualHandler<[Int], Int>(
            onDispose: { log.append("source") },
            onAccept: { model, send in if model.count % 7 == 3 { send(1000) } })
        var builder = Mobius.loop(update: update, effectHandler: handler).withEventSource(source)
            .withExecutor(scheduler.executor).withMaximumChain(1_000)
            .onError { error, source in log.append("\(source) \(error)") }
        if seed % 3 == 0 { builder = builder.withLogger(Telling(log: log)) }
        if let trace { builder = builder.withTrace(trace) }
        let loop = builder.start(from: [], effects: [Effect(number: 0)])
        slot.value = loop
        loop.addObserver { model in
            log.append("observe \(model)")
            if model.count % 11 == 5 { source.emit(2000) }
            mayDispose("observer")
        }
        for step in 0..<8 {
            source.emit(step)
            if pick(2) == 0 { scheduler.advance(by: .milliseconds(pick(4))) }
        }
        scheduler.advance(by: .seconds(1))
        log.append("\(loop.latestModel)")
        slot.value = nil
        callbacks.removeAll()
        loop.dispose()
        scheduler.advance(by: .seconds(1))
        return log.lines
    }

    @Test("129. A traced loop calls its update, observers, handlers and disposables exactly as an untraced one")
    func sameLog() {
        var lengths = 0
        for seed in 0..<300 as Range<UInt64> {
            let untraced = run(seed: seed, nil)
            let events = TraceBuffer(capacity: .max)
            #expect(run(seed: seed, Trace(to: events)) == untraced, "seed \(seed)")
            #expect(run(seed: seed, Trace(to: TraceBuffer(), snapshots: false)) == untraced, "seed \(seed)")
            #expect(events.faults() == [], "seed \(seed)")
            lengths += untraced.count
        }
        #expect(lengths > 3_000)
    }

    @Test("129. Threads that send to a traced loop and dispose it lose no event: each is processed or dropped")
    func threads() async {
        for _ in 0..<20 {
            let source = ManualEventSource<Int>()
            let events = AsyncStream.makeStream(of: TraceEvent.self)
            let loop = Mobius.beginnerLoop { (model: Int, event: Int) in model + event }
                .withEventSource(source).withTrace(Trace { events.continuation.yield($0) }).start(from: 0)
            onThreads(4) { thread in
                if thread == 0 {
                    for _ in 0..<50 { source.emit(1) }
                    loop.dispose()
                } else {
                    for _ in 0..<500 { source.emit(1) }
                }
            }
            // The draining thread may go on in a task, and dispose the source on a thread of its own.
            var (changed, dropped, closed) = (0, 0, 0)
            for await event in events.stream {
                switch event.kind {
                case .changed: changed += 1
                case .dropped: dropped += 1
                case .closed: closed += 1
                default: break
                }
                if changed + dropped == 1_550, closed == 1 { break }
            }
            #expect(changed == loop.latestModel)
            events.continuation.finish()
        }
    }
}
