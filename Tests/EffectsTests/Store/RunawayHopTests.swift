import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Chains that pass through tasks or actors. Their actions are neither counted nor dropped.
@Suite(.timeLimit(.minutes(10))) struct RunawayHopTests {
    private struct Message: Action { let number: Int }
    private struct Page: Action { let number: Int }
    private struct Next: Action { let left: Int }
    private struct Ping: Action {}

    /// The numbers of the messages, in the order in which they were reduced.
    private static let messages: ReducerFn<[Int]> = on(Message.self) { numbers, message in
        numbers.append(message.number)
    }

    private let executor = ManualExecutor()
    private let errors = Record<String>()

    private func store(_ effects: Effect<Void>..., maximumChain: Int = 0) -> Store<[Int]> {
        let store = Store(
            reducer: Self.messages, initialState: [], effects: effects, executor: executor, maximumChain: maximumChain)
        store.onError { [errors] in errors.append("\($0)") }
        return store
    }

    @Test("31. A stream of pages, each of which requests the next, loses no elements")
    func pages() {
        let store = store(
            Effect { actions in
                actions.ofType(Page.self).flatMap { page -> AsyncStream<any Action> in
                    AsyncStream { continuation in
                        for number in 0..<5_000 { continuation.yield(Message(number: page.number * 5_000 + number)) }
                        if page.number < 9 { continuation.yield(Page(number: page.number + 1)) }
                        continuation.finish()
                    }
                }
            })
        store.dispatch(action: Page(number: 0))
        executor.drain()
        #expect(store.state == Array(0..<50_000))
        #expect(errors.values == [])
    }

    @Test("31. A loop of 40,000 items with a task for each item is not stopped")
    func workLoop() {
        let store = store(
            Effect { actions in
                actions.ofType(Next.self).filter { $0.left > 0 }.flatMap { next in
                    await Task.yield()
                    return Next(left: next.left - 1)
                }.eraseActionType()
            },
            Effect { actions in
                actions.ofType(Next.self).map { Message(number: $0.left) }.eraseActionType()
            })
        store.dispatch(action: Next(left: 40_000))
        executor.drain()
        #expect(store.state == (0...40_000).reversed())
        #expect(errors.values == [])
    }

    @MainActor
    @Test("31. A loop through the main actor is not stopped, and other tasks run in between")
    func throughTheMainActor() async {
        let store = Store(reducer: Self.messages, initialState: [], maximumChain: 0)
        let isWanted = Guarded(true)
        await withCheckedContinuation { continuation in
            store.observe { @MainActor [weak store] state in
                if state.isEmpty { return }
                if state.count == 1_000 { Task { @MainActor in isWanted.withLock { $0 = false } } }
                if isWanted.withLock({ $0 }) {
                    store?.dispatch(action: Message(number: state.count))
                } else {
                    continuation.resume()
                }
            }
            Task.detached { store.dispatch(action: Message(number: 0)) }
        }
        #expect(store.state.count >= 1_000)
        #expect(store.state == Array(0..<store.state.count))
    }

    @Test("31. A chain that begins in a task is counted like any other chain")
    func chainOfATask() {
        let store = store(
            Effect(file: "A.swift", line: 1) { actions in
                actions.ofType(Ping.self).flatMap { _ in
                    await Task.yield()
                    return Next(left: 1_000)
                }.eraseActionType()
            },
            Effect(file: "B.swift", line: 2) { actions in
                actions.ofType(Next.self).map { Next(left: $0.left - 1) }.eraseActionType()
            }, maximumChain: 100)
        store.dispatch(action: Ping())
        executor.drain()
        #expect(errors.values.count == 1)
        #expect(errors.values.first?.hasPrefix("The effect of B.swift:2 answers its own messages without end") == true)
    }

    @Test("31. The report also names an effect that calls dispatch(action:) itself")
    func namedWithoutDispatch() {
        let store = store(maximumChain: 50)
        store.register(
            Effect(dispatch: false, file: "A.swift", line: 1) { actions in
                actions.ofType(Ping.self).handleEvents { [weak store] _ in store?.dispatch(action: Ping()) }
                    .eraseActionType()
            })
        store.dispatch(action: Ping())
        #expect(errors.values.count == 1)
        #expect(errors.values.first?.hasPrefix("The effect of A.swift:1") == true)
    }

    @Test("31. A chain that registers another effect at every step is stopped")
    func registeringOn() {
        let store = Store(reducer: counting, initialState: 0, maximumChain: 1_000)
        store.onError { [errors] in errors.append("\($0)") }
        store.observe { [weak store] state in
            if state > 0 { store?.register(Effect { _ in .just(Increment()) }) }
        }
        store.dispatch(action: Increment())
        #expect((1_000...1_100).contains(store.state))
        #expect(errors.values.count == 1)
    }

    @Test("A large answer after a chain of more effects than the store compares is not stopped")
    func longPipeline() {
        struct Step: Action { let number: Int }
        let steps = (0..<80).map { number in
            Effect { actions in
                actions.ofType(Step.self).filter { $0.number == number }.flatMap { step in
                    ActionStream.sequence((0..<(number == 79 ? 3_000 : 1)).map { _ in Step(number: number + 1) })
                }.eraseActionType()
            }
        }
        let store = Store<Int>(
            reducer: on(Step.self) { total, step in total += step.number == 80 ? 1 : 0 }, initialState: 0,
            effects: steps,
            maximumChain: 1_000)
        store.onError { [errors] in errors.append("\($0)") }
        store.dispatch(action: Step(number: 0))
        #expect(store.state == 3_000)
        #expect(errors.values == [])
    }
}
