import ArchitectureTesting
import Effects
import FunctionalCore
import Optics
import TestSupport
import Testing
import VirtualTime

/// What only a driver of a store does: it receives actions of several types, from middleware and effects.
@Suite(.timeLimit(.minutes(10))) struct TestStoreTests {
    private let time = VirtualScheduler()

    private func store(_ effects: Effect<Void>...) -> TestStore<Posts> {
        TestStore(reducer: posts, state: Posts(), effects: effects, time: time)
    }

    private func store(_ middleware: Middleware<Posts>..., effects: [Effect<Void>] = [answering]) -> TestStore<Posts> {
        TestStore(reducer: posts, state: Posts(), effects: effects, middleware: middleware, time: time)
    }

    /// An effect that answers each `Shown` with these actions.
    private func answeringShown(_ answers: any Action...) -> Effect<Void> {
        Effect { actions in actions.ofType(Shown.self).flatMap { _ in .sequence(answers) } }
    }

    /// An effect of what a stream of requests becomes, which shows each.
    private func showing<Output>(
        _ policy: FailurePolicy = .restart(atMost: 1, after: .forever),
        _ change: @escaping @Sendable (ActionStream<GetPost>) -> ActionStream<Output>
    ) -> Effect<Void> {
        Effect(onFailure: policy, file: "SHOWING", line: 1) { actions in
            change(actions.ofType(GetPost.self)).map { _ in Shown() }.eraseActionType()
        }
    }

    // MARK: - Receiving

    private enum Page: Action {
        case opened(Int)
        case closed
    }

    @Test("72. An action is received by its type, by a prism or by a predicate, and passed to the effects")
    func kindsOfReceiving() {
        let test = store(answering, answeringShown(Page.opened(7)))
        test.send(GetPost(id: "1")) { $0.isLoading = true }
        #expect(test.state == Posts(isLoading: true))
        // The store is in a later state.
        #expect(test.store.state == Posts(title: "post 1"))
        let got = test.receive(GotPost.self) { $0 = Posts(title: "post 1") }
        #expect(got?.title == "post 1")
        #expect(test.receive(where: { $0 is Shown }) is Shown)
        #expect(test.receive(Prism(case: Page.opened)) == 7)
        test.finish()
    }

    @Test("72. An action of a type, part or kind that does not come is reported, and another one counts as received")
    func otherKinds() {
        let test = store(answeringShown(Page.closed, Page.closed, Page.closed))
        test.send(Shown())
        func text(_ expected: String) -> String {
            """
            Received a different action (− expected, + got)
            − one \(expected)
            + - ArchitectureTestingTests.TestStoreTests.Page.closed
            To fix, receive the action that came, or correct the code that sends it.
            """
        }
        on { #expect(test.receive(GotPost.self) == nil) }.are(text("of the type GotPost"))
        on { #expect(test.receive(Prism(case: Page.opened)) == nil) }.are(text("that the prism matches"))
        on { #expect(test.receive(where: { $0 is Shown }) == nil) }.are(text("that satisfies the predicate"))
        func missing(_ expected: String) -> String {
            """
            No action came. Expected: one \(expected)
            No work is under way.
            To fix, let the code under test send it before, or remove the expectation.
            """
        }
        on { #expect(test.receive(GotPost.self) == nil) }.are(missing("of the type GotPost"))
        on { #expect(test.receive(Prism(case: Page.opened)) == nil) }.are(missing("that the prism matches"))
        on { #expect(test.receive(where: { $0 is Shown }) == nil) }.are(missing("that satisfies the predicate"))
        test.finish()
    }

    @Test("72. Actions are compared by equality, or by their types and their dumps if they are not Equatable")
    func comparing() {
        func one() -> any Action {
            struct Alike: Action {}
            return Alike()
        }
        func other() -> any Action {
            struct Alike: Action {}
            return Alike()
        }
        let test = store(answeringShown(GetPost(id: "1"), GotPost(title: "a"), one(), one()))
        test.send(Shown())
        func text(_ type: String, _ label: String, _ expected: String, _ got: String) -> String {
            """
            Received a different action (− expected, + got)
              ▿ ArchitectureTestingTests.\(type)
            −   - \(label): "\(expected)"
            +   - \(label): "\(got)"
            To fix, receive the action that came, or correct the code that sends it.
            """
        }
        on { test.receive(GetPost(id: "2")) { $0.isLoading = true } }.are(text("GetPost", "id", "2", "1"))
        on { test.receive(GotPost(title: "b")) { $0 = Posts(title: "a") } }.are(text("GotPost", "title", "b", "a"))
        test.receive(one())
        #expect(reported { test.receive(other()) }.map { $0.text.prefix(25) } == ["Received a different acti"])
        test.finish()
    }

    // MARK: - Middleware

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

    @Test("An action that a middleware dispatches is received, and one that it passes on later is a change")
    func dispatchingMiddleware() {
        let test = store(
            Middleware { [time] action, store, next in
                guard action is GetPost else { return next(action) }
                _ = time.start {
                    try? await time.clock.sleep(for: .seconds(1))
                    next(action)
                }
                store.dispatch(action: GotPost(title: "cached"))
            }, effects: [])
        let sent = test.send(GetPost())
        test.receive(GotPost(title: "cached")) { $0 = Posts(title: "cached") }
        test.advance(by: .seconds(1))
        test.change(from: sent) { $0.isLoading = true }
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
        for second in 1...2 {
            test.advance(by: .seconds(second))
            test.receive(GetPost(id: "\(second).0 seconds")) { $0.isLoading = true }
            test.receive(GotPost.self) { $0 = Posts(title: "post \(second).0 seconds") }
            test.receive(Shown())
        }
        test.finish()
    }

    private struct API: Sendable {
        var load: @Sendable (String) async throws -> String
        var title: @Sendable () -> String?
    }

    @Test("An effect uses the recorded functions of an environment, and reads the state")
    func environments() {
        let calls = Recorder()
        let load = calls.stub("load") { (id: String) async throws -> String in "post \(id)" }
        let loading = Effect<API> { actions, api in
            actions.ofType(GetPost.self)
                .flatMap { get in GotPost(title: try await api.load(get.id + (api.title() ?? ""))) }.eraseActionType()
        }
        let reading = TestStore(state: Posts(title: "!"), time: time, calls: calls) { setup in
            Store(
                reducer: posts, initialState: Posts(title: "!"),
                environment: { state in API(load: load, title: { state().title }) }, effects: [loading],
                executor: setup.executor, trace: setup.trace)
        }
        let constant = TestStore(
            reducer: posts, state: Posts(title: "!"), environment: API(load: load, title: { "?" }), effects: [loading],
            time: time, calls: calls)
        for (test, id) in [(reading, "1!"), (constant, "1?")] {
            test.send(GetPost(id: "1")) { $0.isLoading = true }
            test.expectCall("load", id)
            test.receive(GotPost(title: "post \(id)")) { $0 = Posts(title: "post \(id)") }
            test.finish()
        }
    }

    @Test("Under first, a request that is dropped does nothing")
    func first() {
        let clock = time.clock
        let test = store(showing { $0.flatMap(.first) { _ in try await clock.sleep(for: .seconds(1)) } })
        test.send(GetPost(id: "1")) { $0.isLoading = true }
        let second = test.send(GetPost(id: "2"))
        test.expectWork(second)
        test.advance(by: .seconds(1))
        test.receive(Shown())
        test.finish()
    }

    @Test("Throttled and delayed actions are work that sleeps")
    func throttledAndDelayed() {
        let clock = time.clock
        let throttled = store(showing { $0.throttle(for: .seconds(1), latest: true, clock: clock) })
        throttled.send(GetPost()) { $0.isLoading = true }
        throttled.receive(Shown())
        let delayed = store(showing { $0.delay(for: .seconds(1), clock: clock) })
        let throttling = throttled.send(GetPost())
        let delaying = delayed.send(GetPost()) { $0.isLoading = true }
        throttled.expectWork(throttling, .sleeping(until: .seconds(1)))
        delayed.expectWork(delaying, .sleeping(until: .seconds(1)))
        throttled.advance(by: .seconds(1))
        throttled.receive(Shown())
        delayed.receive(Shown())
        throttled.finish()
        delayed.finish()
    }

    @Test("72. An endless stream is reported at the line that registered it unless its registration is cancelled")
    func endless() {
        let test = store()
        let ticks = Effect<Void>(file: "TICKS", line: 1) { [clock = time.clock] _ in
            ActionStream(of: {
                AsyncStream {
                    try? await clock.sleep(for: .seconds(1))
                    return Task.isCancelled ? nil : Shown()
                }
            }).eraseActionType()
        }
        let line = #line + 1
        let ticking = test.register(ticks)
        test.advance(by: .seconds(2))
        for _ in 1...2 { test.receive(Shown()) }
        on { test.finish() }.are(
            """
            Work is under way at the end of the test: the sequence of TICKS:1 sleeps until 3.0 s, now 2.0 s. To fix, \
            advance(by: .seconds(1)), cancel it, or relax .work.
            """, at: line)
        ticking.cancel()
        test.finish()
    }

    // MARK: - Failures

    @Test("72. A failure without a task is reported at the line of the send, and one that an effect handles is none")
    func failures() {
        let failing = store(showing { $0.tryMap { _ -> Shown in throw Unreachable() } })
        let line = #line + 1
        failing.send(GetPost()) { $0.isLoading = true }
        on { failing.finish() }.are(
            "The effect SHOWING:1 has failed: Unreachable(). To fix, state it with expectFailure, or relax .work.",
            at: line)
        let handling = store(
            showing { gets in
                gets.flatMap { _ in ActionStream<Shown> { throw Unreachable() }.replaceError(with: Shown()) }
            })
        handling.send(GetPost()) { $0.isLoading = true }
        handling.receive(Shown())
        handling.finish()
    }

    @Test("An effect restarts after a failure that is stated, and a pause on the clock of the driver")
    func restarting() {
        let policy = FailurePolicy.restart(atMost: 1, clock: time.clock)
        let test = store(showing(policy) { $0.tryMap { if $0.id == "bad" { throw Unreachable() } else { Shown() } } })
        test.send(GetPost(id: "bad")) { $0.isLoading = true }
        test.expectFailure(Unreachable.self)
        test.advance(by: .milliseconds(100))
        test.send(GetPost(id: "1"))
        test.receive(Shown())
        test.finish()
    }

    @Test("An effect of map continues after a failure that is stated")
    func continuing() {
        let test = store(
            .map(GetPost.self) { get in
                if get.id == "bad" { throw Unreachable() }
                return GotPost(title: get.id)
            })
        test.send(GetPost(id: "bad")) { $0.isLoading = true }
        test.expectFailure(Unreachable.self)
        test.send(GetPost(id: "1"))
        test.receive(GotPost(title: "1")) { $0 = Posts(title: "1") }
        test.finish()
        let line = #line + 1
        test.send(GetPost(id: "bad")) { $0.isLoading = true }
        on { test.finish() }.are(
            "Work has failed: Unreachable(). To fix, state it with expectFailure, or relax .work.", at: line)
    }

    // MARK: - The store

    @Test("A store without the trace or the executor of the driver is reported where the driver is created")
    func setup() {
        on { _ = TestStore(state: Posts()) { _ in Store(reducer: posts, initialState: Posts()) } }.are(
            "The store does not have the trace of the driver. To fix, create it with trace: setup.trace.",
            "The store does not have the executor of the driver. To fix, create it with executor: setup.executor.")
    }
}
