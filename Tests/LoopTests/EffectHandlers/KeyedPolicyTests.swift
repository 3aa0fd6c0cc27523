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
        case flush
    }

    private let scheduler = VirtualScheduler()
    private let log = Log()

    /// Runs each job for a second. Both kinds of jobs have a policy by id.
    private func connect(_ policy: Policy) -> Connection<Effect> {
        let (clock, log) = (scheduler.clock, log)
        let run: @Sendable (Job, @escaping Consumer<String>) async throws -> Void = { job, send in
            log.append("began \(job.id)\(job.number)")
            do { try await clock.sleep(for: .seconds(1)) } catch {
                log.append("cancelled \(job.id)\(job.number)")
                send("late")
                throw error
            }
            send("\(job.id)\(job.number)")
        }
        return EffectRouter<Effect, String>(executor: scheduler.executor)
            .routeCase(Effect.run).policy(policy, id: { $0.id }).toHandling { job in
                .toEvents { try await run(job, $0) }
            }
            .routeCase(Effect.other).policy(policy, id: { $0.id }).toHandling { job in
                .toEvents { try await run(job, $0) }
            }
            .routeCase(Effect.cancel).toCancel { $0 }
            .routeCase(Effect.cancelNumber).toCancel { $0 }
            .routeCase(.flush).toFlush()
            .connect { log.append($0) }
    }

    private func job(_ id: String, _ number: Int) -> Effect { .run(Job(id: id, number: number)) }

    @Test("toFlush starts the effects that all routes hold, in the order of the routes, and cancels none")
    func flushing() {
        let connection = connect(.debounce(for: .seconds(10), clock: scheduler.clock))
        connection.accept(.other(Job(id: "c", number: 1)))
        for effect in [job("b", 2), job("a", 3), .flush, job("a", 4), .flush] { connection.accept(effect) }
        scheduler.drain()
        #expect(log.lines == ["began b2", "began a3", "began c1"])
        scheduler.advance(by: .seconds(1))
        #expect(log.lines.dropFirst(3) == ["b2", "a3", "began a4", "c1"])
        connection.dispose()
        scheduler.drain()
    }

    @Test("toCancel cancels the effects of all routes with its id, and none with another id or an id of another type")
    func severalRoutes() {
        let connection = connect(.concurrent)
        connection.accept(.cancel("a"))
        for effect in [job("a", 1), .other(Job(id: "a", number: 2)), .other(Job(id: "b", number: 3))] {
            connection.accept(effect)
        }
        scheduler.drain()
        for effect in [.cancel("a"), .cancel("c"), Effect.cancelNumber(3)] { connection.accept(effect) }
        scheduler.advance(by: .seconds(1))
        #expect(log.lines.filter { $0.hasPrefix("cancelled") }.sorted() == ["cancelled a1", "cancelled a2"])
        #expect(log.lines.count == 6)
        #expect(log.lines.last == "b3")
    }

    @Test(
        "toCancel cancels effects in the order of their routes, and of their starts",
        arguments: [Policy.concurrent, .concurrent(limit: 8)])
    func order(policy: Policy) {
        // The connections are kept, so that a wrong order is not the same one each time.
        var connections: [Connection<Effect>] = []
        for _ in 1...10 {
            log.removeAll()
            let log = log
            let connection = EffectRouter<Effect, String>()
                .routeCase(Effect.other).policy(policy, id: { $0.id }).to { job, _ in
                    AnonymousDisposable { log.append("other \(job.number)") }
                }
                .routeCase(Effect.run).policy(policy, id: { $0.id }).to { job, _ in
                    AnonymousDisposable { log.append("run \(job.number)") }
                }
                .routeCase(Effect.cancel).toCancel { $0 }
                .routeCase(Effect.cancelNumber).to { _ in }
                .connect { log.append($0) }
            connections.append(connection)
            for number in 1...8 {
                connection.accept(job("a", number))
                connection.accept(.other(Job(id: "a", number: number)))
            }
            connection.accept(.cancel("a"))
            #expect(log.lines == ["other", "run"].flatMap { route in (1...8).map { "\(route) \($0)" } })
        }
    }

    enum LostIDs: CaseIterable, Codable {
        case cancelling, flushing, inRouter, replaced

        func connect() {
            let router = EffectRouter<Int, Int>()
            let policed = router.routeEffects(withParameters: { $0 > 0 ? $0 : nil }).policy(.latest)
            let others = policed.to { _ in }.routeEffects(withParameters: { $0 > 0 ? nil : $0 })
            switch self {
            case .cancelling: _ = others.toCancel { $0 }.connect { _ in }
            case .flushing: _ = others.toFlush { $0 }.connect { _ in }
            case .inRouter:
                let inner = router.routeEffects(withParameters: { $0 }).policy(.latest, id: { $0 }).to { _ in }
                _ = router.routeEffects(withParameters: { $0 }).to(inner)
                    .routeEffects(withParameters: { _ in Int?.none }).toCancel { $0 }.connect { _ in }
            case .replaced: _ = policed.policy(.latest, id: { $0 }).policy(.concurrent(limit: 3))
            }
        }

        var message: (problem: String, fix: String) {
            switch self {
            case .cancelling, .inRouter: ("has toCancel with an id, but no route", "To fix, call policy(_:id:)")
            case .flushing: ("has toFlush with an id, but no route", "To fix, call policy(_:id:)")
            case .replaced: ("and drop its ids", "To fix, call only policy(_:id:)")
            }
        }
    }

    @Test(
        "A router whose routes cancel or flush ids that no route has traps, with what to fix", .promptly,
        arguments: LostIDs.allCases)
    func lostIDs(_ lost: LostIDs) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [lost] in lost.connect()
        }
        #expect(result.standardErrorText.contains(lost.message.problem))
        #expect(result.standardErrorText.contains(lost.message.fix))
    }

    @Test("A policy with ids may replace another policy")
    func replacedPolicy() {
        let log = log
        let route = EffectRouter<Effect, String>().routeCase(Effect.run).policy(.first)
        let connection = route.policy(.latest, id: { $0.id }).policy(.queued, id: { $0.id }).to { job, _ in
            AnonymousDisposable { log.append("cancelled \(job.id)") }
        }
        .routeCase(Effect.cancel).toCancel { $0 }
        .connect { log.append($0) }
        for effect in [job("a", 1), job("b", 1), .cancel("a")] { connection.accept(effect) }
        #expect(log.lines == ["cancelled a"])
        connection.dispose()
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

    @Test("A loop settles when its effects are cancelled")
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
        loop.dispose()
    }
}
