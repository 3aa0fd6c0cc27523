import ArchitectureTesting
import Effects
import TestSupport
import Testing
import VirtualTime

@Suite(.timeLimit(.minutes(10))) struct EffectRunnerTests {
    @Test("71. A runner returns what the effect emits for what it is fed, and does not feed it that")
    func returnsAnswers() {
        let runner = EffectRunner(answering)
        let answers = runner.run(GetPost(id: "1"), GetPost(id: "2"), expecting: 2)
        #expect((answers as? [GotPost])?.map(\.title) == ["post 1", "post 2"])
        #expect(runner.run(GotPost(title: ""), Shown(), expecting: 1) is [Shown])
    }

    @Test("71. Time passes until the answers have come, and no further")
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

    @Test("71. Of an effect that never ends, the first so many are returned")
    func endless() {
        let scheduler = VirtualScheduler()
        let ticking = Effect.stream(GetPost.self) { _ in
            AsyncStream {
                try? await scheduler.clock.sleep(for: .seconds(1))
                return Shown()
            }
        }
        #expect(EffectRunner(ticking, scheduler: scheduler).run(GetPost(), expecting: 3) is [Shown])
        #expect(scheduler.clock.now.offset == .seconds(3))
    }

    @Test("71. An effect that dispatches nothing emits nothing, and is run all the same")
    func nonDispatching() {
        let ids = Record<String>()
        let runner = EffectRunner(
            Effect(dispatch: false) { actions in
                actions.ofType(GetPost.self).handleEvents { ids.append($0.id) }.eraseActionType()
            })
        #expect(runner.run(GetPost(id: "a"), expecting: 0).isEmpty)
        #expect(ids.values == ["a"])
    }

    @Test("71. An effect that needs an environment is provided with it")
    func environment() {
        let effect = Effect<String> { actions, prefix in
            actions.ofType(GetPost.self).map { GotPost(title: prefix + $0.id) }.eraseActionType()
        }
        let answers = EffectRunner(effect.provide("post ")).run(GetPost(id: "9"), expecting: 1)
        #expect((answers as? [GotPost])?.map(\.title) == ["post 9"])
    }

    @Test("71. Fewer answers than expected are an issue with both numbers, where the runner was called")
    func tooFew() {
        let line = #line + 2
        let (texts, lines) = issues {
            EffectRunner(answering).run(GetPost(), expecting: 2)
        }
        #expect(
            texts == [
                """
                Expected number of actions from the effect: 2, emitted: 1
                + ▿ ArchitectureTestingTests.GotPost
                +   - title: "post 1"
                """
            ])
        #expect(lines == [line])
    }

    @Test("71. More answers than expected are an issue; the first are returned")
    func tooMany() {
        let runner = EffectRunner(answering)
        let answers = Record<any Action>()
        let (texts, _) = issues {
            for answer in runner.run(GetPost(id: "1"), GetPost(id: "2"), expecting: 1) { answers.append(answer) }
        }
        #expect(
            texts.map { $0.split(separator: "\n").first } == [
                "Expected number of actions from the effect: 1, emitted: 2"
            ])
        #expect((answers.values as? [GotPost])?.map(\.title) == ["post 1"])
        // They have been told of.
        runner.run(expecting: 0)
    }

    @Test("71. A failure of the effect is an issue, once")
    func failing() {
        let runner = EffectRunner(Effect.map(GetPost.self) { _ -> GotPost in throw Unreachable() })
        let (texts, _) = issues { runner.run(GetPost(), expecting: 0) }
        #expect(texts.count == 1)
        #expect(texts.first?.hasSuffix("failed: Unreachable()") == true)
        #expect(((runner.failures.first as? EffectFailure)?.error) is Unreachable)
        runner.run(expecting: 0)
    }
}
