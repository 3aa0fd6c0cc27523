import Effects
import FunctionalCore
import Observation
import TestSupport
import Testing
import VirtualTime

/// What a traced store records as the sources of its actions.
@Suite(.timeLimit(.minutes(10))) struct StoreTraceSourceTests {
    private let log = TraceLog()

    private func store(maximumChain: Int = 2_000_000) -> Store<[String]> {
        Store(reducer: journal, initialState: [], maximumChain: maximumChain, trace: log.trace)
    }

    /// Expects that an answer was received once, with this source, and that the question is its root.
    private func expectAnswer(from source: TraceEvent.Source, _ location: SourceLocation = #_sourceLocation) {
        #expect(
            log.received("answered 1").map { "\($0.kind)" }.first?.contains("\(source)") == true,
            "\(log.lines)", sourceLocation: location)
        #expect(
            log.received("answered 1").map(\.root) == log.received("asked 1").map(\.id), "\(log.lines)",
            sourceLocation: location)
    }

    @Test func anObserver() {
        let store = store()
        store.observe { [weak store] lines in if lines.count == 1 { store?.dispatch(action: Answered(id: 1)) } }
        store.ask(1)
        expectAnswer(from: .observer)
    }

    @Test func anObserverOfASelection() {
        let store = store()
        store.select { $0.count }
            .observe { [weak store] count in if count == 1 { store?.dispatch(action: Answered(id: 1)) } }
        store.ask(1)
        expectAnswer(from: .observer)
    }

    @MainActor @Test func anObserverOnAnActor() async throws {
        let store = store()
        store.observe { @MainActor [weak store] lines in
            if lines.count == 1 { store?.dispatch(action: Answered(id: 1)) }
        }
        await Task.detached { store.ask(1) }.value
        try await store.settledIncludingObservers()
        expectAnswer(from: .observer)
    }

    @MainActor @Test func eachCallOnAnActorHasItsOwnCause() async throws {
        let store = store()
        store.observe { @MainActor [weak store] lines in
            for id in 1...2 where lines.last == "asked \(id)" { store?.dispatch(action: Answered(id: id)) }
        }
        await Task.detached { store.ask(1, 2) }.value
        try await store.settledIncludingObservers()
        for id in 1...2 {
            #expect(log.received("answered \(id)").map(\.root) == log.received("asked \(id)").map(\.id))
        }
    }

    @MainActor @Test func codeThatTracksTheState() async throws {
        let store = store()
        withObservationTracking {
            _ = store.state
        } onChange: { [weak store] in
            store?.dispatch(action: Answered(id: 1))
        }
        store.ask(1)
        expectAnswer(from: .observer)
    }

    @Test func anInterceptor() {
        let store = store()
        store.intercept { [weak store] action, _, _ in
            if action is Asked { store?.dispatch(action: Answered(id: 1)) }
        }
        store.ask(1)
        expectAnswer(from: .observer)
    }

    @Test func aMiddleware() {
        let store = store()
        store.add(
            Middleware { action, store, next in
                next(action)
                if action is Asked { store.dispatch(action: Answered(id: 1)) }
            })
        store.ask(1)
        expectAnswer(from: .middleware)
    }

    @Test func anActionThatAMiddlewareSwallowsChangesNothing() {
        let store = store()
        store.add(Middleware { _, _, _ in })
        store.ask(1)
        #expect(log.lines == ["2: received asked 1 from caller", "3 < 2: handled 2"])
    }

    @Test func aMiddlewareThatContinuesLaterStillCausesTheChange() {
        let store = store()
        let executor = ManualExecutor()
        store.add(
            Middleware { action, _, next in Task(executorPreference: executor) { next(action) } })
        store.ask(1)
        executor.drain()
        #expect(log.lines == ["2: received asked 1 from caller", "3 < 2: handled 2", "4 < 2: changed"])
    }

    @Test func aReducer() {
        let store = store()
        store.register { [weak store] _, action in
            if action is Asked { store?.dispatch(action: Answered(id: 1)) }
        }
        store.ask(1)
        expectAnswer(from: .transition)
    }

    @Test func aClosureOfAnEffect() {
        let store = store()
        store.register(
            Effect(dispatch: false) { [weak store] actions in
                actions.ofType(Asked.self).handleEvents { [weak store] _ in store?.dispatch(action: Answered(id: 1)) }
                    .eraseActionType()
            })
        store.ask(1)
        expectAnswer(from: .effect)
    }

    @MainActor @Test func aClosureOfAnEffectOnAnActor() async throws {
        let store = store()
        store.register(
            Effect(dispatch: false) { [weak store] actions in
                actions.ofType(Asked.self)
                    .handleEvents { @MainActor [weak store] _ in store?.dispatch(action: Answered(id: 1)) }
                    .eraseActionType()
            })
        await Task.detached { store.ask(1) }.value
        try await store.settledIncludingObservers()
        expectAnswer(from: .effect)
    }

    @Test func anObserverOfErrors() {
        let store = store()
        store.onError { [weak store] _ in store?.dispatch(action: Answered(id: 1)) }
        store.register(
            Effect(onFailure: .stop) { actions in
                actions.ofType(Asked.self).tryMap { _ -> any Action in throw Unanswerable() }
            })
        store.ask(1)
        expectAnswer(from: .observer)
    }

    // MARK: - Stopped chains

    @Test func theActionsOfAStoppedChainAreDropped() {
        let store = store(maximumChain: 2)
        store.onError { _ in }
        store.register(
            Effect(file: "e", line: 1) { actions in
                actions.ofType(Asked.self).map { Asked(id: $0.id + 1) }.eraseActionType()
            })
        store.ask(1)
        #expect(store.state.count == 4)
        #expect(log.lines.filter { $0.contains("dropped") }.map { $0.drop { $0 != ":" } } == [": dropped asked 5"])
        #expect(log.received("asked 4").map(\.id) == log.dropped.compactMap(\.cause))
        #expect(log.dropped.map(\.root) == log.received("asked 1").map(\.id))
    }

    @Test func theActionsOfAStoppedObserverAreDropped() {
        let store = store(maximumChain: 2)
        store.onError { _ in }
        store.observe { [weak store] lines in
            if !lines.isEmpty { for _ in 0..<2 { store?.dispatch(action: Asked(id: lines.count)) } }
        }
        store.ask(0)
        #expect(store.state.count < 10)
        #expect(log.dropped.count == store.state.count + 1)
    }

    // MARK: - Lifetimes

    @Test func neitherATraceNorItsEventsKeepAStoreAlive() {
        let scheduler = VirtualScheduler()
        let log = log
        weak var weakStore: Store<[String]>?
        do {
            let store = Store(
                reducer: journal, initialState: [],
                effects: [
                    Effect { [clock = scheduler.clock] actions in
                        actions.ofType(Asked.self)
                            .flatMap { asked in
                                try await clock.sleep(for: .seconds(1))
                                return Answered(id: asked.id)
                            }
                            .eraseActionType()
                    }
                ], executor: scheduler.executor, trace: log.trace)
            weakStore = store
            store.ask(1)
            scheduler.drain()
        }
        #expect(weakStore == nil)
        scheduler.drain()
        #expect(log.faults(haveAllEnded: true) == [])
    }
}
