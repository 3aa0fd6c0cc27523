import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Long chains, and those that never end.
@Suite struct RunawayTests {
    private struct CountDown: Action { let left: Int }
    private struct Ping: Action {}
    private struct Pong: Action {}
    private struct Poll: Action {}

    private static let any: ReducerFn<Int> = { count, _ in count += 1 }

    private static let countingDown = Effect { actions in
        actions.ofType(CountDown.self).filter { $0.left > 1 }.map { CountDown(left: $0.left - 1) }.eraseActionType()
    }

    @Test("17. A chain of a million dispatches of an effect, or of an observer, completes on a small stack")
    func longChains() async {
        let counts = await onSmallStack {
            let answered = Store(reducer: Self.any, initialState: 0, effects: [Self.countingDown])
            answered.dispatch(action: CountDown(left: manySteps))
            let observed = Store(reducer: counting, initialState: 0)
            observed.observe { [weak observed] in if $0 < manySteps { observed?.dispatch(action: Increment()) } }
            return [answered.state, observed.state]
        }
        #expect(counts == [manySteps, manySteps])
    }

    // MARK: - Without tasks

    @Test("31. An effect that answers itself is stopped, and named with the last sixteen causes; the store goes on")
    func effectThatAnswersItself() {
        let pinging = Effect(file: "Home/Table.swift", line: 7) { actions in
            actions.ofTypes(Ping.self, Pong.self).map { action -> any Action in action is Ping ? Pong() : Ping() }
        }
        let store = Store(reducer: Self.any, initialState: 0, effects: [pinging], maximumChain: 100)
        let runaways = Record<RunawayEffect>()
        store.onError { if let runaway = $0 as? RunawayEffect { runaways.append(runaway) } }
        store.dispatch(action: Ping())
        #expect(store.state == 101)
        #expect(runaways.values.map(\.effect) == ["Home/Table.swift:7"])
        // The last one is the action that was dropped: the hundred and first answer.
        #expect(runaways.values.first?.causes == (0..<8).flatMap { _ in ["Ping", "Pong"] })
        store.dispatch(action: Acknowledged())
        #expect(store.state == 102)
        store.dispatch(action: Ping())
        #expect(store.state == 203)
        #expect(runaways.values.count == 2)
    }

    @Test("31. Effects that answer with ever more actions are stopped, and told of once; the store goes on")
    func effectsThatDouble() {
        let forgetful = Effect(file: "A.swift", line: 1) { $0 }
        let alike = Effect(file: "B.swift", line: 2) { $0 }
        let store = Store(reducer: Self.any, initialState: 0, effects: [forgetful, alike], maximumChain: 1_000)
        let runaways = Record<RunawayEffect>()
        store.onError { if let runaway = $0 as? RunawayEffect { runaways.append(runaway) } }
        store.dispatch(action: Ping())
        #expect(store.state == 1_001)
        #expect(runaways.values.count == 1)
        #expect(runaways.values.first?.causes.allSatisfy { $0 == "Ping" } == true)
        store.dispatch(action: Ping())
        #expect(store.state == 2_002)
        #expect(runaways.values.count == 2)
    }

    @Test("31. An effect that hands on all that it gets is stopped")
    func identity() {
        let store = Store(
            reducer: counting, initialState: 0, effects: [Effect(file: "A.swift", line: 1) { $0 }], maximumChain: 1_000)
        let errors = Record<String>()
        store.onError { errors.append("\($0)") }
        store.dispatch(action: Increment())
        #expect(store.state == 1_001)
        let causes = Array(repeating: "Increment", count: 16).joined(separator: " → ")
        #expect(
            errors.values == [
                """
                The effect of A.swift:1 answers for ever, and was stopped: \(causes). To fix, let it answer with \
                actions that it does not listen to, or write dispatch: false.
                """
            ])
    }

    @Test(
        "18. Of what always dispatches again, so many actions are handled as may follow; the next is dropped and named")
    func threshold() {
        let store = Store(reducer: counting, initialState: 0, maximumChain: 9)
        let runaways = Record<RunawayEffect>()
        store.onError { if let runaway = $0 as? RunawayEffect { runaways.append(runaway) } }
        store.observe { [weak store] state in
            if state > 0 { store?.dispatch(action: state == 10 ? Add(amount: 1) : Increment()) }
        }
        store.dispatch(action: Increment())
        #expect(store.state == 10)
        #expect(runaways.values.map(\.effect) == [nil])
        #expect(runaways.values.first?.causes == Array(repeating: "Increment", count: 9) + ["Add"])
    }

    @Test("18. A chain that is just as long as it may be is none")
    func justShort() {
        let store = Store(reducer: Self.any, initialState: 0, effects: [Self.countingDown], maximumChain: 99)
        let errors = Record<String>()
        store.onError { errors.append("\($0)") }
        for _ in 0..<3 { store.dispatch(action: CountDown(left: 100)) }
        #expect(store.state == 300)
        #expect(errors.values == [])
    }

    @Test("The causes of a chain are its own, whatever else is dispatched meanwhile")
    func causesOfOneChain() {
        let pinging = Effect { actions in actions.ofType(Ping.self).map { _ in Ping() }.eraseActionType() }
        let acknowledging = Effect { actions in
            actions.ofType(Acknowledged.self).map { _ in Increment() }.eraseActionType()
        }
        let store = Store(reducer: Self.any, initialState: 0, effects: [pinging, acknowledging], maximumChain: 20)
        let runaways = Record<RunawayEffect>()
        store.onError { if let runaway = $0 as? RunawayEffect { runaways.append(runaway) } }
        // From another thread, while this one handles the chain.
        store.observe { [store = Unowned(store)] state in
            if state % 3 == 1 { onThreads(1) { _ in store.value.dispatch(action: Acknowledged()) } }
        }
        store.dispatch(action: Ping())
        #expect(runaways.values.map(\.causes) == [Array(repeating: "Ping", count: 16)])
    }

    @Test("18. A runaway that nobody observes is written to standard error, and the process lives", .promptly)
    func unobserved() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let store = Store(
                reducer: counting, initialState: 0, effects: [Effect(file: "A.swift", line: 1) { $0 }], maximumChain: 2)
            store.dispatch(action: Increment())
            store.dispatch(action: Acknowledged())
            precondition(store.state == 3)
        }
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("The effect of A.swift:1 answers for ever, and was stopped: Increment → Increment → "))
    }

    @Test(
        "Who is told of a runaway may dispatch; if that is a runaway again, standard error alone gets the report",
        .promptly)
    func answeringTheReport() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let store = Store(
                reducer: counting, initialState: 0,
                effects: [
                    Effect(file: "A.swift", line: 1) { actions in actions.ofType(Increment.self).eraseActionType() }
                ],
                maximumChain: 9)
            let told = Record<String>()
            store.onError { [weak store] error in
                told.append("\(error)")
                store?.dispatch(action: Add(amount: 1_000))
                store?.dispatch(action: Increment())
            }
            store.dispatch(action: Increment())
            // The ten of the first, and the nine that may follow from its report: one addition, eight increments.
            precondition(store.state == 1_018)
            precondition(told.values.count == 1)
        }
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("The effect of A.swift:1 answers for ever"))
    }

    // MARK: - Through tasks

    /// A store on the virtual clock, and what runs its tasks.
    private struct Bench {
        let clock = VirtualClock()
        let executor = ManualExecutor()
        let runaways = Record<RunawayEffect>()
        let store: Store<Int>

        init(rate: Int, reducer: @escaping ReducerFn<Int> = any, _ effects: (VirtualClock) -> [Effect<Void>]) {
            store = Store(
                reducer: reducer, initialState: 0, effects: effects(clock), executor: executor, chainRate: rate,
                clock: clock)
            store.onError { [runaways] in if let runaway = $0 as? RunawayEffect { runaways.append(runaway) } }
        }
    }

    @Test("31. An effect that answers itself through tasks is stopped, and named with the last sixteen causes")
    func throughTasks() {
        let bench = Bench(rate: 1_000) { _ in
            [
                Effect(file: "Home/Table.swift", line: 9) { actions in
                    actions.ofTypes(Ping.self, Pong.self).flatMap { action -> any Action in
                        await Task.yield()
                        return action is Ping ? Pong() : Ping()
                    }
                }
            ]
        }
        bench.store.dispatch(action: Ping())
        bench.executor.drain()
        #expect(bench.store.state == 1_001)
        #expect(bench.runaways.values.map(\.effect) == ["Home/Table.swift:9"])
        #expect(bench.runaways.values.first?.causes == (0..<8).flatMap { _ in ["Ping", "Pong"] })
        bench.store.dispatch(action: Acknowledged())
        #expect(bench.store.state == 1_002)
        bench.store.dispatch(action: Ping())
        bench.executor.drain()
        #expect(bench.runaways.values.count == 2)
    }

    @Test("A poll that waits a second each time is never stopped")
    func poll() {
        let bench = Bench(rate: 1) { clock in
            [
                Effect { actions in
                    actions.ofType(Poll.self).flatMap { poll in
                        try await clock.sleep(for: .seconds(1))
                        return poll
                    }.eraseActionType()
                }
            ]
        }
        bench.store.dispatch(action: Poll())
        bench.clock.advance(by: .seconds(10_000), draining: bench.executor)
        #expect(bench.store.state == 10_001)
        #expect(bench.runaways.values.isEmpty)
    }

    @Test("What is too fast for the clock is stopped also after it has been slow")
    func fastAfterSlow() {
        let bench = Bench(rate: 10) { clock in
            [
                Effect { actions in
                    actions.ofType(CountDown.self).flatMap { action in
                        try await clock.sleep(for: action.left > 0 ? .seconds(1) : .milliseconds(1))
                        return CountDown(left: action.left - 1)
                    }.eraseActionType()
                }
            ]
        }
        bench.store.dispatch(action: CountDown(left: 100))
        bench.clock.advance(by: .seconds(100), draining: bench.executor)
        #expect(bench.store.state == 101)
        bench.clock.advance(by: .seconds(100), draining: bench.executor)
        #expect((110...121).contains(bench.store.state))
        #expect(bench.runaways.values.count == 1)
    }

    @Test("What one task emits is no chain, however much; nor is what many tasks answer at a time")
    func manyOfOne() {
        let bench = Bench(rate: 10, reducer: counting) { _ in
            [
                Effect { actions in
                    actions.ofType(Increment.self).flatMap { _ in
                        await Task.yield()
                        return Acknowledged()
                    }.eraseActionType()
                }
            ]
        }
        bench.store.dispatch(actionsOf: { Repeating(count: 1_000) })
        bench.executor.drain()
        #expect(bench.store.state == 1_000)
        #expect(bench.runaways.values.isEmpty)
    }

    @Test("A long chain that a task begins counts as one without tasks")
    func longChainOfATask() {
        let bench = Bench(rate: 10) { _ in
            [
                Self.countingDown,
                Effect { actions in
                    actions.ofType(Increment.self).flatMap { _ in
                        await Task.yield()
                        return CountDown(left: 10_000)
                    }.eraseActionType()
                },
            ]
        }
        bench.store.dispatch(action: Increment())
        bench.executor.drain()
        #expect(bench.store.state == 10_001)
        #expect(bench.runaways.values.isEmpty)
    }
}

/// A store that a test keeps alive.
private struct Unowned: Sendable {
    unowned let value: Store<Int>

    init(_ value: Store<Int>) {
        self.value = value
    }
}

/// So many increments.
private struct Repeating: AsyncSequence, Sendable {
    let count: Int

    struct AsyncIterator: AsyncIteratorProtocol {
        var left: Int

        mutating func next() async -> Increment? {
            await Task.yield()
            left -= 1
            return left < 0 ? nil : Increment()
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(left: count) }
}
