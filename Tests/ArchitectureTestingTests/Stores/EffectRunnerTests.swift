import ArchitectureTesting
import Effects
import TestSupport
import Testing
import VirtualTime

@Suite(.timeLimit(.minutes(10))) struct EffectRunnerTests {
    @Test("71. A runner returns the emitted actions and does not feed them back")
    func returnsAnswers() {
        let runner = EffectRunner(answering)
        let answers = runner.run(GetPost(id: "1"), GetPost(id: "2"), expecting: 2)
        #expect((answers as? [GotPost])?.map(\.title) == ["post 1", "post 2"])
        #expect(runner.run(GotPost(title: ""), Shown(), expecting: 1) is [Shown])
    }

    @Test("71. A runner advances the time only until the expected actions are emitted")
    func timePasses() {
        let scheduler = VirtualScheduler()
        let runner = EffectRunner(fetching(scheduler.clock), scheduler: scheduler)
        #expect(runner.run(GetPost(), expecting: 1) is [GotPost])
        #expect(scheduler.clock.now.offset == .seconds(1))
        runner.run(GetPost(), expecting: 0)
        #expect(scheduler.clock.now.offset == .seconds(1))
        #expect(runner.run(expecting: 1) is [GotPost])
        #expect(scheduler.clock.now.offset == .seconds(2))
    }

    @Test("71. A runner returns the expected number of actions of an endless effect")
    func endless() {
        let scheduler = VirtualScheduler()
        defer { scheduler.drain() }
        let ticking = Effect { actions in
            actions.ofType(GetPost.self).flatMap { _ in
                AsyncStream {
                    try? await scheduler.clock.sleep(for: .seconds(1))
                    return Shown()
                }
            }.eraseActionType()
        }
        #expect(EffectRunner(ticking, scheduler: scheduler).run(GetPost(), expecting: 3) is [Shown])
        #expect(scheduler.clock.now.offset == .seconds(3))
    }

    @Test("71. A runner runs a non-dispatching effect and returns no actions")
    func nonDispatching() {
        let ids = Record<String>()
        let runner = EffectRunner(
            Effect(dispatch: false) { actions in
                actions.ofType(GetPost.self).handleEvents { ids.append($0.id) }.eraseActionType()
            })
        #expect(runner.run(GetPost(id: "a"), expecting: 0).isEmpty)
        #expect(ids.values == ["a"])
    }

    @Test("71. A runner runs an effect that was provided with its environment")
    func environment() {
        let effect = Effect<String> { actions, prefix in
            actions.ofType(GetPost.self).map { GotPost(title: prefix + $0.id) }.eraseActionType()
        }
        let answers = EffectRunner(effect.provide("post ")).run(GetPost(id: "9"), expecting: 1)
        #expect((answers as? [GotPost])?.map(\.title) == ["post 9"])
    }

    @Test("71. Too few actions record an issue with both counts at the caller's line")
    func tooFew() {
        on { EffectRunner(answering).run(GetPost(), expecting: 2) }.are(
            """
            Expected number of actions from the effect: 2, emitted: 1
            + ▿ ArchitectureTestingTests.GotPost
            +   - title: "post 1"
            """)
    }

    @Test("71. Too many actions record an issue, and the first ones are returned")
    func tooMany() {
        let runner = EffectRunner(answering)
        var answers: [any Action] = []
        on { answers = runner.run(GetPost(id: "1"), GetPost(id: "2"), expecting: 1) }.are(
            """
            Expected number of actions from the effect: 1, emitted: 2
            + ▿ ArchitectureTestingTests.GotPost
            +   - title: "post 1"
            + ▿ ArchitectureTestingTests.GotPost
            +   - title: "post 2"
            """)
        #expect((answers as? [GotPost])?.map(\.title) == ["post 1"])
        // The surplus action is reported only once.
        runner.run(expecting: 0)
    }

    @Test("71. An effect that goes on without end and without sleeping records an issue, and the run returns")
    func withoutEnd() {
        let spinning = Effect.map(GetPost.self) { _ -> GotPost in
            while !Task.isCancelled { await Task.yield() }
            return GotPost(title: "")
        }
        let scheduler = VirtualScheduler()
        // Runs after the runner is released, which cancels the effect.
        defer { scheduler.drain() }
        let runner = EffectRunner(spinning, scheduler: scheduler)
        let issues = reported { runner.run(GetPost(), expecting: 0) }
        #expect(issues.map { $0.text.prefix(41) } == ["100000 jobs have run, and more are ready:"])
    }

    @Test("71. An effect that sleeps without end and emits nothing records an issue, and the run returns")
    func onlySleeping() {
        let scheduler = VirtualScheduler()
        // Runs after the runner is released, which cancels the effect.
        defer { scheduler.drain() }
        let polling = Effect.map(GetPost.self) { _ -> GotPost in
            while true { try await scheduler.clock.sleep(for: .seconds(1)) }
        }
        let runner = EffectRunner(polling, scheduler: scheduler)
        on { runner.run(GetPost(), expecting: 1) }.are(
            """
            Time has advanced to 100000 deadlines, and the effect has emitted no action meanwhile. To fix, let the effect \
            emit an action, or expect fewer actions.
            """,
            "Expected number of actions from the effect: 1, emitted: 0")
        #expect(scheduler.clock.now.offset == .seconds(100_000))
    }

    @Test("71. A failure of the effect records one issue")
    func failing() {
        let runner = EffectRunner(Effect.map(GetPost.self) { _ -> GotPost in throw Unreachable() })
        let issues = reported { runner.run(GetPost(), expecting: 0) }
        #expect(issues.map { $0.text.hasSuffix(": Unreachable()") } == [true])
        #expect(((runner.failures.first as? EffectFailure)?.error) is Unreachable)
        runner.run(expecting: 0)
    }
}
