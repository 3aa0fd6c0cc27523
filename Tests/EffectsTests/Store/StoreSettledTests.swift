import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// `settled()` returns when nothing is left to do.
@Suite("Store: settling", .timeLimit(.minutes(10)))
struct StoreSettledTests {
    private let scheduler: VirtualScheduler
    private let end: Witness
    private let log = Log()

    init() {
        let scheduler = VirtualScheduler()
        self.scheduler = scheduler
        end = Witness { scheduler.drain() }
    }

    private func store(_ effects: Effect<Void>...) -> Store<Int> {
        Store(reducer: counting, initialState: 0, effects: effects, executor: scheduler.executor)
    }

    private func settle(_ store: Store<Int>) -> Task<Void, any Error> {
        scheduler.start { [log] in
            await log.append("settled") { try await store.settled() }
        }
    }

    enum Way: CaseIterable { case request, program, delay, debounce, queue, run }

    @Test("A store settles when its requests, programs and held values are done", arguments: Way.allCases)
    func work(way: Way) {
        let clock = scheduler.clock
        let increments = { (actions: ActionStream<any Action>) in actions.ofType(Increment.self) }
        let request: @Sendable (Increment) async throws -> Add = { _ in
            try await clock.sleep(for: .seconds(3))
            return Add(amount: 10)
        }
        let effect =
            switch way {
            case .request: Effect { increments($0).flatMap(request).eraseActionType() }
            case .queue: Effect { increments($0).flatMap(.queued, request).eraseActionType() }
            case .program:
                Effect {
                    increments($0).flatMap(in: ()) { _ in
                        EnvIO<Void, any Error, Void>.sleep(for: .seconds(3), clock: clock).map { Add(amount: 10) }
                    }.eraseActionType()
                }
            case .delay:
                Effect {
                    increments($0).delay(for: .seconds(3), clock: clock).map { _ in Add(amount: 10) }.eraseActionType()
                }
            case .debounce:
                Effect {
                    increments($0).debounce(for: .seconds(3), clock: clock).map { _ in Add(amount: 10) }
                        .eraseActionType()
                }
            case .run:
                Effect.run(on: Increment.self) { _ in try await clock.sleep(for: .seconds(3)) }
            }
        let store = store(effect)
        _ = settle(store)
        scheduler.drain()
        #expect(log.lines == ["settled"])
        store.dispatch(action: Increment())
        _ = settle(store)
        scheduler.advance(by: .seconds(2))
        #expect(log.lines == ["settled"])
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["settled", "settled"])
        #expect(store.state == (way == .run ? 1 : 11))
    }

    @Test("A store settles although a sequence has not ended")
    func sequences() {
        let (numbers, feed) = AsyncStream<Int>.makeStream()
        let store = store(
            Effect { actions in
                actions.ofType(Increment.self).flatMap { _ in numbers }.map { Add(amount: $0) }.eraseActionType()
            })
        store.dispatch(action: Increment())
        feed.yield(10)
        scheduler.drain()
        _ = settle(store)
        scheduler.drain()
        #expect(log.lines == ["settled"])
        #expect(store.state == 11)
    }

    @Test("A cancelled caller throws, and another resumes when a cancelled request has ended")
    func cancellation() {
        let clock = scheduler.clock
        let store = store()
        let effect = store.register(
            Effect { actions in
                actions.ofType(Increment.self).flatMap { _ in
                    try await clock.sleep(for: .seconds(3))
                    return Add(amount: 10)
                }.eraseActionType()
            })
        store.dispatch(action: Increment())
        let caller = settle(store)
        _ = settle(store)
        scheduler.drain()
        caller.cancel()
        scheduler.drain()
        #expect(log.lines == ["CancellationError()"])
        effect.cancel()
        scheduler.drain()
        #expect(log.lines == ["CancellationError()", "settled"])
    }

    @Test("settledIncludingObservers() waits until main-actor observers are notified of the last state")
    @MainActor
    func observers() async throws {
        let store = Store(
            reducer: counting, initialState: 0,
            effects: [
                Effect { actions in
                    actions.ofType(Increment.self).flatMap { _ in
                        await Task.yield()
                        return Add(amount: 10)
                    }.eraseActionType()
                }
            ])
        final class Seen { var last = 0 }
        let seen = Seen()
        store.select { $0 }.observe { @MainActor state in seen.last = state }
        for _ in 0..<10 { store.dispatch(action: Increment()) }
        try await store.settledIncludingObservers()
        #expect(store.state == 110)
        #expect(seen.last == 110)
    }

    @Test("Cancelling a registration is O(1) in the number of other registrations", .countsSteps)
    func cancelling() {
        let store = store()
        func cost(of count: Int, _ make: () -> Registration) -> Int {
            let registrations = (0..<count).map { _ in make() }
            return steps { for registration in registrations { registration.cancel() } }
        }
        let kinds: [() -> Registration] = [
            { store.observe { _ in } }, { store.select { $0 }.observe { _ in } }, { store.onError { _ in } },
            { store.add(Middleware { action, _, next in next(action) }) }, { store.intercept { _, _, _ in } },
        ]
        for make in kinds {
            // If each cancellation were O(n), the exponent would be 2.
            #expect(growth(from: 100, to: 1_600) { cost(of: $0, make) } < 1.2)
        }
    }

    @Test("A store settles after a request has returned a sequence, and not before")
    func requestOfASequence() {
        let clock = scheduler.clock
        let store = store(
            Effect { actions in
                actions.ofType(Increment.self).flatMap { _ async throws -> AsyncStream<Add> in
                    try await clock.sleep(for: .seconds(1))
                    return AsyncStream { $0.yield(Add(amount: 10)) }
                }.eraseActionType()
            })
        store.dispatch(action: Increment())
        _ = settle(store)
        scheduler.drain()
        #expect(log.lines == [])
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["settled"])
        #expect(store.state == 11)
    }
}
