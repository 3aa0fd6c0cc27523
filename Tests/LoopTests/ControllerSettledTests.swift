import Dispatch
import Loop
import TestSupport
import Testing

/// Settling and endless chains of a controller.
@Suite("Settling of a controller", .timeLimit(.minutes(10)))
struct ControllerSettledTests {
    private enum Effect: Sendable { case answer(Int) }

    /// Adds events, with an effect for each positive one.
    private static let adding = Update<Int, Int, Effect> { total, event in
        .next(total + event, effects: event > 0 ? [.answer(event)] : [])
    }

    @Test("A controller settles while it runs, and at once if it is stopped")
    func settling() async throws {
        let queue = DispatchQueue(label: "handlers")
        let router = EffectRouter<Effect, Int>().routeCase(Effect.answer).on(queue: queue).toEvent { -$0 }
        let controller = Mobius.loop(update: Self.adding, effectHandler: router)
            .makeController(from: 0, initiate: { First(model: $0, effects: [.answer(1), .answer(2)]) })
        try await controller.settled()
        #expect(controller.model == 0)
        controller.start()
        try await controller.settled()
        #expect(controller.model == -3)
        controller.stop()
        try await controller.settled()
    }

    @Test("A controller stops and reports a handler that answers itself", .promptly)
    func chain() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let router = EffectRouter<Effect, Int>().routeCase(Effect.answer).toEvent { $0 }
            let controller = Mobius.loop(update: Self.adding, effectHandler: router).withMaximumChain(100)
                .makeController(from: 0, initiate: { First(model: $0, effects: [.answer(1)]) })
            controller.start()
            for await model in controller.models() where model == 101 { break }
            controller.stop()
            precondition(controller.model == 101)
        }
        #expect(result.standardErrorText.contains("answers its own messages without end"))
    }
}
