import Loop
import TestSupport
import Testing

/// Endless chains of events.
@Suite("Chain guard of a loop", .timeLimit(.minutes(10)))
struct LoopChainTests {
    private enum Effect: Sendable { case answer }

    /// Counts events, with an effect for each one.
    private static let counting = Update<Int, Int, Effect> { count, event in
        .next(count + event, effects: [.answer])
    }

    @Test("A loop stops and reports an effect handler that answers itself, and continues", .promptly)
    func handler() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let router = EffectRouter<Effect, Int>().routeCase(Effect.answer).toEvent { 1 }
            let loop = Mobius.loop(update: Self.counting, effectHandler: router).withMaximumChain(100).start(from: 0)
            loop.dispatchEvent(1)
            // The event, its first answer, and the hundred that repeat the sender.
            precondition(loop.latestModel == 102)
            loop.dispatchEvent(1)
            precondition(loop.latestModel == 204)
            loop.dispose()
        }
        let message = result.standardErrorText
        #expect(message.contains("The effect handler of MobiusLoop<Int, Int, Effect> answers its own messages without"))
        let causes = Array(repeating: "1", count: 16).joined(separator: " → ")
        #expect(message.contains("was stopped after 100 of them: \(causes). To fix, "))
    }

    @Test("A loop stops and reports an observer that answers each model", .promptly)
    func observer() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let update = Update<Int, Int, Effect> { count, event in .next(count + event) }
            let loop = Mobius.loop(update: update, effectHandler: EffectRouter<Effect, Int>()).withMaximumChain(100)
                .start(from: 0)
            loop.addObserver { [weak loop] model in if model > 0 { loop?.dispatchEvent(1) } }
            loop.dispatchEvent(1)
            precondition(loop.latestModel == 102)
            loop.dispose()
        }
        let message = result.standardErrorText
        #expect(message.contains("An observer of MobiusLoop<Int, Int, Effect> answers its own messages without end"))
    }

    @Test("A controller stops and reports a handler that answers itself", .promptly)
    func controller() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let router = EffectRouter<Effect, Int>().routeCase(Effect.answer).toEvent { 1 }
            let controller = Mobius.loop(update: Self.counting, effectHandler: router).withMaximumChain(100)
                .makeController(from: 0, initiate: { First(model: $0, effects: [.answer]) })
            controller.start()
            for await model in controller.models() where model == 101 { break }
            controller.stop()
            precondition(controller.model == 101)
        }
        let message = result.standardErrorText
        #expect(message.contains("answers its own messages without end"))
    }

    @Test("A loop does not stop a single answer of many events")
    func oneLargeAnswer() {
        let update = Update<Int, Int, Effect> { count, event in
            .next(count + 1, effects: event == 0 ? [.answer] : [])
        }
        let handler = EffectRouter<Effect, Int>().routeCase(Effect.answer).to {
            (_: Void, callback: EffectCallback<Int>) in
            for event in 1...100_000 { callback.send(event) }
            callback.end()
            return EmptyDisposable()
        }
        let loop = Mobius.loop(update: update, effectHandler: handler).withMaximumChain(10).start(from: 0)
        loop.dispatchEvent(0)
        #expect(loop.latestModel == 100_001)
        loop.dispose()
    }
}
