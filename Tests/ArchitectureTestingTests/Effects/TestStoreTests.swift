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

    @Test("72. Where all that happens was said, nothing is wrong")
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

    @Test("72. What is received is given to the effects in turn")
    func chains() {
        let store = store(answering)
        store.dispatch(GetPost(id: "1")) { $0.isLoading = true }
        store.receive(GotPost(title: "post 1")) { $0 = Posts(title: "post 1") }
        store.receive(Shown())
        store.finish()
    }

    @Test("72. Another state than was said is an issue with what differs, where the action was dispatched")
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

    @Test("72. An action that is not received is an issue, when others are dispatched and at the end")
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

    @Test("72. Another action than was said is an issue, and so is another order")
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

    @Test("72. Actions are compared by their equality, and where they have none by their looks")
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

    @Test("72. That no action came is an issue")
    func nothingCame() {
        let store = store()
        let (texts, _) = issues { store.receive(Shown()) }
        #expect(texts == ["No action waits to be received (− expected, + got)\n− - ArchitectureTestingTests.Shown"])
    }

    @Test("72. An effect that has something under way at the end is an issue that names it")
    func underWay() {
        let store = store(fetching(scheduler.clock))
        store.dispatch(GetPost()) { $0.isLoading = true }
        let (texts, _) = issues { store.finish() }
        #expect(texts.count == 1)
        #expect(texts.first?.hasPrefix("The effect of ArchitectureTestingTests/Posts.swift:") == true)
        #expect(texts.first?.hasSuffix("has work under way. To fix, advance the time, or cancel it.") == true)
    }

    @Test("72. What waits for its turn by a policy is under way, too")
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

    @Test("72. A stream that goes on for ever is left open until its registration is cancelled")
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

    @Test("72. A failure of an effect is an issue at the end")
    func failing() {
        let store = store(.map(GetPost.self) { _ -> Shown in throw Unreachable() })
        store.dispatch(GetPost()) { $0.isLoading = true }
        let (texts, _) = issues { store.finish() }
        #expect(texts.count == 1)
        #expect(texts.first?.hasSuffix("failed: Unreachable()") == true)
    }

    @Test("72. What is left when the store goes away is an issue where it was made")
    func goingAway() {
        let line = #line + 2
        let (texts, lines) = issues {
            let store = TestStore(reducer: posts, initialState: Posts(), effects: [answering])
            store.dispatch(GetPost()) { $0.isLoading = true }
        }
        #expect(texts.map { $0.prefix(25) } == ["Actions were not received"])
        #expect(lines == [line])
    }
}
