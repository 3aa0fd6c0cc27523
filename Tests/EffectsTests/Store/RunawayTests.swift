import Effects
import FunctionalCore
import Observation
import TestSupport
import Testing

/// Long chains and endless chains.
@Suite(.timeLimit(.minutes(10))) struct RunawayTests {
    private struct CountDown: Action { let left: Int }
    private struct Ping: Action {}
    private struct Pong: Action {}

    private static let any: ReducerFn<Int> = { count, _ in count += 1 }

    private static let countingDown = Effect { actions in
        actions.ofType(CountDown.self).filter { $0.left > 1 }.map { CountDown(left: $0.left - 1) }.eraseActionType()
    }

    @Test("17. A million chained dispatches by an effect or an observer complete on a small stack")
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

    @Test("31. An effect that answers itself is stopped and named, and the store continues")
    func effectThatAnswersItself() {
        let pinging = Effect(file: "Home/Table.swift", line: 7) { actions in
            actions.ofTypes(Ping.self, Pong.self).map { action -> any Action in action is Ping ? Pong() : Ping() }
        }
        let store = Store(reducer: Self.any, initialState: 0, effects: [pinging], maximumChain: 100)
        let runaways = store.recorded(RunawayEffect.self)
        store.dispatch(action: Ping())
        // The action itself, its first answer, and the hundred that repeat the sender.
        #expect(store.state == 102)
        #expect(runaways.values.map(\.effect) == ["Home/Table.swift:7"])
        #expect(runaways.values.first.map { "\($0)" }?.contains("Pong → Ping. To fix, ") == true)
        // The last one is the dropped action: the hundred and first repetition.
        #expect(runaways.values.first?.causes == (0..<8).flatMap { _ in ["Pong", "Ping"] })
        store.dispatch(action: Acknowledged())
        #expect(store.state == 103)
        store.dispatch(action: Ping())
        #expect(store.state == 205)
        #expect(runaways.values.count == 2)
    }

    @Test("18. An observer that dispatches without end is stopped after maximumChain repetitions")
    func threshold() {
        let store = Store(reducer: counting, initialState: 0, maximumChain: 9)
        let runaways = store.recorded(RunawayEffect.self)
        store.observe { [weak store] state in
            if state > 0 { store?.dispatch(action: state == 11 ? Add(amount: 1) : Increment()) }
        }
        store.dispatch(action: Increment())
        #expect(store.state == 11)
        #expect(runaways.values.map(\.effect) == [nil])
        #expect(runaways.values.first?.causes == Array(repeating: "Increment", count: 9) + ["Add"])
    }

    @Test("The causes of a chain do not include other actions that are dispatched meanwhile")
    func causesOfOneChain() {
        let pinging = Effect { actions in actions.ofType(Ping.self).map { _ in Ping() }.eraseActionType() }
        let acknowledging = Effect { actions in
            actions.ofType(Acknowledged.self).map { _ in Increment() }.eraseActionType()
        }
        let store = Store(reducer: Self.any, initialState: 0, effects: [pinging, acknowledging], maximumChain: 20)
        let runaways = store.recorded(RunawayEffect.self)
        // From another thread, while this one handles the chain.
        store.observe { [store = Unowned(store)] state in
            if state % 3 == 1 { onThreads(1) { _ in store.value.dispatch(action: Acknowledged()) } }
        }
        store.dispatch(action: Ping())
        #expect(runaways.values.map(\.causes) == [Array(repeating: "Ping", count: 16)])
    }

    @Test(
        "An error observer may dispatch, and its own runaway is only written to standard error",
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
            // The first chain adds the action, its first answer and nine repetitions. The observer adds the addition,
            // the increment, its first answer and nine repetitions.
            precondition(store.state == 11 + 1_000 + 11)
            precondition(told.values.count == 1)
        }
        let message = result.standardErrorText
        #expect(message.contains("The effect of A.swift:1 answers its own messages without end"))
    }

    // MARK: - Names and senders

    private static func track(_ store: Store<Int>, _ body: @escaping @Sendable () -> Void) {
        withObservationTracking {
            _ = store.state
        } onChange: {
            body()
        }
    }

    @Test("A single answer of code that tracks the state is not stopped, also behind a middleware", arguments: [0, 1])
    @MainActor
    func answersOfTrackingCode(middlewareCount: Int) {
        let forwarding = Middleware<Int> { action, _, next in next(action) }
        let store = Store(
            reducer: Self.any, initialState: 0, effects: [],
            middleware: Array(repeating: forwarding, count: middlewareCount), maximumChain: 10)
        let errors = store.recordedErrors()
        store.observe { _ in }
        Self.track(store) {
            store.dispatch(action: Ping())
            Self.track(store) { for _ in 0..<100 { store.dispatch(action: Pong()) } }
        }
        store.dispatch(action: Ping())
        #expect(store.state == 102)
        #expect(errors.values == [])
    }

    @Test("The report of a stopped effect names the effect, even if it has ended")
    func nameOfEndedEffect() {
        let effect = Effect(file: "A.swift", line: 1) { actions in
            actions.ofType(CountDown.self).map { CountDown(left: $0.left - 1) }.prefix(102).eraseActionType()
        }
        let store = Store(reducer: Self.any, initialState: 0, effects: [effect], maximumChain: 100)
        let runaways = store.recorded(RunawayEffect.self)
        store.dispatch(action: CountDown(left: 0))
        #expect(runaways.values.map(\.effect) == ["A.swift:1"])
    }
}

/// An unowned reference to a store that a test keeps alive.
private struct Unowned: Sendable {
    unowned let value: Store<Int>

    init(_ value: Store<Int>) {
        self.value = value
    }
}
