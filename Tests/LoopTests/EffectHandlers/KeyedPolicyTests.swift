import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

/// Policies for effects of the same id, and the cancellation of effects by their id.
@Suite("Policies by id", .timeLimit(.minutes(10)))
struct KeyedPolicyTests {
    private struct Job: Sendable, Hashable {
        let id: String
        let number: Int
    }

    private enum Effect: Sendable {
        case run(Job)
        case other(Job)
        case cancel(String)
        case cancelNumber(Int)
    }

    private let scheduler = VirtualScheduler()
    private let log = Log()

    /// Runs each job for a second. Both kinds of jobs have a policy by id.
    private func connect(
        _ policy: Policy, body: @escaping @Sendable (Job) -> Void = { _ in }
    ) -> Connection<Effect> {
        let (clock, log) = (scheduler.clock, log)
        let run: @Sendable (Job, @escaping Consumer<String>) async throws -> Void = { job, send in
            log.append("began \(job.id)\(job.number)")
            body(job)
            do { try await clock.sleep(for: .seconds(1)) } catch {
                log.append("cancelled \(job.id)\(job.number)")
                send("late")
                throw error
            }
            send("\(job.id)\(job.number)")
        }
        return EffectRouter<Effect, String>(executor: scheduler.executor)
            .routeCase(Effect.run).policy(policy, id: { $0.id }).toEvents { try await run($0, $1) }
            .routeCase(Effect.other).policy(policy, id: { $0.id }).toEvents { try await run($0, $1) }
            .routeCase(Effect.cancel).toCancel { $0 }
            .routeCase(Effect.cancelNumber).toCancel { $0 }
            .connect { log.append($0) }
    }

    private func job(_ id: String, _ number: Int) -> Effect { .run(Job(id: id, number: number)) }

    @Test("Under latest, an effect cancels the earlier one of its id only")
    func latest() {
        let connection = connect(.latest)
        for effect in [job("a", 1), job("b", 1), job("a", 2)] {
            connection.accept(effect)
            scheduler.drain()
        }
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["began a1", "began b1", "cancelled a1", "began a2", "b1", "a2"])
    }

    @Test("Under queued, an effect waits for the earlier ones of its id only")
    func queued() {
        let connection = connect(.queued)
        for effect in [job("a", 1), job("a", 2), job("b", 1)] { connection.accept(effect) }
        scheduler.drain()
        #expect(log.lines == ["began a1", "began b1"])
        scheduler.advance(by: .seconds(2))
        #expect(log.lines.suffix(4).sorted() == ["a1", "a2", "b1", "began a2"])
    }

    @Test("toCancel cancels the running and the waiting effects of its id, and no others")
    func cancel() {
        let connection = connect(.queued)
        for effect in [job("a", 1), job("a", 2), job("b", 1)] { connection.accept(effect) }
        scheduler.drain()
        connection.accept(.cancel("a"))
        scheduler.drain()
        #expect(log.lines == ["began a1", "began b1", "cancelled a1"])
        scheduler.advance(by: .seconds(1))
        #expect(log.lines.last == "b1")
        connection.accept(job("a", 3))
        scheduler.advance(by: .seconds(1))
        #expect(log.lines.suffix(2) == ["began a3", "a3"])
    }

    @Test("toCancel cancels the effects of all routes with its id")
    func severalRoutes() {
        let connection = connect(.concurrent)
        for effect in [job("a", 1), .other(Job(id: "a", number: 2)), .other(Job(id: "b", number: 3))] {
            connection.accept(effect)
        }
        scheduler.drain()
        connection.accept(.cancel("a"))
        scheduler.advance(by: .seconds(1))
        #expect(log.lines.filter { $0.hasPrefix("cancelled") }.sorted() == ["cancelled a1", "cancelled a2"])
        #expect(log.lines.last == "b3")
    }

    @Test("toCancel does nothing for an id that no effect has, or that is of another type")
    func unknownIDs() {
        let connection = connect(.latest)
        connection.accept(.cancel("a"))
        connection.accept(job("a", 1))
        scheduler.drain()
        connection.accept(.cancel("b"))
        connection.accept(.cancelNumber(1))
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["began a1", "a1"])
    }

    @Test("An id may use its router while it is hashed, compared and released", arguments: ActiveKey.Use.allCases)
    func activeIDs(use: ActiveKey.Use) {
        let log = log
        let slot = Guarded<Connection<Effect>?>(nil)
        let connection = EffectRouter<Effect, String>()
            .routeCase(Effect.run).policy(
                .queued,
                id: { job in
                    job.number != 1
                        ? ActiveKey(0)
                        : ActiveKey(0, onFirst: use) {
                            slot.value?.accept(.run(Job(id: "inner", number: 2)))
                            slot.value?.accept(.cancelNumber(5))
                        }
                }
            ).to { job, _ in
                log.append("\(job.id) began")
                return AnonymousDisposable { log.append("\(job.id) cancelled") }
            }
            .routeCase(Effect.cancelNumber).toCancel { ActiveKey($0) }
            .routeCase(Effect.cancel).to { _ in }
            .routeCase(Effect.other).to { _ in }
            .connect { log.append($0) }
        slot.value = connection
        connection.accept(job("first", 1))
        connection.accept(job("second", 3))
        connection.accept(.cancelNumber(0))
        switch use {
        case .hash: #expect(log.lines == ["inner began", "inner cancelled"])
        case .compare: #expect(log.lines == ["first began", "first cancelled"])
        case .release: #expect(log.lines == ["first began", "inner began", "first cancelled"])
        }
        slot.value = nil
        connection.dispose()
    }

    @Test("An effect may be cancelled while its handler starts, and its disposable is disposed")
    func cancelledWhileStarting() {
        let log = log
        let slot = Guarded<Connection<Effect>?>(nil)
        let connection = EffectRouter<Effect, String>()
            .routeCase(Effect.run).policy(.latest, id: { $0.id }).to { _, callback in
                slot.value?.accept(.cancel("a"))
                log.append("ended \(callback.ended)")
                callback.send("late")
                return AnonymousDisposable { log.append("disposed") }
            }
            .routeCase(Effect.cancel).toCancel { $0 }
            .routeEffects(withParameters: { effect in if case .other = effect { effect } else { nil } }).to { _ in }
            .connect { log.append($0) }
        slot.value = connection
        connection.accept(job("a", 1))
        #expect(log.lines == ["ended true", "disposed"])
        slot.value = nil
        connection.dispose()
        #expect(log.lines.count == 2)
    }

    @Test("A debounced effect that is cancelled never starts")
    func debounced() {
        let connection = connect(.debounce(for: .seconds(1), clock: scheduler.clock))
        connection.accept(job("a", 1))
        connection.accept(job("b", 1))
        connection.accept(.cancel("a"))
        scheduler.advance(by: .seconds(2))
        #expect(log.lines == ["began b1", "b1"])
    }

    @Test("A loop settles when its effects are cancelled, and its disposal cancels the effects of all ids")
    func settling() throws {
        let clock = scheduler.clock
        let router = EffectRouter<Effect, Int>(executor: scheduler.executor)
            .routeCase(Effect.run).policy(.queued, id: { $0.id }).to { _ in try? await clock.sleep(for: .seconds(9)) }
            .routeCase(Effect.cancel).toCancel { $0 }
        let effects = [job("a", 1), job("a", 2), job("b", 1)]
        let loop = Mobius.loop(
            update: { (model: Int, event: Int) -> Next<Int, Effect> in
                switch event {
                case 0: .dispatchEffects(effects)
                default: .dispatchEffects([.cancel("a"), .cancel("b")])
                }
            }, effectHandler: router
        ).start(from: 0)
        loop.dispatchEvent(0)
        scheduler.drain()
        #expect(clock.sleeperCount == 2)
        loop.dispatchEvent(1)
        try scheduler.run { try await loop.settled() }
        #expect(clock.now == .zero)
        #expect(clock.sleeperCount == 0)

        loop.dispatchEvent(0)
        scheduler.drain()
        #expect(clock.sleeperCount == 2)
        loop.dispose()
        scheduler.drain()
        #expect(clock.sleeperCount == 0)
    }
}
