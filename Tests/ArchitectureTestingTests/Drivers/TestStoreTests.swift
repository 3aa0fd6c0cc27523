import ArchitectureTesting
import Effects
import FunctionalCore
import Optics
import TestSupport
import Testing
import VirtualTime

@Suite(.timeLimit(.minutes(10))) struct TestStoreTests {
    private let time = VirtualScheduler()

    private func store(_ effects: Effect<Void>...) -> TestStore<Posts> {
        TestStore(reducer: posts, state: Posts(), effects: effects, time: time)
    }

    private func store(_ middleware: Middleware<Posts>...) -> TestStore<Posts> {
        TestStore(reducer: posts, state: Posts(), effects: [answering], middleware: middleware, time: time)
    }

    @Test("72. A test that states every action and change records no issue")
    func everythingIsStated() {
        let test = store(fetching(time.clock), .run(on: GotPost.self) { _ in })
        let sent = test.send(GetPost(id: "5")) { $0.isLoading = true }
        test.expectWork(sent, .sleeping(until: .seconds(1)))
        test.advance(by: .seconds(1))
        test.receive(GotPost(title: "post 5")) { $0 = Posts(title: "post 5") }
        test.expectWork(sent)
        #expect(test.state == Posts(title: "post 5"))
        test.finish()
    }

    @Test("72. A received action is passed to the effects")
    func chains() {
        let test = store(answering)
        test.send(GetPost(id: "1")) { $0.isLoading = true }
        test.receive(GotPost(title: "post 1")) { $0 = Posts(title: "post 1") }
        test.receive(Shown())
        test.finish()
    }

    @Test("72. A test states each action with its own change, also if the store is in a later state")
    func laterStates() {
        let test = store(answering)
        test.send(GetPost(id: "1")) { $0.isLoading = true }
        #expect(test.state == Posts(isLoading: true))
        #expect(test.store.state == Posts(title: "post 1"))
        test.receive(GotPost(title: "post 1")) { $0 = Posts(title: "post 1") }
        test.receive(Shown())
    }

    // MARK: - Receiving

    @Test("72. An action is received by its type, by a prism or by a predicate, and returned")
    func kindsOfReceiving() {
        let test = store(answering)
        test.send(GetPost(id: "1")) { $0.isLoading = true }
        let got = test.receive(GotPost.self) { $0 = Posts(title: "post 1") }
        #expect(got?.title == "post 1")
        #expect(test.receive(where: { $0 is Shown }) is Shown)
        let paging = store(
            Effect { actions in actions.ofType(Shown.self).map { _ in Page.opened(7) }.eraseActionType() })
        paging.send(Shown())
        #expect(paging.receive(Prism(case: Page.opened)) == 7)
    }

    private enum Page: Action {
        case opened(Int)
        case closed
    }

    @Test("72. A received action of another type, part or kind records an issue, and counts as received")
    func otherKinds() {
        func text<Result>(_ receive: (TestStore<Posts>) -> Result?) -> String? {
            let test = store(
                Effect { actions in actions.ofType(GetPost.self).map { _ in Page.closed }.eraseActionType() })
            test.send(GetPost()) { $0.isLoading = true }
            let texts = issues { #expect(receive(test) == nil) }.texts
            return texts.first
        }
        let got = "\n+ - ArchitectureTestingTests.TestStoreTests.Page.closed"
        let begin = "Received a different action (− expected, + got)\n− one "
        let end = "\nTo fix, receive the action that came, or correct the code that sends it."
        let ofType = text { $0.receive(GotPost.self) }
        #expect(ofType == begin + "of the type GotPost" + got + end)
        let matched = text { $0.receive(Prism(case: Page.opened)) }
        #expect(matched == begin + "that the prism matches" + got + end)
        let satisfying = text { $0.receive(where: { $0 is Shown }) }
        #expect(satisfying == begin + "that satisfies the predicate" + got + end)
    }

    @Test("72. Actions are compared by equality, or by their dumps if they are not Equatable")
    func comparing() {
        let test = store(
            Effect { actions in
                actions.ofType(Shown.self).flatMap { _ in
                    .sequence([GetPost(id: "1"), GotPost(title: "a")] as [any Action])
                }
            })
        test.send(Shown())
        let (texts, _) = issues {
            test.receive(GetPost(id: "2")) { $0.isLoading = true }
            test.receive(GotPost(title: "b")) { $0 = Posts(title: "a") }
        }
        #expect(texts.count == 2)
        #expect(texts.first?.contains("−   - id: \"2\"\n+   - id: \"1\"") == true)
        #expect(texts.last?.contains("−   - title: \"b\"\n+   - title: \"a\"") == true)
    }

    @Test("72. Actions of two types differ even if their dumps are the same")
    func lookingAlike() {
        func one() -> any Action {
            struct Alike: Action {}
            return Alike()
        }
        func other() -> any Action {
            struct Alike: Action {}
            return Alike()
        }
        let answer = one()
        let test = store(
            Effect { actions in actions.ofType(Shown.self).flatMap { _ in ActionStream<any Action>.just(answer) } })
        test.send(Shown())
        let (texts, _) = issues { test.receive(other()) }
        #expect(texts.map { $0.prefix(25) } == ["Received a different acti"])
        test.finish()
    }

    @Test("72. The work of a received action is stated with the result of receive")
    func workOfAReceivedAction() {
        let test = store(
            fetching(time.clock),
            Effect { actions in actions.ofType(Shown.self).map { _ in GetPost(id: "2") }.eraseActionType() })
        let shown = test.send(Shown())
        let received = test.receive(GetPost(id: "2")) { $0.isLoading = true }
        test.expectWork(received, .sleeping(until: .seconds(1)))
        test.expectWork(shown, .sleeping(until: .seconds(1)))
        test.advance(by: .seconds(1))
        test.receive(GotPost.self) { $0 = Posts(title: "post 2") }
        test.finish()
    }

    // MARK: - Middleware and observers

    @Test("Middleware receives each action, and the change is that of what it passes on")
    func middleware() {
        let passed = Record<String>()
        let test = store(
            Middleware { action, _, next in
                passed.append("\(type(of: action))")
                next(action)
            },
            Middleware { action, store, next in
                if action is GetPost, store.state.title != nil { return }
                next(action)
            },
            Middleware { action, _, next in
                next(action is GotPost ? GotPost(title: "replaced") : action)
            })
        test.send(GetPost(id: "1")) { $0.isLoading = true }
        test.receive(GotPost(title: "post 1")) { $0 = Posts(title: "replaced") }
        test.receive(Shown())
        // Swallowed.
        test.send(GetPost(id: "2"))
        test.finish()
        #expect(passed.values == ["GetPost", "GotPost", "Shown", "GetPost"])
    }

    @Test("An action that a middleware dispatches is received after the action that the middleware received")
    func dispatchingMiddleware() {
        let test = TestStore(
            reducer: posts, state: Posts(),
            middleware: [
                Middleware { action, store, next in
                    next(action)
                    if action is GetPost { store.dispatch(action: GotPost(title: "cached")) }
                }
            ],
            time: time)
        test.send(GetPost()) { $0.isLoading = true }
        test.receive(GotPost(title: "cached")) { $0 = Posts(title: "cached") }
        test.finish()
    }

    @Test("The change of an action that a middleware passes on later is stated with change(from:)")
    func laterMiddleware() {
        let test = TestStore(
            reducer: posts, state: Posts(),
            middleware: [
                Middleware { [time] action, _, next in
                    _ = time.start {
                        try? await time.clock.sleep(for: .seconds(1))
                        next(action)
                    }
                }
            ],
            time: time)
        let sent = test.send(GetPost())
        test.advance(by: .seconds(1))
        test.change(from: sent) { $0.isLoading = true }
        test.finish()
    }

    @Test("An action of an observer is received")
    func observers() {
        let test = store(fetching(time.clock))
        test.store.select(\.title).observe { [weak store = test.store] title in
            if title != nil { store?.dispatch(action: Shown()) }
        }
        test.send(GotPost(title: "a")) { $0.title = "a" }
        test.receive(Shown())
        test.finish()
    }

    // MARK: - Effects

    @Test("The actions of a sequence that is dispatched are received")
    func actionsOfASequence() {
        let test = store(answering)
        test.store.dispatch(actionsOf: { [time] in
            AsyncStream<GetPost> {
                try? await time.clock.sleep(for: .seconds(1))
                return time.clock.now.offset > .seconds(2) ? nil : GetPost(id: "\(time.clock.now.offset)")
            }
        })
        test.advance(by: .seconds(1))
        test.receive(GetPost(id: "1.0 seconds")) { $0.isLoading = true }
        test.receive(GotPost.self) { $0 = Posts(title: "post 1.0 seconds") }
        test.receive(Shown())
        test.advance(by: .seconds(2))
        test.receive(GetPost(id: "2.0 seconds")) { $0.isLoading = true }
        test.receive(GotPost.self) { $0 = Posts(title: "post 2.0 seconds") }
        test.receive(Shown())
        test.finish()
    }

    @Test("An effect uses the recorded functions of an environment, and reads the state")
    func environments() {
        let calls = Recorder()
        struct API: Sendable {
            var load: @Sendable (String) async throws -> String
            var title: @Sendable () -> String?
        }
        let load = calls.stub("load") { (id: String) async throws -> String in "post \(id)" }
        let loading = Effect<API> { actions, api in
            actions.ofType(GetPost.self)
                .flatMap { get in GotPost(title: try await api.load(get.id + (api.title() ?? ""))) }.eraseActionType()
        }
        let test = TestStore(state: Posts(title: "!"), time: time, calls: calls) { setup in
            Store(
                reducer: posts, initialState: Posts(title: "!"),
                environment: { state in API(load: load, title: { state().title }) }, effects: [loading],
                executor: setup.executor, trace: setup.trace)
        }
        test.send(GetPost(id: "1")) { $0.isLoading = true }
        test.expectCall("load", "1!")
        test.receive(GotPost(title: "post 1!")) { $0 = Posts(title: "post 1!") }
        test.finish()
        let constant = TestStore(
            reducer: posts, state: Posts(), environment: API(load: load, title: { nil }), effects: [loading],
            time: time, calls: calls)
        constant.send(GetPost(id: "2")) { $0.isLoading = true }
        constant.expectCall("load", "2")
        constant.receive(GotPost(title: "post 2")) { $0 = Posts(title: "post 2") }
        constant.finish()
    }

    @Test(
        "Answers of equal time are received in the order in which they were requested", arguments: [Policy.concurrent])
    func simultaneousAnswers(policy: Policy) {
        let test = store(fetching(time.clock, policy))
        let first = test.send(GetPost(id: "1")) { $0.isLoading = true }
        let second = test.send(GetPost(id: "2"))
        test.expectWork(first, .sleeping(until: .seconds(1)))
        test.expectWork(second, .sleeping(until: .seconds(1)))
        test.advance(by: .seconds(1))
        test.receive(GotPost(title: "post 1")) { $0 = Posts(title: "post 1") }
        test.receive(GotPost(title: "post 2")) { $0 = Posts(title: "post 2") }
        test.finish()
    }

    @Test("Under latest, a replaced request is no longer under way")
    func latest() {
        let test = store(fetching(time.clock, .latest))
        let first = test.send(GetPost(id: "1")) { $0.isLoading = true }
        test.advance(by: .seconds(0.5))
        let second = test.send(GetPost(id: "2"))
        test.expectWork(first)
        test.expectWork(second, .sleeping(until: .seconds(1.5)))
        test.advance(by: .seconds(1))
        test.receive(GotPost(title: "post 2")) { $0 = Posts(title: "post 2") }
        test.finish()
    }

    @Test("Under queued, a later request waits")
    func queued() {
        let test = store(fetching(time.clock, .queued))
        let first = test.send(GetPost(id: "1")) { $0.isLoading = true }
        let second = test.send(GetPost(id: "2"))
        test.expectWork(first, .sleeping(until: .seconds(1)))
        test.expectWork(second, .waiting)
        test.advance(by: .seconds(1))
        test.receive(GotPost(title: "post 1")) { $0 = Posts(title: "post 1") }
        test.expectWork(second, .sleeping(until: .seconds(2)))
        test.advance(by: .seconds(1))
        test.receive(GotPost(title: "post 2")) { $0 = Posts(title: "post 2") }
        test.finish()
    }

    @Test("Under first, a request that is dropped does nothing")
    func first() {
        let test = store(fetching(time.clock, .first))
        test.send(GetPost(id: "1")) { $0.isLoading = true }
        let second = test.send(GetPost(id: "2"))
        test.expectWork(second)
        test.advance(by: .seconds(1))
        test.receive(GotPost(title: "post 1")) { $0 = Posts(title: "post 1") }
        test.finish()
    }

    @Test("A debounced action is work that sleeps, and a newer action replaces it")
    func debounced() {
        let test = store(debouncing(time.clock))
        let first = test.send(GetPost(id: "1")) { $0.isLoading = true }
        test.expectWork(first, .sleeping(until: .seconds(1)))
        test.advance(by: .seconds(0.5))
        let second = test.send(GetPost(id: "2"))
        test.expectWork(first)
        test.expectWork(second, .sleeping(until: .seconds(1.5)))
        test.advance(by: .seconds(1))
        test.receive(Shown())
        test.expectWork(second)
        test.finish()
    }

    @Test("Throttled and delayed actions are work that sleeps")
    func throttledAndDelayed() {
        let throttled = store(
            Effect { [time] actions in
                actions.ofType(GetPost.self).throttle(for: .seconds(1), latest: true, clock: time.clock)
                    .map { _ in Shown() }.eraseActionType()
            })
        throttled.send(GetPost()) { $0.isLoading = true }
        throttled.receive(Shown())
        let second = throttled.send(GetPost())
        throttled.expectWork(second, .sleeping(until: .seconds(1)))
        throttled.advance(by: .seconds(1))
        throttled.receive(Shown())
        throttled.finish()
        let delayed = store(
            Effect { [time] actions in
                actions.ofType(GetPost.self).delay(for: .seconds(1), clock: time.clock).map { _ in Shown() }
                    .eraseActionType()
            })
        let sent = delayed.send(GetPost()) { $0.isLoading = true }
        delayed.expectWork(sent, .sleeping(until: .seconds(2)))
        delayed.advance(by: .seconds(1))
        delayed.receive(Shown())
        delayed.finish()
    }

    // MARK: - Failures

    @Test("A failure of an effect is stated with its type, and the effect restarts")
    func expectedFailures() {
        let test = store(failing(at: "bad"))
        test.send(GetPost(id: "bad")) { $0.isLoading = true }
        let failure: Unreachable? = test.expectFailure()
        #expect(failure == Unreachable())
        test.send(GetPost(id: "1"))
        test.receive(GotPost(title: "1")) { $0 = Posts(title: "1") }
        test.finish()
    }

    @Test("A failure that an effect handles is none")
    func handledFailures() {
        let test = store(
            Effect { actions in
                actions.ofType(GetPost.self)
                    .flatMap { _ in
                        ActionStream<any Action> { throw Unreachable() }.replaceError(with: Shown())
                    }
            })
        test.send(GetPost()) { $0.isLoading = true }
        test.receive(Shown())
        test.finish()
    }

    @Test("An endless chain of actions is a failure of the type RunawayEffect")
    func runaway() {
        let test = TestStore(state: Posts(), time: time) { setup in
            Store(
                reducer: posts, initialState: Posts(),
                effects: [Effect { actions in actions.ofType(Shown.self).map { _ in Shown() }.eraseActionType() }],
                executor: setup.executor, maximumChain: 2, trace: setup.trace)
        }
        test.send(Shown())
        for _ in 1...3 { test.receive(Shown()) }
        test.expectFailure(RunawayEffect.self)
        test.finish()
    }
}

/// Shows each post that was requested, a second after the last request.
private func debouncing(_ clock: VirtualClock) -> Effect<Void> {
    Effect { actions in
        actions.ofType(GetPost.self).debounce(for: .seconds(1), clock: clock).map { _ in Shown() }.eraseActionType()
    }
}

/// Answers each `GetPost` a second later.
private func fetching(_ clock: VirtualClock, _ policy: Policy) -> Effect<Void> {
    Effect { actions in
        actions.ofType(GetPost.self)
            .flatMap(policy) { get in
                try await clock.sleep(for: .seconds(1))
                return GotPost(title: "post \(get.id)")
            }
            .eraseActionType()
    }
}

/// Answers each `GetPost` at once, and fails at one of them.
private func failing(at id: String) -> Effect<Void> {
    Effect.map(GetPost.self) { get in
        if get.id == id { throw Unreachable() }
        return GotPost(title: get.id)
    }
}
