import Dispatch
import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

/// What a traced loop records of its effects. The tests have the numbers of the promised behaviours.
@Suite("Handlers of a loop: tracing", .timeLimit(.minutes(10)))
struct HandlerTraceTests {
    private enum Effect: Sendable, Equatable, CustomStringConvertible {
        case load(Int)

        var description: String { if case .load(let number) = self { "load(\(number))" } else { "" } }
    }
    private struct Broken: Error {}
    private typealias Router = EffectRouter<Effect, Int>

    private let events = TraceBuffer()
    private let scheduler = VirtualScheduler()

    /// Collects events. A positive event causes an effect instead.
    private static let update = Update<[Int], Int, Effect> { model, event in
        event > 0 ? .dispatchEffects([.load(event)]) : .next(model + [event])
    }

    private func builder(_ handler: some Connectable<Effect, Int> & Sendable) -> Mobius.Builder<[Int], Int, Effect> {
        Mobius.loop(update: Self.update, effectHandler: handler).withTrace(Trace(to: events, clock: scheduler.clock))
            .withExecutor(scheduler.executor)
    }

    private var route: EffectRoute<Effect, Int, Int> { Router().routeCase(Effect.load) }

    /// The handler of the route negates the number after a second.
    private var negateLater: @Sendable (Int) async -> Int? {
        { [clock = scheduler.clock] number in
            try? await clock.sleep(for: .seconds(1))
            return -number
        }
    }

    // MARK: - At once

    @Test(
        "119, 120. A handler that does not wait is a work that ends when it returns, and causes its event",
        arguments: 0...2) func synchronous(kind: Int)
    {
        let handler: AnyConnectable<Effect, Int> =
            switch kind {
            case 0: AnyConnectable(route.toEvent { -$0 })
            case 1:
                AnyConnectable(
                    EffectSwitch<Effect, Int> { effect in
                        switch effect {
                        case .load(let number): .toEvent { -number }
                        }
                    })
            default: AnyConnectable(route.toHandling { number in .toEvent(in: (), .pure(-number)) })
            }
        let loop = builder(handler).start(from: [])
        loop.dispatchEvent(1)
        loop.dispose()
        #expect(
            events.lines == [
                "1: created []", "2: received 1 from caller", "3 ← 2: started load(1), effect", "4 ← 3: ended 3",
                "5 ← 2: handled 2", "6 ← 3: received -1 from effect", "7 ← 6: changed to [-1]", "8 ← 6: handled 6",
                "9: closed",
            ])
        #expect(events.received("-1")?.root == 2)
    }

    @Test("119. An effect is omitted if the trace redacts its parameters, and a part of it if it redacts any type")
    func redactedEffect() {
        func subjects(_ redact: (Trace) -> Trace) -> [String] {
            events.removeAll()
            let router = Router().routeEffects(withParameters: { $0 == .load(1) ? "secret" : nil }).policy(.latest).to {
                _ in
            }.routeEffects(withParameters: { $0 == .load(2) ? "secret" : nil }).to(
                AnyConnectable { _ in Connection(acceptClosure: { _ in }, disposeClosure: {}) }
            ).routeEffects(withParameters: { $0 == .load(3) ? $0 : nil }).to { _ in }
                .routeEffects(withParameters: { $0 == .load(4) ? 4 : nil }).to(
                    EffectRouter<Int, Int>().routeEffects(withParameters: { $0 }).to { _ in })
            let loop = Mobius.loop(update: Self.update, effectHandler: router).withTrace(
                redact(Trace(to: events, clock: scheduler.clock))
            ).start(from: [])
            for event in 1...4 { loop.dispatchEvent(event) }
            loop.dispose()
            return events.all.compactMap { event in
                switch event.kind {
                case .started(let subject, _), .decided(_, let subject): "\(subject)"
                default: nil
                }
            }.filter { !$0.hasPrefix("AnyConnectable") }
        }
        let (omitted, part) = ("‹Effect omitted›", "‹Int omitted›")
        // A decision and the start of the first effect, and the starts of the others.
        let effects = ["load(1)", "load(1)", "load(2)", "load(3)"]
        let zeros = Array(repeating: "load(0)", count: 4)
        #expect(subjects { $0 } == effects + ["4"])
        #expect(subjects { $0.omitting(Broken.self) } == effects + [part])
        #expect(subjects { $0.omitting(Effect.self) } == [omitted, omitted, omitted, omitted, part])
        #expect(subjects { $0.omitting(Int.self) } == [omitted, omitted, omitted, omitted, part])
        #expect(subjects { $0.redacting(Effect.self) { $0 = .load(0) } } == zeros + [part])
        // Two routes make a text of the effect.
        #expect(subjects { $0.omitting(String.self) } == [omitted, omitted, omitted, "load(3)", part])
        #expect(subjects { $0.omitting(String.self).redacting(Effect.self) { $0 = .load(0) } } == zeros + [part])
    }

    @Test("119. Effects of one event are works of their own, and a router within a router adds none")
    func nestedRouter() {
        let inner = EffectRouter<Int, Int>().routeEffects(withParameters: { $0 }).toEvent { -$0 }
        let loop = builder(route.to(inner)).start(from: [], effects: [.load(1), .load(2)])
        #expect(
            events.lines == [
                "1: created []", "2: started 1, effect", "3 ← 2: ended 2", "4: started 2, effect", "5 ← 4: ended 4",
                "6 ← 2: received -1 from effect", "7 ← 6: changed to [-1]", "8 ← 6: handled 6",
                "9 ← 4: received -2 from effect", "10 ← 9: changed to [-1, -2]", "11 ← 9: handled 9",
            ])
        loop.dispose()
    }

    // MARK: - Later

    enum Way: CaseIterable { case async, program, send, sequence, switching, executorOfRouter }

    private func handler(_ way: Way) -> AnyConnectable<Effect, Int> {
        let (negateLater, clock) = (negateLater, scheduler.clock)
        return switch way {
        case .async: AnyConnectable(route.toEvent(negateLater))
        case .executorOfRouter:
            AnyConnectable(Router(executor: scheduler.executor).routeCase(Effect.load).toEvent(negateLater))
        case .program:
            AnyConnectable(
                route.toHandling { number in
                    .toEvent(in: (), EnvIO.sleep(for: .seconds(1), clock: clock).map { -number })
                })
        case .send:
            AnyConnectable(
                route.toHandling { number in
                    .toEvents { send in if let event = await negateLater(number) { send(event) } }
                })
        case .sequence:
            AnyConnectable(
                route.toHandling { number in
                    .toEvents { AsyncStream(unfolding: { await negateLater(number) }).prefix(1) }
                })
        case .switching:
            AnyConnectable(
                EffectSwitch { effect in
                    switch effect {
                    case .load(let number): .toEvent { await negateLater(number) }
                    }
                })
        }
    }

    @Test(
        "120, 130. A handler that lasts is suspended when it returns, and ends once, on the executor of its loop",
        arguments: Way.allCases) func lasting(_ way: Way)
    {
        let loop = builder(handler(way)).start(from: [])
        loop.dispatchEvent(1)
        scheduler.advance(by: .milliseconds(999))
        let before = [
            "1: created []", "2: received 1 from caller", "3 ← 2: started load(1), effect", "4 ← 3: suspended 3",
            "5 ← 2: handled 2",
        ]
        #expect(events.lines == before)
        scheduler.advance(by: .milliseconds(1))
        #expect(
            events.lines.dropFirst(before.count) == [
                "6 ← 3: received -1 from effect", "7 ← 6: changed to [-1]", "8 ← 6: handled 6", "9 ← 3: ended 3",
            ])
        #expect(events.received("-1")?.root == 2)
        #expect(events.received("-1")?.time == .seconds(1))
        loop.dispose()
        #expect(events.lines.last == "10: closed")
    }

    @Test("121. An event that a callback sends from a thread without a cause is caused by the effect's work")
    func callback() async {
        let callbacks = Record<EffectCallback<Int>>()
        let handler = route.to { number, callback in
            callback.send(-number)
            callbacks.append(callback)
            return EmptyDisposable()
        }
        let loop = builder(handler).start(from: [])
        loop.dispatchEvent(1)
        await onThread {
            callbacks.values[0].send(-2)
            callbacks.values[0].end(with: -3)
            callbacks.values[0].send(-4)
        }
        #expect(
            events.lines.dropFirst(2) == [
                "3 ← 2: started load(1), effect", "4 ← 3: suspended 3", "5 ← 2: handled 2",
                "6 ← 3: received -1 from effect", "7 ← 6: changed to [-1]", "8 ← 6: handled 6",
                "9 ← 3: received -2 from effect", "10 ← 9: changed to [-1, -2]", "11 ← 9: handled 9",
                "12 ← 3: received -3 from effect", "13 ← 12: changed to [-1, -2, -3]", "14 ← 12: handled 12",
                "15 ← 3: ended 3", "16 ← 3: dropped -4, ended",
            ])
        loop.dispose()
        callbacks.removeAll()
    }

    @Test("121. A handler on a queue, or on the main actor, keeps the cause of its effect")
    func places() async throws {
        let queue = DispatchQueue(label: "handler")
        let loop = builder(route.on(queue: queue).toEvent { -$0 }).start(from: [])
        loop.dispatchEvent(1)
        try await loop.settled()
        #expect(events.received("-1")?.cause == events.work(for: "load(1)"))
        #expect(events.received("-1")?.root == 2)
        loop.dispose()

        events.removeAll()
        let second = builder(route.toEvent { number in await MainActor.run { -number } }).start(from: [])
        await onThread {
            second.dispatchEvent(2)
            second.dispatchEvent(3)
        }
        // The tasks continue on the executor of the loop, before and after their time on the main actor.
        await yield {
            scheduler.drain()
            return events.received("-2") != nil && events.received("-3") != nil
        }
        for (event, answer) in [("2", "-2"), ("3", "-3")] {
            #expect(events.received(answer)?.cause == events.work(for: "load(\(event))"))
            #expect(events.received(answer)?.root == events.received(event)?.id)
        }
        second.dispose()
    }

    // MARK: - Ends

    @Test("122. The works that a disposal cancels are recorded once, and before the end of the loop")
    func cancelledByDisposal() {
        let loop = builder(route.toEvent(negateLater)).start(from: [])
        loop.dispatchEvent(1)
        loop.dispatchEvent(2)
        scheduler.drain()
        loop.dispose()
        // The tasks end.
        scheduler.advance(by: .seconds(1))
        let ends = events.kinds.filter { $0.hasPrefix("cancelled") || $0.hasPrefix("ended") || $0 == "closed" }
        let works = ["load(1)", "load(2)"].map { events.work(for: $0) ?? 0 }
        #expect(ends == works.map { "cancelled \($0)" } + ["closed"])
        #expect(events.kinds.suffix(2) == ["dropped -1, ended", "dropped -2, ended"])
    }

    @Test("122. A waiting event of an effect that a policy replaces is recorded as dropped in its turn")
    func droppedInItsTurn() {
        let callbacks = Record<EffectCallback<Int>>()
        let handler = route.policy(.latest).to { number, callback in
            callbacks.append(callback)
            if number == 2 { callback.end(with: -2) }
            return EmptyDisposable()
        }
        let loop = builder(handler).start(from: [])
        // The handler of the third effect begins while the event of the second one waits.
        loop.addObserver { model in if model == [-1] { for number in [2, 3] { loop.dispatchEvent(number) } } }
        loop.dispatchEvent(1)
        loop.dispatchEvent(-1)
        #expect(loop.latestModel == [-1])
        let second = events.work(for: "load(2)") ?? 0
        #expect(events.lines.contains { $0.hasSuffix(" ← \(second): dropped -2, ended") })
        loop.dispose()
    }

    @Test("122. A policy that replaces an effect cancels its work, and drops its later events")
    func replaced() {
        let callbacks = Record<EffectCallback<Int>>()
        let handler = route.policy(.latest).to { _, callback in
            callbacks.append(callback)
            return EmptyDisposable()
        }
        let loop = builder(handler).start(from: [])
        loop.dispatchEvent(1)
        loop.dispatchEvent(2)
        let (first, second) = (events.work(for: "load(1)") ?? 0, events.work(for: "load(2)") ?? 0)
        #expect(events.kinds.contains("cancelled \(first)"))
        callbacks.values[0].end(with: -1)
        callbacks.values[1].end(with: -2)
        #expect(loop.latestModel == [-2])
        #expect(events.lines.contains { $0.hasSuffix(" ← \(first): dropped -1, ended") })
        #expect(events.kinds.filter { $0.hasSuffix("ed \(first)") } == ["suspended \(first)", "cancelled \(first)"])
        #expect(events.kinds.filter { $0.hasSuffix("ed \(second)") } == ["suspended \(second)", "ended \(second)"])
        loop.dispose()
        callbacks.removeAll()
    }

    @Test("122. A work whose handler starts while the loop is disposed is cancelled")
    func startingWhileDisposed() {
        let slot = Guarded<MobiusLoop<[Int], Int, Effect>?>(nil)
        let handler = route.to { (_: Int, _: EffectCallback<Int>) in
            slot.value?.dispose()
            return EmptyDisposable()
        }
        let loop = builder(handler).start(from: [])
        slot.value = loop
        loop.dispatchEvent(1)
        slot.value = nil
        #expect(
            events.lines.dropFirst(2) == [
                "3 ← 2: started load(1), effect", "4 ← 3: cancelled 3", "5 ← 3: closed", "6 ← 2: handled 2",
            ])
    }

    // MARK: - Errors

    @Test("123. An error that the observer of errors receives fails the work; onError turns it into an event instead")
    func failures() {
        let errors = Log()
        let failing = builder(route.to { _ in throw Broken() }).onError { error, _ in
            errors.append("\(error)")
        }
        let first = failing.start(from: [])
        first.dispatchEvent(1)
        scheduler.drain()
        #expect(errors.lines == ["Broken()"])
        #expect(events.lines.dropFirst(3) == ["4 ← 3: suspended 3", "5 ← 2: handled 2", "6 ← 3: failed 3: Broken()"])
        first.dispose()

        events.removeAll()
        let second = builder(route.to({ _ in throw Broken() }, onError: { _, number in -number })).start(from: [])
        second.dispatchEvent(1)
        scheduler.drain()
        #expect(events.kinds.contains { $0.hasPrefix("failed") } == false)
        #expect(events.kinds.last?.hasPrefix("ended") == true)
        #expect(events.received("-1")?.cause == events.work(for: "load(1)"))
        #expect(events.kinds.contains("recovered from Broken() with the value -1"))
        second.dispose()

        events.removeAll()
        let third = builder(route.to({ _ in throw Broken() }, onError: { _, _ in nil })).start(from: [])
        third.dispatchEvent(1)
        scheduler.drain()
        #expect(
            events.kinds.suffix(2) == [
                "recovered from Broken() with a value", "ended \(events.work(for: "load(1)") ?? 0)",
            ])
        third.dispose()
    }

    @Test("123. The error of a policy's clock fails no work")
    func brokenClock() {
        let policy = Policy.debounce(for: .seconds(1), clock: BrokenClock(Broken()))
        let loop = builder(route.policy(policy).toEvent { -$0 }).onError { _, _ in }.start(from: [])
        loop.dispatchEvent(1)
        scheduler.drain()
        #expect(events.kinds.contains("failed -: Broken()"))
        #expect(!events.kinds.contains { $0.hasPrefix("started") })
        loop.dispose()
    }

    // MARK: - Connectables

    @Test("124. A handler without a router is a work, and each effect is one while the handler accepts it")
    func connectable() {
        let handler = ManualHandler<Effect, Int>(
            emitting: [-9], onAccept: { effect, send in if effect == .load(1) { send(-1) } })
        let loop = builder(handler).start(from: [])
        loop.dispatchEvent(1)
        handler.emit(-2)
        loop.dispose()
        #expect(
            events.lines == [
                "1: created []", "2: started ManualHandler<Effect, Int>, effect", "3 ← 2: suspended 2",
                "4 ← 2: received -9 from effect", "5 ← 4: changed to [-9]", "6 ← 4: handled 4",
                "7: received 1 from caller", "8 ← 7: started load(1), effect", "9 ← 8: ended 8", "10 ← 7: handled 7",
                "11 ← 8: received -1 from effect", "12 ← 11: changed to [-9, -1]", "13 ← 11: handled 11",
                "14 ← 2: received -2 from effect", "15 ← 14: changed to [-9, -1, -2]", "16 ← 14: handled 14",
                "17 ← 2: cancelled 2", "18: closed",
            ])
        handler.emit(-3)
        #expect(events.lines.last == "19 ← 2: dropped -3, ended")
    }

    @Test("124. A connectable of a route is a work, also one that is mapped")
    func routedConnectable() {
        let handler = ManualHandler<Int, Int>(onAccept: { number, send in send(number) })
        let loop = builder(route.to(handler.map { -$0 })).start(from: [])
        loop.dispatchEvent(1)
        handler.emit(2)
        let connection = events.work(for: "ManualHandler<Int, Int>")
        #expect(connection == 2)
        #expect(events.received("-1")?.cause == events.work(for: "load(1)"))
        #expect(events.received("-2")?.cause == connection)
        loop.dispose()
        #expect(events.kinds.suffix(2) == ["cancelled 2", "closed"])
        handler.emit(3)
        #expect(events.lines.last?.hasSuffix(" ← 2: dropped -3, ended") == true)
    }
}
