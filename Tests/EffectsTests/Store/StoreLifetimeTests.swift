import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite(.timeLimit(.minutes(10))) struct StoreLifetimeTests {
    @Test("19, 50. Releasing a store releases its state, effects and observers, even if effects have running tasks")
    func freed() throws {
        let clock = VirtualClock()
        let executor = ManualExecutor()
        weak var store: Store<[Witness]>?
        weak var state: Witness?
        weak var effect: Witness?
        weak var observer: Witness?
        do {
            let held = (state: Witness(), effect: Witness(), observer: Witness())
            (state, effect, observer) = held
            let effects = [
                Effect { actions in actions.ofType(Increment.self).map { _ in Acknowledged() }.eraseActionType() },
                Effect { [effect = held.effect] actions in
                    actions.ofType(Increment.self).flatMap(.queued) { _ in
                        try await clock.sleep(for: .seconds(withExtendedLifetime(effect) { 1 }))
                        return Acknowledged()
                    }.eraseActionType()
                },
                Effect { [effect = held.effect] actions in
                    actions.merge(with: actions).debounce(for: .seconds(5), clock: clock).retry(2)
                        .scan(0) { count, _ in withExtendedLifetime(effect) { count + 1 } }
                        .map { _ in Acknowledged() }.eraseActionType()
                },
            ]
            let owned = Store(
                reducer: { _, _ in }, initialState: [held.state], effects: effects, executor: executor)
            store = owned
            let registration = owned.observe { [observer = held.observer] _ in withExtendedLifetime(observer) {} }
            owned.onError { [observer = held.observer] _ in withExtendedLifetime(observer) {} }
            owned.intercept { [observer = held.observer] _, _, _ in withExtendedLifetime(observer) {} }
            owned.register([effects[0], effects[1]], as: "group")
            owned.dispatch(action: Increment())
            owned.dispatch(action: Increment())
            executor.drain()
            #expect(clock.sleeperCount == 3)
            withExtendedLifetime(registration) {}
        }
        #expect(store == nil)
        #expect(state == nil || effect != nil)
        #expect(observer == nil)
        // The cancelled tasks wind down.
        executor.drain()
        #expect(clock.sleeperCount == 0)
        #expect(state == nil)
        #expect(effect == nil)
    }

    @Test("19. A store that is released during an action finishes it, and its effects end")
    func freedWithin() {
        let executor = ManualExecutor()
        let slot = Guarded<Store<Int>?>(nil)
        let log = Log()
        weak var freed: Store<Int>?
        do {
            let (actions, feed) = AsyncStream<Increment>.makeStream()
            let store = Store(
                reducer: counting, initialState: 0,
                effects: [
                    Effect { actions in actions.ofType(Increment.self).eraseActionType() },
                    Effect(dispatch: false) { actions in actions.handleEvents { log.append("\($0)") } },
                ], executor: executor, maximumChain: 3)
            store.observe { state in
                log.append("\(state)")
                if state == 1 { slot.withLock { $0 = nil } }
            }
            store.dispatch(actionsOf: { actions })
            feed.yield(Increment())
            slot.withLock { $0 = store }
            freed = store
        }
        #expect(freed != nil)
        executor.drain()
        #expect(freed == nil)
        #expect(log.lines == ["0", "1", "Increment()"])
    }

    @Test("42. The last reference may be dropped while results arrive on several threads")
    func lateResults() async {
        for _ in 0..<50 {
            let (results, emit) = AsyncStream<Increment>.makeStream()
            let slot = Guarded<Store<Int>?>(nil)
            weak var freed: Store<Int>?
            do {
                let store = Store(
                    reducer: counting, initialState: 0,
                    effects: [
                        Effect { actions in
                            actions.flatMap { action in
                                await Task.yield()
                                return action
                            }.filter { $0 is Add }
                        },
                        Effect { _ in ActionStream(of: { results }).eraseActionType() },
                    ])
                freed = store
                slot.withLock { $0 = store }
            }
            onThreads(3) { thread in
                if thread == 0 { return slot.withLock { $0 = nil } }
                for _ in 0..<50 {
                    if thread == 1 {
                        emit.yield(Increment())
                    } else {
                        slot.withLock { $0 }?.dispatch(action: Increment())
                    }
                }
            }
            #expect(freed == nil)
        }
    }
}
