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
