import Effects
import FunctionalCore
import TestSupport
import Testing

/// The store under many threads.
@Suite(.serialized, .timeLimit(.minutes(10))) struct StoreConcurrencyTests {
    private struct Numbered: Action {
        let number: Int
        let thread: Int
    }

    private struct Tally: Sendable {
        var count = 0
        var last = [Int](repeating: 0, count: 8)
        var disorder = 0
    }

    private static let tallying: ReducerFn<Tally> = on(Numbered.self) { tally, action in
        tally.count += 1
        if action.number != tally.last[action.thread] + 1 { tally.disorder += 1 }
        tally.last[action.thread] = action.number
    }

    private static func perThread(debug: Int, release: Int) -> Int {
        #if DEBUG
            debug
        #else
            release
        #endif
    }

    @Test("16. Eight threads lose no update, keep their own order, and never read an older count")
    func eightThreads() async {
        let perThread = Self.perThread(debug: 10_000, release: 100_000)
        let handledByEffect = Guarded(0)
        let store = Store(
            reducer: Self.tallying, initialState: Tally(),
            effects: [
                Effect(dispatch: false) { actions in
                    actions.ofType(Numbered.self).handleEvents { _ in handledByEffect.withLock { $0 += 1 } }
                        .eraseActionType()
                }
            ])
        let seen = Guarded((count: 0, gaps: 0))
        store.observe { tally in
            seen.withLock {
                if tally.count != $0.count, tally.count != $0.count + 1 { $0.gaps += 1 }
                $0.count = tally.count
            }
        }
        let backwards = Guarded(0)
        onThreads(8) { thread in
            var last = 0
            for number in 1...perThread {
                store.dispatch(action: Numbered(number: number, thread: thread))
                if number % 64 == 0 {
                    let count = store.state.count
                    if count < last { backwards.withLock { $0 += 1 } }
                    last = count
                }
            }
        }
        await handled(by: store)
        let tally = store.state
        #expect(tally.count == 8 * perThread)
        #expect(tally.disorder == 0)
        #expect(tally.last == [Int](repeating: perThread, count: 8))
        #expect(seen.withLock { $0.count } == 8 * perThread)
        #expect(seen.withLock { $0.gaps } == 0)
        #expect(backwards.withLock { $0 } == 0)
        #expect(handledByEffect.withLock { $0 } == 8 * perThread)
    }

    @Test("15. All observers receive every state in order if several threads dispatch")
    func sameForAll() async {
        for _ in 0..<20 {
            let store = Store(reducer: counting, initialState: 0)
            let seen = (0..<4).map { _ in Record<Int>() }
            for record in seen {
                store.observe { [weak store] state in
                    record.append(state)
                    if state % 10 == 1 { store?.dispatch(action: Add(amount: 1)) }
                }
            }
            onThreads(4) { _ in for _ in 0..<50 { store.dispatch(action: Increment()) } }
            await handled(by: store)
            let first = seen[0].values
            #expect(first == first.sorted())
            #expect(first.last == store.state)
            for record in seen.dropFirst() { #expect(record.values == first) }
        }
    }

    @Test("If threads dispatch one after another, each dispatch returns after its action is processed")
    func oneThreadAfterAnother() {
        let store = Store(reducer: Self.tallying, initialState: Tally())
        let late = Guarded(0)
        for thread in 0..<4 {
            onThreads(1) { _ in
                for number in 1...1_000 {
                    store.dispatch(action: Numbered(number: number, thread: thread))
                    if store.state.last[thread] != number { late.withLock { $0 += 1 } }
                }
            }
        }
        #expect(late.withLock { $0 } == 0)
    }

    @Test("Registering and cancelling loses no action that other threads dispatch")
    func comingAndGoing() async {
        let store = Store(reducer: counting, initialState: 0)
        let effect = Effect { actions in
            actions.ofType(Increment.self).flatMap { _ in .just(Acknowledged()) }.eraseActionType()
        }
        let told = Guarded(0)
        store.select { $0 }.observe { _ in told.withLock { $0 += 1 } }
        onThreads(4) { thread in
            for _ in 0..<500 {
                if thread % 2 == 0 {
                    store.dispatch(action: Increment())
                } else {
                    store.observe { _ in }.cancel()
                    store.register(effect).cancel()
                    store.register([effect], as: thread)
                    store.unregister(thread)
                    store.register(reducer: { _, _ in }).cancel()
                }
            }
        }
        await handled(by: store)
        #expect(store.state == 1_000)
        // The initial value, and each change.
        #expect(told.withLock { $0 } == 1_001)
    }
}
