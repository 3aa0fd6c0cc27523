import Dispatch
import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

/// `settled()` returns when nothing is left to do.
@Suite("Settling of a loop", .timeLimit(.minutes(10)))
struct LoopSettledTests {
    private let scheduler: VirtualScheduler
    private let end: Witness
    private let log = Log()

    init() {
        let scheduler = VirtualScheduler()
        self.scheduler = scheduler
        end = Witness { scheduler.drain() }
    }

    private enum Effect: Sendable { case work(Int) }

    /// Collects events. A positive event causes an effect instead.
    private static let update = Update<[Int], Int, Effect> { model, event in
        event > 0 ? .dispatchEffects([.work(event)]) : .next(model + [event])
    }

    private func loop(_ router: EffectRouter<Effect, Int>) -> MobiusLoop<[Int], Int, Effect> {
        Mobius.loop(update: Self.update, effectHandler: router).start(from: [])
    }

    private var route: EffectRoute<Effect, Int, Int> {
        EffectRouter<Effect, Int>(executor: scheduler.executor).routeCase(Effect.work)
    }

    private func settle(_ loop: MobiusLoop<[Int], Int, Effect>) -> Task<Void, any Error> {
        scheduler.start { [log] in
            await log.append("settled") { try await loop.settled() }
        }
    }

    enum Way: CaseIterable { case handler, program, queued, debounced }

    @Test("A loop settles when its handlers have ended", arguments: Way.allCases)
    func handlers(way: Way) {
        let clock = scheduler.clock
        let sleep: @Sendable (Int) async -> Int? = { seconds in
            try? await clock.sleep(for: .seconds(seconds))
            return -seconds
        }
        let router =
            switch way {
            case .handler: route.toEvent(sleep)
            case .program:
                route.toEvent(in: ()) { seconds in
                    EnvIO<Void, Never, Void>.sleep(for: .seconds(seconds), clock: clock).map { -seconds }
                }
            case .queued: route.policy(.queued).toEvent(sleep)
            case .debounced: route.policy(.debounce(for: .seconds(1), clock: clock)).toEvent { -$0 }
            }
        let loop = loop(router)
        _ = settle(loop)
        scheduler.drain()
        #expect(log.lines == ["settled"])
        loop.dispatchEvent(1)
        _ = settle(loop)
        scheduler.drain()
        #expect(log.lines == ["settled"])
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["settled", "settled"])
        #expect(loop.latestModel == [-1])
        loop.dispose()
    }

    @Test("A loop does not settle before a handler has ended its callback")
    func callbacks() {
        let callbacks = Record<EffectCallback<Int>>()
        let loop = loop(
            route.to { (_: Int, callback: EffectCallback<Int>) in
                callbacks.append(callback)
                return EmptyDisposable()
            })
        loop.dispatchEvent(1)
        _ = settle(loop)
        scheduler.drain()
        callbacks.values[0].send(-1)
        scheduler.drain()
        #expect(log.lines == [])
        callbacks.values[0].end(with: -2)
        scheduler.drain()
        #expect(log.lines == ["settled"])
        #expect(loop.latestModel == [-1, -2])
        loop.dispose()
    }

    @Test("A loop settles without waiting for handlers of sequences and for event sources")
    func endless() {
        let (events, feed) = AsyncStream<Int>.makeStream()
        let loop = Mobius.loop(update: Self.update, effectHandler: route.toEvents { _ in events })
            .withEventSource { AsyncStream<Int> { _ in } }
            .start(from: [])
        loop.dispatchEvent(1)
        feed.yield(-1)
        scheduler.drain()
        _ = settle(loop)
        scheduler.drain()
        #expect(log.lines == ["settled"])
        #expect(loop.latestModel == [-1])
        loop.dispose()
    }

    @Test("settled() returns when the loop is disposed, and throws if its task is cancelled")
    func ending() {
        let clock = scheduler.clock
        let loop = loop(
            route.toEvent { seconds async -> Int? in
                try? await clock.sleep(for: .seconds(seconds))
                return nil
            })
        loop.dispatchEvent(5)
        let cancelled = settle(loop)
        _ = settle(loop)
        scheduler.drain()
        cancelled.cancel()
        scheduler.drain()
        #expect(log.lines == ["CancellationError()"])
        loop.dispose()
        _ = settle(loop)
        scheduler.drain()
        #expect(log.lines == ["CancellationError()", "settled", "settled"])
    }

    @Test("A controller settles while it runs, and at once if it is stopped")
    func controller() async throws {
        let queue = DispatchQueue(label: "handlers")
        let router = EffectRouter<Effect, Int>().routeCase(Effect.work).on(queue: queue).toEvent { -$0 }
        let controller = Mobius.loop(update: Self.update, effectHandler: router)
            .makeController(from: [], initiate: { First(model: $0, effects: [.work(1), .work(2)]) })
        try await controller.settled()
        #expect(controller.model == [])
        controller.start()
        try await controller.settled()
        #expect(controller.model == [-1, -2])
        controller.stop()
        try await controller.settled()
    }

    @Test("The cost of cancelling an observer does not depend on the number of observers", .countsSteps)
    func cancelling() {
        let loop = loop(EffectRouter())
        func cost(of count: Int) -> Int {
            let observers = (0..<count).map { _ in loop.addObserver { _ in } }
            return steps { for observer in observers { observer.dispose() } }
        }
        // If each cancellation were O(n) in the number of observers, the exponent would be 2.
        #expect(growth(from: 100, to: 1_600, cost) < 1.2)
        loop.dispose()
    }

    @Test("A loop settles when all effects of a queued route have been handled")
    func queuedRoute() {
        let clock = scheduler.clock
        let loop = loop(
            route.policy(.queued).toEvent { seconds async -> Int? in
                try? await clock.sleep(for: .seconds(seconds))
                return -seconds
            })
        for _ in 0..<3 { loop.dispatchEvent(1) }
        _ = settle(loop)
        scheduler.advance(by: .seconds(2))
        #expect(log.lines == [])
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["settled"])
        #expect(loop.latestModel == [-1, -1, -1])
        loop.dispose()
    }
}
