import ArchitectureTesting
import Effects
import TestSupport
import Testing
import VirtualTime

@Suite(.timeLimit(.minutes(10))) struct TestStoreTests {
    private let scheduler = VirtualScheduler()

    private func store(_ effects: Effect<Void>...) -> TestStore<Posts> {
        TestStore(reducer: posts, initialState: Posts(), effects: effects, scheduler: scheduler)
    }

    @Test("72. A test that states every action and change records no issue")
    func everythingIsSaid() {
        let store = store(fetching(scheduler.clock), .run(on: GotPost.self) { _ in })
        store.dispatch(GetPost(id: "5")) { $0.isLoading = true }
        store.advance(by: .seconds(1))
        store.receive(GotPost(title: "post 5")) {
            $0.isLoading = false
            $0.title = "post 5"
        }
        store.finish()
    }

    @Test("72. A received action is passed to the effects")
    func chains() {
        let store = store(answering)
        store.dispatch(GetPost(id: "1")) { $0.isLoading = true }
        store.receive(GotPost(title: "post 1")) { $0 = Posts(title: "post 1") }
        store.receive(Shown())
        store.finish()
    }

    @Test("72. An unexpected state records an issue with the difference at the dispatch's line")
    func anotherState() {
        let store = store()
        let line = #line + 2
        let (texts, lines) = issues {
            store.dispatch(GetPost())
        }
        #expect(
            texts == [
                """
                The state differs (− expected, + got)
                  ▿ ArchitectureTestingTests.Posts
                −   - isLoading: false
                +   - isLoading: true
                    - title: nil
                """
            ])
        #expect(lines == [line])
        #expect(store.state == Posts(isLoading: true))
    }

    @Test("72. An unreceived action records an issue at the next dispatch and at the end")
    func notReceived() {
        let store = store(answering)
        store.dispatch(GetPost()) { $0.isLoading = true }
        let (texts, _) = issues {
            store.dispatch(Shown())
            store.finish()
        }
        let waiting = "\n+ ▿ ArchitectureTestingTests.GotPost\n+   - title: \"post 1\""
        #expect(
            texts == [
                "An action was dispatched before others were received (− expected, + got)" + waiting,
                "Actions were not received (− expected, + got)" + waiting,
            ])
    }

    @Test("72. Each action that is received out of order records an issue")
    func anotherAction() {
        let both = Effect { actions in
            actions.ofType(GetPost.self)
                .flatMap { _ in .sequence([GotPost(title: "a"), Shown()] as [any Action]) }
        }
        let store = store(both)
        store.dispatch(GetPost()) { $0.isLoading = true }
        let (texts, _) = issues {
            store.receive(Shown()) { $0 = Posts(title: "a") }
            store.receive(GotPost(title: "a"))
        }
        #expect(texts.map { $0.prefix(27) } == ["Received a different action", "Received a different action"])
        store.finish()
    }

    @Test("72. Actions are compared by equality, or by their dumps if they are not Equatable")
    func comparing() {
        let store = store(
            Effect { actions in
                actions.ofType(Shown.self).flatMap { _ in
                    .sequence([GetPost(id: "1"), GotPost(title: "a")] as [any Action])
                }
            })
        store.dispatch(Shown())
        let (texts, _) = issues {
            store.receive(GetPost(id: "2")) { $0.isLoading = true }
            store.receive(GotPost(title: "b")) { $0 = Posts(title: "a") }
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
        let store = store(
            Effect { actions in actions.ofType(Shown.self).flatMap { _ in ActionStream<any Action>.just(answer) } })
        store.dispatch(Shown())
        let (texts, _) = issues { store.receive(other()) }
        #expect(texts.map { $0.prefix(25) } == ["Received a different acti"])
        store.finish()
    }

    @Test("72. Receiving an action that no effect has sent records an issue")
    func nothingCame() {
        let store = store()
        let (texts, _) = issues { store.receive(Shown()) }
        #expect(texts == ["No action waits to be received (− expected, + got)\n− - ArchitectureTestingTests.Shown"])
    }

    @Test("72. An effect with work under way at the end records an issue that names it")
    func underWay() {
        let store = store(fetching(scheduler.clock))
        store.dispatch(GetPost()) { $0.isLoading = true }
        let (texts, _) = issues { store.finish() }
        #expect(texts.count == 1)
        #expect(texts.first?.hasPrefix("The effect of ArchitectureTestingTests/Posts.swift:") == true)
        #expect(texts.first?.hasSuffix("has work under way. To fix, advance the time, or cancel it.") == true)
    }

    @Test("72. A debounced action counts as work under way")
    func waitingByPolicy() {
        let debounced = Effect { [clock = scheduler.clock] actions in
            actions.ofType(GetPost.self).debounce(for: .seconds(1), clock: clock).map { _ in Shown() }
                .eraseActionType()
        }
        let store = store(debounced)
        store.dispatch(GetPost()) { $0.isLoading = true }
        let (texts, _) = issues { store.finish() }
        #expect(texts.count == 1)
        store.advance(by: .seconds(1))
        store.receive(Shown())
        store.finish()
    }

    @Test("72. An endless stream records an issue at the end unless its registration is cancelled")
    func endless() {
        let store = store()
        let ticking = store.register(
            Effect { [clock = scheduler.clock] _ in
                ActionStream {
                    AsyncStream {
                        try? await clock.sleep(for: .seconds(1))
                        return Task.isCancelled ? nil : Shown()
                    }
                }.flatMap { ActionStream(of: { [stream = $0] in stream }) }.eraseActionType()
            })
        store.advance(by: .seconds(2))
        store.receive(Shown())
        store.receive(Shown())
        let (texts, _) = issues { store.finish() }
        #expect(texts.count == 1)
        ticking.cancel()
        store.finish()
    }

    @Test("72. A failure of an effect records an issue at the end")
    func failing() {
        let store = store(.map(GetPost.self) { _ -> Shown in throw Unreachable() })
        store.dispatch(GetPost()) { $0.isLoading = true }
        let (texts, _) = issues { store.finish() }
        #expect(texts.count == 1)
        #expect(texts.first?.hasSuffix("failed: Unreachable()") == true)
    }

    @Test("72. Releasing a store with unreceived actions records an issue where it was created")
    func goingAway() {
        let line = #line + 2
        let (texts, lines) = issues {
            let store = TestStore(reducer: posts, initialState: Posts(), effects: [answering])
            store.dispatch(GetPost()) { $0.isLoading = true }
        }
        #expect(texts.map { $0.prefix(25) } == ["Actions were not received"])
        #expect(lines == [line])
    }

    @Test("Middleware receives the test's actions, and those of effects when the test receives them")
    func middleware() {
        let passed = Record<String>()
        let store = TestStore(
            reducer: posts, initialState: Posts(), effects: [answering],
            middleware: [
                Middleware { action, _, next in
                    passed.append("\(type(of: action))")
                    next(action)
                },
                Middleware { action, store, next in
                    if action is GetPost, store.state.title != nil { return }
                    next(action)
                },
            ],
            scheduler: scheduler)
        store.dispatch(GetPost(id: "1")) { $0.isLoading = true }
        #expect(passed.values == ["GetPost"])
        store.receive(GotPost(title: "post 1")) { $0 = Posts(title: "post 1") }
        store.receive(Shown())
        store.dispatch(GetPost(id: "2"))
        store.finish()
        #expect(passed.values == ["GetPost", "GotPost", "Shown", "GetPost"])
    }

    @Test("An action that a middleware dispatches changes the state with the action that the middleware received")
    func dispatchingMiddleware() {
        let store = TestStore(
            reducer: posts, initialState: Posts(),
            middleware: [
                Middleware { action, store, next in
                    next(action)
                    if action is GetPost { store.dispatch(action: GotPost(title: "cached")) }
                }
            ],
            scheduler: scheduler)
        store.dispatch(GetPost()) { $0 = Posts(title: "cached") }
        store.finish()
    }
}
