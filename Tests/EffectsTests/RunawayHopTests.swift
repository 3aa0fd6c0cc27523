import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// What never ends although it goes through tasks, the main actor, or both; and what looks like it and is none.
@Suite struct RunawayHopTests {
    private struct Ping: Action {}
    private struct Pong: Action {}
    private struct Connect: Action {}
    private struct Message: Action {}

    private static let any: ReducerFn<Int> = { count, _ in count += 1 }

    private let clock = VirtualClock()
    private let executor = ManualExecutor()
    private let runaways = Record<RunawayEffect>()
    private let fuse = Fuse()

    private func store(
        _ effects: Effect<Void>..., rate: Int, maximumChain: Int = 10_000_000, isManual: Bool = true
    ) -> Store<Int> {
        let store = Store(
            reducer: Self.any, initialState: 0, effects: effects, executor: isManual ? executor : nil,
            maximumChain: maximumChain,
            chainRate: rate, clock: clock)
        store.onError { [runaways] in if let runaway = $0 as? RunawayEffect { runaways.append(runaway) } }
        return store
    }

    // MARK: - Dispatched by somebody

    enum Way: CaseIterable { case run, flatMap, timed, program }

    @Test(
        "31. What the task of an effect dispatches by itself follows from what it was started for",
        arguments: Way.allCases)
    func dispatchedInTasks(way: Way) {
        let store = store(rate: 1_000)
        let again: @Sendable () -> Void = { [weak store, fuse] in
            if fuse.holds() { store?.dispatch(action: Ping()) }
        }
        let clock = clock
        let effect =
            switch way {
            case .run: Effect.run(on: Ping.self, file: "A.swift", line: 1) { _ in again() }
            case .flatMap:
                Effect(dispatch: false, file: "A.swift", line: 1) { actions in
                    actions.ofType(Ping.self).flatMap { ping in
                        await Task.yield()
                        again()
                        return ping
                    }.eraseActionType()
                }
            case .timed:
                Effect(dispatch: false, file: "A.swift", line: 1) { actions in
                    actions.ofType(Ping.self).debounce(for: .zero, clock: clock).handleEvents { _ in again() }
                        .eraseActionType()
                }
            case .program:
                Effect(dispatch: false, file: "A.swift", line: 1) { actions in
                    actions.ofType(Ping.self).flatMap(in: ()) { ping in
                        EnvIO<Void, any Error, Void>.sleep(for: .zero, clock: clock).map { _ in
                            again()
                            return ping
                        }
                    }.eraseActionType()
                }
            }
        store.register(effect)
        store.dispatch(action: Ping())
        clock.advance(by: .zero, draining: executor)
        #expect(store.state == 1_001)
        #expect(runaways.values.map(\.effect) == ["A.swift:1"])
        #expect(runaways.values.first?.causes == Array(repeating: "Ping", count: 16))
    }

    enum Listener: CaseIterable { case handleEvents, observe, select, run, taskInside }

    @MainActor
    @Test(
        "31. A loop through the main actor is stopped, whoever listens there, also in tasks that are started there",
        arguments: Listener.allCases)
    func throughTheMainActor(listener: Listener) async {
        let store = store(rate: 1_000, isManual: false)
        await withCheckedContinuation { continuation in
            let ended = Once()
            let again: @Sendable () -> Void = { [weak store, fuse] in
                if fuse.holds() {
                    store?.dispatch(action: Ping())
                } else if ended.isFirst() {
                    continuation.resume()
                }
            }
            switch listener {
            case .handleEvents:
                store.register(
                    Effect(dispatch: false, file: "A.swift", line: 1) { actions in
                        actions.handleEvents { @MainActor _ in again() }
                    })
            case .observe:
                store.observe { @MainActor state in if state > 0 { again() } }
            case .select:
                store.select { $0 }.observe { @MainActor state in if state > 0 { again() } }
            case .run:
                store.register(
                    .run(on: Ping.self, file: "A.swift", line: 1) { @MainActor _ in again() })
            case .taskInside:
                store.register(
                    Effect(dispatch: false, file: "A.swift", line: 1) { actions in
                        actions.handleEvents { @MainActor _ in Task { again() } }
                    })
            }
            store.onError { _ in if ended.isFirst() { continuation.resume() } }
            Task.detached { store.dispatch(action: Ping()) }
        }
        #expect(store.state == 1_001)
        let isEffect = listener != .observe && listener != .select
        #expect(runaways.values.map(\.effect) == [isEffect ? "A.swift:1" : nil])
    }

    @MainActor
    @Test("31. A loop through tasks that a handler of the main actor starts is stopped also where it is called at once")
    func tasksOfTheMainActor() async {
        let store = store(rate: 1_000, isManual: false)
        await withCheckedContinuation { continuation in
            let ended = Once()
            store.register(
                Effect(dispatch: false, file: "A.swift", line: 1) { [fuse] actions in
                    actions.handleEvents { @MainActor [weak store] _ in
                        Task {
                            if fuse.holds() {
                                store?.dispatch(action: Ping())
                            } else if ended.isFirst() {
                                continuation.resume()
                            }
                        }
                    }
                })
            store.onError { _ in if ended.isFirst() { continuation.resume() } }
            store.dispatch(action: Ping())
        }
        #expect(store.state == 1_001)
        #expect(runaways.values.map(\.effect) == ["A.swift:1"])
    }

    @MainActor
    @Test("What goes on and on through the main actor leaves it to others in between")
    func mainActorHasItsTurn() async {
        let store = store(rate: .max)
        let isWanted = Guarded(true)
        await withCheckedContinuation { continuation in
            store.observe { @MainActor [weak store, fuse] state in
                if state == 0 { return }
                if state == 10 { Task { @MainActor in isWanted.withLock { $0 = false } } }
                if fuse.holds(), isWanted.withLock({ $0 }) {
                    store?.dispatch(action: Ping())
                } else {
                    continuation.resume()
                }
            }
            Task.detached { store.dispatch(action: Ping()) }
        }
        #expect((10...100).contains(store.state))
    }

    // MARK: - Ever more

    @Test("31. What answers each action with two more through tasks is stopped, long before each line is long")
    func branching() {
        let store = store(rate: 1_000)
        for line in [1, 2] {
            store.register(
                Effect(file: "A.swift", line: UInt(line)) { [fuse] actions in
                    actions.ofType(Ping.self).filter { _ in fuse.holds() }.flatMap { ping in
                        await Task.yield()
                        return ping
                    }.eraseActionType()
                })
        }
        store.dispatch(action: Ping())
        executor.drain()
        // Each of the first two answers is an origin; one line of it never meets whom it has met.
        #expect((1_000...2_100).contains(store.state))
        #expect(Set(runaways.values.map(\.effect)) == ["A.swift:1", "A.swift:2"])
        #expect(runaways.values.count <= 4)
    }

    @Test(
        "31. A sequence of two for each action that a task answers is stopped; the store goes on, and so does the effect"
    )
    func branchingSequence() {
        let store = store(
            Effect(file: "A.swift", line: 1) { [fuse] actions in
                actions.ofType(Ping.self).filter { _ in fuse.holds() }.flatMap { ping in
                    await Task.yield()
                    return AsyncStream { continuation in
                        continuation.yield(ping)
                        continuation.yield(ping)
                        continuation.finish()
                    }
                }.eraseActionType()
            }, rate: 1_000)
        store.dispatch(action: Ping())
        executor.drain()
        let state = store.state
        #expect((1_000...2_100).contains(state))
        #expect((1...2).contains(runaways.values.count))
        let before = store.state
        clock.advance(by: .seconds(1), draining: executor)
        #expect(store.state == before)
        store.dispatch(action: Ping())
        executor.drain()
        #expect((before + 1_000...before + 2_100).contains(store.state))
    }

    @Test("31. A loop that registers another effect each time is stopped")
    func registeringOn() {
        let store = store(rate: 1_000)
        store.observe { [weak store, fuse] state in
            guard state > 0, fuse.holds() else { return }
            store?.register(Effect { _ in .just(Ping()) })
        }
        store.dispatch(action: Ping())
        #expect((1_000...1_100).contains(store.state))
        #expect(runaways.values.count == 1)
    }

    // MARK: - No runaways

    @Test("A stream that brings much is none, nor what is done about it in tasks, whatever it was started by")
    func stream() {
        let store = store(
            Effect { actions in
                actions.ofType(Ping.self).flatMap { _ in
                    await Task.yield()
                    return Connect()
                }.eraseActionType()
            },
            Effect { actions in
                actions.ofType(Connect.self).flatMap { _ in Messages(count: 5_000, message: Message()) }
                    .eraseActionType()
            },
            Effect { actions in
                actions.ofType(Message.self).flatMap { _ in
                    await Task.yield()
                    return Pong()
                }.eraseActionType()
            }, rate: 10, maximumChain: 100)
        store.dispatch(action: Ping())
        executor.drain()
        #expect(store.state == 10_002)
        #expect(runaways.values.isEmpty)
    }

    @Test("A stream that an answer opens again is none, however much it brings")
    func reconnecting() {
        let clock = clock
        let store = store(
            Effect { actions in
                actions.ofType(Connect.self).flatMap { _ in Messages(count: 5_000, message: Message()) }
                    .eraseActionType()
            },
            Effect { actions in
                // After each hundred messages a second, and the connection anew.
                actions.ofType(Message.self).scan(0) { count, _ in count + 1 }.filter { $0 % 5_000 == 0 && $0 < 50_000 }
                    .flatMap { _ in
                        try await clock.sleep(for: .seconds(1))
                        return Connect()
                    }.eraseActionType()
            }, rate: 10)
        store.dispatch(action: Connect())
        clock.advance(by: .seconds(20), draining: executor)
        #expect(store.state == 50_010)
        #expect(runaways.values.isEmpty)
    }

    @Test("A ticker that ticks each second of a day is none")
    func ticker() {
        let clock = clock
        let store = store(
            Effect { _ in
                ActionStream(of: {
                    AsyncThrowingStream<Ping, any Error>(unfolding: {
                        try await clock.sleep(for: .seconds(1))
                        return Ping()
                    })
                }).eraseActionType()
            },
            Effect { actions in actions.ofType(Ping.self).map { _ in Pong() }.eraseActionType() },
            rate: 1, maximumChain: 100)
        clock.advance(by: .seconds(86_400), draining: executor)
        #expect(store.state == 2 * 86_400)
        #expect(runaways.values.isEmpty)
    }

    @Test("Many polls that one action began are none where each of them waits a second")
    func manyPolls() {
        let clock = clock
        let store = store(
            Effect { actions in
                actions.ofType(Connect.self).flatMap { _ in Messages(count: 100, message: Message()) }.map { _ in Ping()
                }.eraseActionType()
            },
            Effect { actions in
                actions.ofType(Ping.self).flatMap { ping in
                    try await clock.sleep(for: .seconds(1))
                    return ping
                }.eraseActionType()
            }, rate: 1)
        store.dispatch(action: Connect())
        clock.advance(by: .seconds(100), draining: executor)
        #expect(store.state == 1 + 100 * 101)
        #expect(runaways.values.isEmpty)
    }

    @Test("A task that goes on for long dispatches as much as it likes")
    func longTask() {
        let store = store(rate: 10)
        store.register(
            .run(on: Connect.self) { [weak store] _ in
                for _ in 0..<5_000 {
                    await Task.yield()
                    store?.dispatch(action: Message())
                }
            })
        store.dispatch(action: Connect())
        executor.drain()
        #expect(store.state == 5_001)
        #expect(runaways.values.isEmpty)
    }

    // MARK: - Names

    @Test("31. An effect that dispatches by itself, and not what it emits, is named as well")
    func namedWithoutDispatch() {
        let store = store(rate: 10, maximumChain: 50)
        store.register(
            Effect(dispatch: false, file: "A.swift", line: 1) { actions in
                actions.ofType(Ping.self).handleEvents { [weak store] _ in store?.dispatch(action: Ping()) }
                    .eraseActionType()
            })
        store.dispatch(action: Ping())
        #expect(store.state == 51)
        #expect(runaways.values.map(\.effect) == ["A.swift:1"])
    }
}

/// Ends what a store should have ended, so that the test fails, and does not go on for ever.
private struct Fuse: Sendable {
    private let left = Guarded(20_000)

    func holds() -> Bool {
        left.withLock { left in
            left -= 1
            return left > 0
        }
    }
}

/// So many messages.
private struct Messages<Message: Action>: AsyncSequence, Sendable {
    let count: Int
    let message: Message

    struct AsyncIterator: AsyncIteratorProtocol {
        var left: Int
        let message: Message

        mutating func next() async -> Message? {
            await Task.yield()
            left -= 1
            return left < 0 ? nil : message
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(left: count, message: message) }
}
