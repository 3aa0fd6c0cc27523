import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// An environment that reads the state of its store.
@Suite("Store: the state in the environment", .timeLimit(.minutes(10)))
struct StoreReaderTests {
    private struct Environment: Sendable {
        var count: @Sendable () -> Int
    }

    /// Appends the count to `log` with each action of a type.
    private static func reading<Kind: Action>(_ type: Kind.Type, _ log: Record<Int>) -> Effect<Environment> {
        Effect(dispatch: false) { actions, environment in
            actions.ofType(type).map { action in (action, environment.count()) }
                .handleEvents { _, count in log.append(count) }
                .map { action, _ in action }.eraseActionType()
        }
    }

    @Test("An effect reads the state after the action that it receives")
    func current() {
        let log = Record<Int>()
        let store = Store(
            reducer: counting, initialState: 0, environment: { state in Environment(count: state) },
            effects: [Self.reading(Add.self, log)])
        store.dispatch(Add(amount: 3), Increment(), Add(amount: 5))
        #expect(log.values == [3, 9])
    }

    @Test("The environment is made once for each effect, and the reader returns the state at its call")
    func late() {
        let (log, made) = (Record<Int>(), Ref(0))
        let scheduler = VirtualScheduler()
        let clock = scheduler.clock
        let waiting = Effect<Environment>(dispatch: false) { actions, environment in
            actions.ofType(Increment.self).flatMap { increment in
                try await clock.sleep(for: .seconds(1))
                log.append(environment.count())
                return increment
            }.eraseActionType()
        }
        let store = Store(
            reducer: counting, initialState: 0,
            environment: { state in
                made.modify { $0 += 1 }
                return Environment(count: state)
            },
            effects: [waiting, Self.reading(Add.self, log).contramap { $0 }], executor: scheduler.executor)
        store.dispatch(action: Increment())
        store.dispatch(action: Add(amount: 10))
        scheduler.advance(by: .seconds(1))
        #expect(log.values == [11, 11])
        #expect(made.get() == 2)
    }

    @Test("All effects listen before the first of them emits an action")
    func order() {
        let log = Record<Int>()
        let greeting = Effect<Environment> { _, _ in .just(Add(amount: 7)) }
        let store = Store(
            reducer: counting, initialState: 0, environment: { state in Environment(count: state) },
            effects: [greeting, Self.reading(Add.self, log)],
            middleware: [
                Middleware { action, _, next in
                    next(action)
                    next(Increment())
                }
            ])
        #expect(log.values == [7])
        #expect(store.state == 8)
    }

    @Test("Observers and threads read the state")
    func threads() {
        struct Pair: Equatable, Sendable { var left = 0, right = 0 }
        let log = Record<Pair>()
        let reader = Guarded<(@Sendable () -> Pair)?>(nil)
        let effect = Effect<@Sendable () -> Pair>(dispatch: false) { actions, state in
            reader.value = state
            return actions.handleEvents { _ in log.append(state()) }
        }
        let store = Store(
            reducer: on(Increment.self) { pair, _ in
                pair.left += 1
                pair.right += 1
            }, initialState: Pair(), environment: { state in state }, effects: [effect])
        store.observe { _ in if let state = reader.value { log.append(state()) } }
        onThreads(4) { thread in
            for _ in 0..<500 {
                if thread < 2 {
                    store.dispatch(action: Increment())
                } else if let state = reader.value {
                    log.append(state())
                }
            }
        }
        #expect(log.values.allSatisfy { $0.left == $0.right })
        #expect(store.state == Pair(left: 1_000, right: 1_000))
    }

    @Test("The environment does not retain the store, and a reader that outlives it returns the last state")
    func lifetime() throws {
        let reader = Guarded<(@Sendable () -> Int)?>(nil)
        let counter = Tracked.Counter()
        weak var released: Store<Int>?
        do {
            let held = Tracked(counter)
            let effect = Effect<@Sendable () -> Int>(dispatch: false) { actions, state in
                reader.value = state
                return actions.handleEvents { _ in withExtendedLifetime(held) { _ = state() } }
            }
            let store = Store(
                reducer: counting, initialState: 1, environment: { state in state }, effects: [effect])
            store.observe { _ in withExtendedLifetime(held) {} }
            store.dispatch(action: Increment())
            released = store
        }
        #expect(released == nil)
        // The reader retains the state alone, and neither effects nor observers.
        #expect(counter.count == 0)
        let state = try #require(reader.value)
        #expect(state() == 2)
    }
}
