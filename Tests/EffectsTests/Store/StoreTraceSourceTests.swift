import Effects
import FunctionalCore
import Observation
import TestSupport
import Testing
import VirtualTime

/// What a traced store records as the sources of its actions.
@Suite(.timeLimit(.minutes(10))) struct StoreTraceSourceTests {
    private let events = TraceBuffer()

    /// The lines of the events, without the creation and without states.
    private var lines: [String] { events.lines.dropFirst().map { $0.replacing(/changed .*/, with: "changed") } }

    private func store(maximumChain: Int = 2_000_000) -> Store<[String]> {
        Store(reducer: journal, initialState: [], maximumChain: maximumChain, trace: Trace(to: events))
    }

    /// Code that answers a question, and the source of the answer.
    struct Place: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let source: TraceEvent.Source
        var isOnActor = false
        let register: @MainActor @Sendable (Store<[String]>, _ answer: @escaping @Sendable () -> Void) -> Void

        static let all = [
            Place(testDescription: "an observer", source: .observer) { store, answer in
                store.observe { if $0.count == 1 { answer() } }
            },
            Place(testDescription: "an observer of a selection", source: .observer) { store, answer in
                store.select { $0.count }.observe { if $0 == 1 { answer() } }
            },
            Place(testDescription: "an observer on an actor", source: .observer, isOnActor: true) { store, answer in
                store.observe { @MainActor lines in if lines.count == 1 { answer() } }
            },
            Place(testDescription: "code that tracks the state", source: .observer) { store, answer in
                withObservationTracking({ _ = store.state }, onChange: answer)
            },
            Place(testDescription: "an interceptor", source: .observer) { store, answer in
                store.intercept { action, _, _ in if action is Asked { answer() } }
            },
            Place(testDescription: "a middleware", source: .middleware) { store, answer in
                store.add(
                    Middleware { action, _, next in
                        next(action)
                        if action is Asked { answer() }
                    })
            },
            Place(testDescription: "a reducer", source: .transition) { store, answer in
                store.register { _, action in if action is Asked { answer() } }
            },
            Place(testDescription: "a closure of an effect", source: .effect) { store, answer in
                store.register(
                    Effect(dispatch: false) { actions in
                        actions.ofType(Asked.self).handleEvents { _ in answer() }.eraseActionType()
                    })
            },
            Place(testDescription: "a closure of an effect on an actor", source: .effect, isOnActor: true) {
                store, answer in
                store.register(
                    Effect(dispatch: false) { actions in
                        actions.ofType(Asked.self).handleEvents { @MainActor _ in answer() }.eraseActionType()
                    })
            },
            Place(testDescription: "an observer of errors", source: .observer) { store, answer in
                store.onError { _ in answer() }
                store.register(
                    Effect(onFailure: .stop) { actions in
                        actions.ofType(Asked.self).tryMap { _ -> any Action in throw Unanswerable() }
                    })
            },
        ]
    }

    @Test(arguments: Place.all) @MainActor func anAnswerHasTheSourceOfItsPlaceAndTheQuestionAsItsRoot(_ place: Place)
        async throws
    {
        let store = store()
        place.register(store) { [weak store] in store?.dispatch(action: Answered(id: 1)) }
        if place.isOnActor { await Task.detached { store.ask(1) }.value } else { store.ask(1) }
        try await store.settledIncludingObservers()
        let answers = events.kinds.filter { $0.hasPrefix("received answered 1") }
        #expect(answers == ["received answered 1 from \(place.source)"])
        #expect(events.received("answered 1")?.root == events.received("asked 1")?.id)
    }

    @MainActor @Test func eachCallOnAnActorHasItsOwnCause() async throws {
        let store = store()
        store.observe { @MainActor [weak store] lines in
            for id in 1...2 where lines.last == "asked \(id)" { store?.dispatch(action: Answered(id: id)) }
        }
        await Task.detached { store.ask(1, 2) }.value
        try await store.settledIncludingObservers()
        for id in 1...2 { #expect(events.received("answered \(id)")?.root == events.received("asked \(id)")?.id) }
    }

    @Test func anActionThatAMiddlewareSwallowsChangesNothing() {
        let store = store()
        store.add(Middleware { _, _, _ in })
        store.ask(1)
        #expect(lines == ["2: received asked 1 from caller", "3 ← 2: handled 2"])
    }

    @Test func aMiddlewareThatContinuesLaterStillCausesTheChange() {
        let store = store()
        let executor = ManualExecutor()
        store.add(Middleware { action, _, next in Task(executorPreference: executor) { next(action) } })
        store.ask(1)
        executor.drain()
        #expect(lines == ["2: received asked 1 from caller", "3 ← 2: handled 2", "4 ← 2: changed"])
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
        let dropped = events.all.filter { "\($0.kind)".hasPrefix("dropped") }
        #expect(events.kinds.filter { $0.hasPrefix("dropped") } == ["dropped asked 5, endlessChain"])
        #expect(dropped.map(\.cause) == [events.received("asked 4")?.id])
        #expect(dropped.map(\.root) == [events.received("asked 1")?.id])
    }

    @Test func theActionsOfAStoppedObserverAreDropped() {
        let store = store(maximumChain: 2)
        store.onError { _ in }
        store.observe { [weak store] lines in
            if !lines.isEmpty { for _ in 0..<2 { store?.dispatch(action: Asked(id: lines.count)) } }
        }
        store.ask(0)
        #expect(store.state.count < 10)
        #expect(events.kinds.count { $0.hasPrefix("dropped") } == store.state.count + 1)
    }

    // MARK: - Lifetimes

    @Test func neitherATraceNorItsEventsKeepAStoreAlive() {
        let scheduler = VirtualScheduler()
        weak var weakStore: Store<[String]>?
        do {
            let store = Store(
                reducer: journal, initialState: [],
                effects: [
                    Effect { [clock = scheduler.clock] actions in
                        actions.ofType(Asked.self).flatMap { asked in
                            try await clock.sleep(for: .seconds(1))
                            return Answered(id: asked.id)
                        }.eraseActionType()
                    }
                ], executor: scheduler.executor, trace: Trace(to: events))
            weakStore = store
            store.ask(1)
            scheduler.drain()
        }
        #expect(weakStore == nil)
        scheduler.drain()
        #expect(events.faults(haveAllEnded: true) == [])
    }
}
